//! The part of JSON that certificates are written in: objects, arrays and strings.
//!
//! Numbers are strings of decimal digits, so that no reader rounds them. With nothing but
//! strings, sorting the fields of each object makes the text canonical (RFC 8785).

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value without numbers, `true`, `false` and `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Json>),
    /// An object; no two of its fields have the same name.
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Reads a text. The error says what is wrong and where.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// The canonical text: fields sorted by name, no white space.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Text(text) => write_string(text, out),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(fields) => {
                out.push('{');
                for (index, (name, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    let quoted = serde_json::to_string(text).expect("a string is always JSON");
    out.push_str(&quoted);
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object, an array or a string (numbers are written as strings)")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json, A::Error> {
        let mut object = BTreeMap::new();
        while let Some((name, value)) = fields.next_entry::<String, Json>()? {
            if object.contains_key(&name) {
                return Err(de::Error::custom(format!(
                    "the field `{name}` stands twice"
                )));
            }
            object.insert(name, value);
        }
        Ok(Json::Object(object))
    }
}
