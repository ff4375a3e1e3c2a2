//! The certificate: what a file says, and how it is written and read.

use std::collections::BTreeMap;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::automatic::{
    Automaton, AutomatonLaw, AutomatonProof, Choice, LinksProof, Numeration, Order, Says,
};
use crate::json::Json;
use crate::law::{Bound, BoundShape, Law, Periodic, PointerClass, Pointers, TakeUpTo};
use crate::misere::{Misere, Monoid, Quotient};
use crate::packed;
use crate::recursion::{Case, Recursion};
use crate::refusal::Malformed;

/// The format that is written and read here.
pub const FORMAT: &str = "grundy-certificate/1";

/// How many bytes the text of a certificate may have.
const TEXT_LIMIT: usize = 64 << 20;

/// How many numbers one array may hold.
const ARRAY_LIMIT: u64 = 1 << 24;

/// How many elements a quotient may have.
const ORDER_LIMIT: u64 = 1 << 11;

/// How many digits a number may have.
const DIGIT_LIMIT: usize = 1 << 12;

/// What convinces a checker that trusts nobody: rules, a law of them, and how it is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The canonical text of the ruleset.
    pub ruleset: String,
    /// The law of its Grundy values.
    pub law: Law,
    /// The theorem that proves it, with what its check needs.
    pub proof: Proof,
}

/// A theorem by which a finite check proves a law, with what the check needs besides the law.
///
/// A `mask` makes long windows cheap to check. Call a value rare if it has an even number of
/// bits in common with the mask, and common otherwise; then the nim-sum of two rare or of two
/// common values is rare. Any mask gives right answers; 0 calls all values rare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Finite subtraction sets.
    Subtraction,
    /// The shift lemma: take-and-break games with finitely many classes.
    Shift {
        /// The sparse space.
        mask: u64,
    },
    /// Taking any positive number outside a finite set.
    AllBut,
    /// Taking any number outside a finite set, or splitting in two.
    TakeOrSplit,
    /// Take-and-break games whose digits repeat.
    PeriodicTail {
        /// The sparse space.
        mask: u64,
    },
    /// Taking up to a number that grows slowly with the heap.
    TakeUpTo,
    /// Pointers between residue classes.
    Pointers,
    /// Links between heaps of equal value, by invariants of machines that read digits.
    Links(LinksProof),
    /// Invariants of machines that read digits.
    Automaton(AutomatonProof),
}

impl Certificate {
    /// The text of the certificate, sealed with its digest.
    pub fn to_text(&self) -> String {
        let mut fields = self.fields();
        let digest = digest(&fields);
        fields.insert("digest".to_owned(), Json::Text(digest));
        let mut text = Json::Object(fields).canonical();
        text.push('\n');
        text
    }

    /// The digest over all that the certificate says.
    pub fn digest(&self) -> String {
        digest(&self.fields())
    }

    fn fields(&self) -> BTreeMap<String, Json> {
        object([
            ("format", text(FORMAT)),
            ("ruleset", text(&self.ruleset)),
            ("law", law_json(&self.law)),
            ("proof", proof_json(&self.proof)),
        ])
    }

    /// Reads a certificate and verifies its digest, and nothing of what it says.
    pub fn from_text(text: &str) -> Result<Self, Malformed> {
        if text.len() > TEXT_LIMIT {
            return Err(Malformed::TooLong { limit: TEXT_LIMIT });
        }
        let json = Json::read(text).map_err(Malformed::Json)?;
        let mut fields = Fields::new("", json)?;
        let stated = fields.text("digest")?;
        let actual = digest(&fields.fields);
        let format = fields.text("format")?;
        if format != FORMAT {
            return Err(fields.wrong("format", "grundy-certificate/1"));
        }
        if stated != actual {
            return Err(Malformed::Digest { actual });
        }
        let law = read_law(fields.object("law")?)?;
        let certificate = Self {
            ruleset: fields.text("ruleset")?,
            proof: read_proof(fields.object("proof")?, &law)?,
            law,
        };
        fields.end()?;
        Ok(certificate)
    }
}

/// `sha256:` and the digest of the canonical text of an object with these fields.
fn digest(fields: &BTreeMap<String, Json>) -> String {
    let canonical = Json::Object(fields.clone()).canonical();
    format!("sha256:{:x}", Sha256::digest(canonical.as_bytes()))
}

fn object<const N: usize>(fields: [(&str, Json); N]) -> BTreeMap<String, Json> {
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

#[allow(clippy::needless_pass_by_value)] // so that numbers need no `&`
fn text(text: impl std::fmt::Display) -> Json {
    Json::Text(text.to_string())
}

fn law_json(law: &Law) -> Json {
    Json::Object(match law {
        Law::Periodic(law) => object([
            ("kind", text("periodic")),
            ("preperiod", text(law.preperiod)),
            ("period", text(law.period)),
            ("saltus", text(law.saltus)),
            ("values", text(packed::pack(&law.values))),
        ]),
        Law::TakeUpTo(law) => object([
            ("kind", text("take-up-to")),
            (
                "bounds",
                Json::Array(law.bounds.iter().map(bound_json).collect()),
            ),
        ]),
        Law::Pointers(law) => object([
            ("kind", text("pointers")),
            ("modulus", text(law.modulus)),
            ("start_length", text(law.start.len())),
            ("start", text(packed::pack(&law.start))),
            (
                "classes",
                Json::Array(law.classes.iter().map(class_json).collect()),
            ),
        ]),
        Law::Recursion(law) => object([
            ("kind", text("recursion")),
            ("base", text(law.base)),
            ("order", order_json(law.order)),
            ("states", text(law.case_of.len())),
            ("table", text(packed_states(&law.table))),
            ("case_of", text(packed_states(&law.case_of))),
            (
                "cases",
                Json::Array(law.cases.iter().map(case_json).collect()),
            ),
        ]),
        Law::Automaton(law) => {
            let (says, components) = match law.says {
                Says::Value => ("value", 1),
                Says::PowerOfValue => ("power-of-value", 1),
                Says::Lost { components } => ("lost", components),
            };
            object([
                ("kind", text("automaton")),
                ("says", text(says)),
                ("components", text(components)),
                ("arity", text(law.arity)),
                ("numeration", numeration_json(law.numeration)),
                ("order", order_json(law.order)),
                ("automaton", automaton_json(&law.automaton)),
            ])
        }
        Law::Misere(law) => misere_json(law),
    })
}

fn numeration_json(numeration: Numeration) -> Json {
    Json::Object(match numeration {
        Numeration::Base(base) => object([("base", text(base))]),
        Numeration::Recurrence { factor, before } => {
            object([("factor", text(factor)), ("before", text(before))])
        }
    })
}

fn order_json(order: Order) -> Json {
    text(match order {
        Order::MostSignificantFirst => "msd",
        Order::LeastSignificantFirst => "lsd",
    })
}

fn packed_states(all: &[u32]) -> String {
    let all: Vec<u64> = all.iter().map(|n| u64::from(*n)).collect();
    packed::pack(&all)
}

fn automaton_json(automaton: &Automaton) -> Json {
    let accepting: Vec<u32> = automaton.accepting.iter().map(|a| u32::from(*a)).collect();
    Json::Object(object([
        ("tracks", text(automaton.tracks)),
        ("states", text(accepting.len())),
        ("accepting", text(packed_states(&accepting))),
        ("table", text(packed_states(&automaton.table))),
    ]))
}

fn invariant_json(numbers: &[u64]) -> Json {
    Json::Object(object([
        ("length", text(numbers.len())),
        ("numbers", text(packed::pack(numbers))),
    ]))
}

fn misere_json(law: &Misere) -> BTreeMap<String, Json> {
    let labels = &law.labels;
    let mut fields = object([
        ("preperiod", text(labels.preperiod)),
        ("period", text(labels.period)),
        ("labels", text(packed::pack(&labels.values))),
    ]);
    fields.extend(match &law.monoid {
        Monoid::Tame => object([("kind", text("tame")), ("saltus", text(labels.saltus))])
            .into_iter()
            .collect::<Vec<_>>(),
        Monoid::Quotient(quotient) => object([
            ("kind", text("quotient")),
            ("order", text(quotient.order)),
            ("products", text(packed::pack(&quotient.products))),
            ("lost_count", text(quotient.lost.len())),
            ("lost", text(packed::pack(&quotient.lost))),
        ])
        .into_iter()
        .collect(),
    });
    fields
}

fn bound_json(bound: &Bound) -> Json {
    let shape = match bound.shape {
        BoundShape::Linear => "linear",
        BoundShape::Root => "root",
    };
    Json::Object(object([
        ("shape", text(shape)),
        ("times", text(&bound.times)),
        ("plus", text(&bound.plus)),
        ("over", text(&bound.over)),
    ]))
}

fn case_json(case: &Case) -> Json {
    Json::Object(object([
        ("kind", text(if case.is_new { "new" } else { "pointer" })),
        ("times", text(case.times)),
        ("plus", text(case.plus)),
        ("over", text(case.over)),
    ]))
}

fn class_json(class: &PointerClass) -> Json {
    let (kind, times, plus) = match class {
        PointerClass::New { times, plus } => ("new", times, plus),
        PointerClass::Pointer { times, plus } => ("pointer", times, plus),
    };
    Json::Object(object([
        ("kind", text(kind)),
        ("times", text(times)),
        ("plus", text(plus)),
    ]))
}

fn automata_json(automata: &[Automaton]) -> Json {
    Json::Array(automata.iter().map(automaton_json).collect())
}

fn invariants_json(invariants: &[Vec<u64>]) -> Json {
    Json::Array(invariants.iter().map(|all| invariant_json(all)).collect())
}

fn proof_json(proof: &Proof) -> Json {
    if let Proof::Automaton(proof) = proof {
        let weights = |weights: &Vec<i64>| Json::Array(weights.iter().map(text).collect());
        return Json::Object(object([
            ("theorem", text("automaton")),
            (
                "measures",
                Json::Array(proof.measures.iter().map(weights).collect()),
            ),
            ("defined", automata_json(&proof.defined)),
            ("invariants", invariants_json(&proof.invariants)),
        ]));
    }
    if let Proof::Links(proof) = proof {
        return Json::Object(object([
            ("theorem", text("links")),
            ("numeration", numeration_json(proof.numeration)),
            ("order", order_json(proof.order)),
            ("doublings", text(proof.choice.doublings)),
            ("splits", text(u8::from(proof.choice.splits))),
            ("zeros", automata_json(proof.zeros.as_slice())),
            ("defined", automata_json(&proof.defined)),
            ("invariants", invariants_json(&proof.invariants)),
        ]));
    }
    let (theorem, mask) = match proof {
        Proof::Subtraction => ("subtraction", None),
        Proof::Shift { mask } => ("shift", Some(mask)),
        Proof::AllBut => ("all-but", None),
        Proof::TakeOrSplit => ("take-or-split", None),
        Proof::PeriodicTail { mask } => ("periodic-tail", Some(mask)),
        Proof::TakeUpTo => ("take-up-to", None),
        Proof::Pointers => ("pointers", None),
        Proof::Links(_) | Proof::Automaton(_) => unreachable!("they were written above"),
    };
    let mut fields = object([("theorem", text(theorem))]);
    if let Some(mask) = mask {
        fields.insert("mask".to_owned(), text(mask));
    }
    Json::Object(fields)
}

fn read_law(mut fields: Fields) -> Result<Law, Malformed> {
    let kind = fields.text("kind")?;
    let law = match kind.as_str() {
        "periodic" => {
            let (preperiod, period, values) = fields.periodic("values")?;
            Law::Periodic(Periodic {
                preperiod,
                period,
                saltus: fields.number("saltus")?,
                values,
            })
        }
        "take-up-to" => Law::TakeUpTo(TakeUpTo {
            bounds: fields
                .objects("bounds")?
                .into_iter()
                .map(read_bound)
                .collect::<Result<_, _>>()?,
        }),
        "pointers" => {
            let modulus = fields.number::<u64>("modulus")?;
            let length = fields.number::<u64>("start_length")?;
            if length > ARRAY_LIMIT {
                return Err(fields.wrong("start_length", "no more heaps than a file can hold"));
            }
            let start = fields.packed("start", length)?;
            let classes: Vec<_> = fields
                .objects("classes")?
                .into_iter()
                .map(read_class)
                .collect::<Result<_, _>>()?;
            if modulus == 0 || u64::try_from(classes.len()) != Ok(modulus) {
                return Err(fields.wrong("modulus", "how many classes there are"));
            }
            Law::Pointers(Pointers {
                modulus,
                start,
                classes,
            })
        }
        "recursion" => Law::Recursion(read_recursion(&mut fields)?),
        "automaton" => Law::Automaton(read_automaton_law(&mut fields)?),
        "tame" => {
            let (preperiod, period, values) = fields.periodic("labels")?;
            Law::Misere(Misere {
                labels: Periodic {
                    preperiod,
                    period,
                    saltus: fields.number("saltus")?,
                    values,
                },
                monoid: Monoid::Tame,
            })
        }
        "quotient" => {
            let (preperiod, period, values) = fields.periodic("labels")?;
            Law::Misere(Misere {
                labels: Periodic {
                    preperiod,
                    period,
                    saltus: 0,
                    values,
                },
                monoid: Monoid::Quotient(read_quotient(&mut fields)?),
            })
        }
        _ => {
            return Err(fields.wrong(
                "kind",
                "periodic, take-up-to, pointers, recursion, automaton, tame or quotient",
            ));
        }
    };
    fields.end()?;
    Ok(law)
}

fn read_recursion(fields: &mut Fields) -> Result<Recursion, Malformed> {
    let base = fields.number::<u32>("base")?;
    if !Numeration::Base(base).is_valid() {
        return Err(fields.wrong("base", "a base"));
    }
    let (states, table) = read_table(fields, base, 1)?;
    let cases = fields.objects("cases")?.into_iter().map(read_case);
    let cases = cases.collect::<Result<Vec<_>, _>>()?;
    let case_of = fields.packed("case_of", states)?;
    if case_of.iter().any(|case| *case >= cases.len() as u64) {
        return Err(fields.wrong("case_of", "a case for each state"));
    }
    Ok(Recursion {
        base,
        order: read_order(fields)?,
        table,
        case_of: case_of.into_iter().map(in_file).collect(),
        cases,
    })
}

fn read_case(mut fields: Fields) -> Result<Case, Malformed> {
    let is_new = match fields.text("kind")?.as_str() {
        "new" => true,
        "pointer" => false,
        _ => return Err(fields.wrong("kind", "new or pointer")),
    };
    let over = fields.number("over")?;
    if over == 0 {
        return Err(fields.wrong("over", "a positive number"));
    }
    let case = Case {
        is_new,
        times: fields.number("times")?,
        plus: fields.number("plus")?,
        over,
    };
    fields.end()?;
    Ok(case)
}

/// How many states there are, and the successor of each by each letter.
fn read_table(
    fields: &mut Fields,
    radix: u32,
    tracks: usize,
) -> Result<(u64, Vec<u32>), Malformed> {
    let states = fields.number::<u64>("states")?;
    let letters = Automaton::letters(radix, tracks);
    let letters = letters.ok_or_else(|| fields.wrong("tracks", "fewer tracks"))?;
    let entries = states
        .checked_mul(letters as u64)
        .filter(|entries| *entries <= ARRAY_LIMIT)
        .ok_or_else(|| fields.wrong("states", "fewer states"))?;
    let table = fields.packed("table", entries)?;
    if states == 0 {
        return Err(fields.wrong("states", "a state at least"));
    }
    if table.iter().any(|target| *target >= states) {
        return Err(fields.wrong("table", "states"));
    }
    Ok((states, table.into_iter().map(in_file).collect()))
}

/// A number of something of which a file holds so many.
fn in_file(number: u64) -> u32 {
    u32::try_from(number).expect("fewer than a file can hold")
}

fn read_automaton_law(fields: &mut Fields) -> Result<AutomatonLaw, Malformed> {
    let says = fields.text("says")?;
    let components = fields.number::<usize>("components")?;
    let says = match (says.as_str(), components) {
        ("value", 1) => Says::Value,
        ("power-of-value", 1) => Says::PowerOfValue,
        ("lost", components) => Says::Lost { components },
        _ => return Err(fields.wrong("says", "value, power-of-value, or lost")),
    };
    let numeration = read_numeration(fields)?;
    Ok(AutomatonLaw {
        says,
        arity: fields.number("arity")?,
        numeration,
        order: read_order(fields)?,
        automaton: read_automaton(fields.object("automaton")?, numeration.radix())?,
    })
}

fn read_numeration(fields: &mut Fields) -> Result<Numeration, Malformed> {
    let mut numeration = fields.object("numeration")?;
    let system = if numeration.fields.contains_key("base") {
        Numeration::Base(numeration.number("base")?)
    } else {
        Numeration::Recurrence {
            factor: numeration.number("factor")?,
            before: numeration.number("before")?,
        }
    };
    if !system.is_valid() {
        return Err(fields.wrong("numeration", "a base or a recurrence"));
    }
    numeration.end()?;
    Ok(system)
}

fn read_order(fields: &mut Fields) -> Result<Order, Malformed> {
    match fields.text("order")?.as_str() {
        "msd" => Ok(Order::MostSignificantFirst),
        "lsd" => Ok(Order::LeastSignificantFirst),
        _ => Err(fields.wrong("order", "msd or lsd")),
    }
}

fn read_automaton(mut fields: Fields, radix: u32) -> Result<Automaton, Malformed> {
    let tracks = fields.number::<usize>("tracks")?;
    let (states, table) = read_table(&mut fields, radix, tracks)?;
    let accepting = fields.packed("accepting", states)?;
    if accepting.iter().any(|accepts| *accepts > 1) {
        return Err(fields.wrong("accepting", "a 0 or 1 for each state"));
    }
    fields.end()?;
    Ok(Automaton {
        tracks,
        table,
        accepting: accepting.into_iter().map(|accepts| accepts == 1).collect(),
    })
}

fn read_automaton_proof(fields: &mut Fields, radix: u32) -> Result<AutomatonProof, Malformed> {
    let mut measures = Vec::new();
    for weights in fields.arrays("measures")? {
        let weights = weights.iter().map(|weight| match weight {
            Json::Text(weight) => read_number::<i64>(weight),
            _ => None,
        });
        let weights = weights.collect::<Option<Vec<_>>>();
        measures.push(weights.ok_or_else(|| fields.wrong("measures", "arrays of integers"))?);
    }
    Ok(AutomatonProof {
        measures,
        defined: read_automata(fields, "defined", radix)?,
        invariants: read_invariants(fields)?,
    })
}

fn read_automata(fields: &mut Fields, name: &str, radix: u32) -> Result<Vec<Automaton>, Malformed> {
    let automata = fields.objects(name)?.into_iter();
    automata
        .map(|fields| read_automaton(fields, radix))
        .collect()
}

fn read_invariants(fields: &mut Fields) -> Result<Vec<Vec<u64>>, Malformed> {
    let mut invariants = Vec::new();
    for mut fields in fields.objects("invariants")? {
        let length = fields.number::<u64>("length")?;
        if length > ARRAY_LIMIT {
            return Err(fields.wrong("length", "no more numbers than a file can hold"));
        }
        invariants.push(fields.packed("numbers", length)?);
        fields.end()?;
    }
    Ok(invariants)
}

fn read_links_proof(fields: &mut Fields) -> Result<LinksProof, Malformed> {
    let numeration = read_numeration(fields)?;
    let radix = numeration.radix();
    let splits = match fields.number::<u8>("splits")? {
        0 => false,
        1 => true,
        _ => return Err(fields.wrong("splits", "0 or 1")),
    };
    let mut zeros = read_automata(fields, "zeros", radix)?;
    if zeros.len() > 1 {
        return Err(fields.wrong("zeros", "one automaton at most"));
    }
    let zeros = zeros.pop();
    Ok(LinksProof {
        numeration,
        order: read_order(fields)?,
        choice: Choice {
            doublings: fields.number("doublings")?,
            splits,
            zeros: zeros.is_some(),
        },
        zeros,
        defined: read_automata(fields, "defined", radix)?,
        invariants: read_invariants(fields)?,
    })
}

fn read_quotient(fields: &mut Fields) -> Result<Quotient, Malformed> {
    let order = fields.number::<u64>("order")?;
    if order == 0 || order > ORDER_LIMIT {
        return Err(fields.wrong("order", "a positive number, not too large"));
    }
    let lost = fields.number::<u64>("lost_count")?;
    if lost > order {
        return Err(fields.wrong("lost_count", "no more than the order"));
    }
    let quotient = Quotient {
        order,
        products: fields.packed("products", order * (order + 1) / 2)?,
        lost: fields.packed("lost", lost)?,
    };
    if quotient.lost.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(fields.wrong("lost", "ascending numbers"));
    }
    Ok(quotient)
}

fn read_bound(mut fields: Fields) -> Result<Bound, Malformed> {
    let shape = match fields.text("shape")?.as_str() {
        "linear" => BoundShape::Linear,
        "root" => BoundShape::Root,
        _ => return Err(fields.wrong("shape", "linear or root")),
    };
    let bound = Bound {
        shape,
        times: fields.number("times")?,
        plus: fields.number("plus")?,
        over: fields.number("over")?,
    };
    fields.end()?;
    Ok(bound)
}

fn read_class(mut fields: Fields) -> Result<PointerClass, Malformed> {
    let kind = fields.text("kind")?;
    let (times, plus) = (fields.number("times")?, fields.number("plus")?);
    let class = match kind.as_str() {
        "new" => PointerClass::New { times, plus },
        "pointer" => PointerClass::Pointer { times, plus },
        _ => return Err(fields.wrong("kind", "new or pointer")),
    };
    fields.end()?;
    Ok(class)
}

fn read_proof(mut fields: Fields, law: &Law) -> Result<Proof, Malformed> {
    let theorem = fields.text("theorem")?;
    let proof = match theorem.as_str() {
        "subtraction" => Proof::Subtraction,
        "shift" => Proof::Shift {
            mask: fields.number("mask")?,
        },
        "all-but" => Proof::AllBut,
        "take-or-split" => Proof::TakeOrSplit,
        "periodic-tail" => Proof::PeriodicTail {
            mask: fields.number("mask")?,
        },
        "take-up-to" => Proof::TakeUpTo,
        "pointers" => Proof::Pointers,
        "links" => Proof::Links(read_links_proof(&mut fields)?),
        "automaton" => {
            let Law::Automaton(law) = law else {
                return Err(fields.wrong("theorem", "a theorem about such a law"));
            };
            Proof::Automaton(read_automaton_proof(&mut fields, law.numeration.radix())?)
        }
        _ => return Err(fields.wrong("theorem", "the name of a theorem")),
    };
    fields.end()?;
    Ok(proof)
}

/// A number in its only form: no plus sign, no leading zero, no space.
fn read_number<N: FromStr + ToString>(text: &str) -> Option<N> {
    Some(text)
        .filter(|text| text.len() <= DIGIT_LIMIT)
        .and_then(|text| text.parse::<N>().ok())
        .filter(|number| number.to_string() == text)
}

/// The fields of an object that were not read yet.
struct Fields {
    path: String,
    fields: BTreeMap<String, Json>,
}

impl Fields {
    fn new(path: &str, json: Json) -> Result<Self, Malformed> {
        match json {
            Json::Object(fields) => Ok(Self {
                path: path.to_owned(),
                fields,
            }),
            _ => Err(Malformed::Field {
                field: path.to_owned(),
                expected: "an object",
            }),
        }
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    fn wrong(&self, name: &str, expected: &'static str) -> Malformed {
        Malformed::Field {
            field: self.path_of(name),
            expected,
        }
    }

    fn take(&mut self, name: &str) -> Result<Json, Malformed> {
        self.fields.remove(name).ok_or_else(|| Malformed::Missing {
            field: self.path_of(name),
        })
    }

    fn text(&mut self, name: &str) -> Result<String, Malformed> {
        match self.take(name)? {
            Json::Text(text) => Ok(text),
            _ => Err(self.wrong(name, "a string")),
        }
    }

    /// A number in its only form: no plus sign, no leading zero, no space.
    fn number<N: FromStr + ToString>(&mut self, name: &str) -> Result<N, Malformed> {
        let text = self.text(name)?;
        read_number(&text)
            .ok_or_else(|| self.wrong(name, "an integer of fitting size, in decimal digits"))
    }

    fn packed(&mut self, name: &str, count: u64) -> Result<Vec<u64>, Malformed> {
        let text = self.text(name)?;
        let count = usize::try_from(count).map_err(|_| self.wrong(name, "fewer numbers"))?;
        packed::unpack(&text, count).map_err(|expected| self.wrong(name, expected))
    }

    /// A preperiod, a period, and the numbers of the heaps below their sum.
    fn periodic(&mut self, name: &str) -> Result<(u64, u64, Vec<u64>), Malformed> {
        let preperiod = self.number::<u64>("preperiod")?;
        let period = self.number::<u64>("period")?;
        if period == 0 {
            return Err(self.wrong("period", "a positive number"));
        }
        let length = preperiod
            .checked_add(period)
            .filter(|length| *length <= ARRAY_LIMIT)
            .ok_or_else(|| self.wrong("period", "no more heaps than a file can hold"))?;
        Ok((preperiod, period, self.packed(name, length)?))
    }

    fn object(&mut self, name: &str) -> Result<Self, Malformed> {
        let path = self.path_of(name);
        Self::new(&path, self.take(name)?)
    }

    fn arrays(&mut self, name: &str) -> Result<Vec<Vec<Json>>, Malformed> {
        let Json::Array(items) = self.take(name)? else {
            return Err(self.wrong(name, "an array"));
        };
        let inner = items.into_iter().map(|item| match item {
            Json::Array(inner) => Some(inner),
            _ => None,
        });
        let inner = inner.collect::<Option<Vec<_>>>();
        inner.ok_or_else(|| self.wrong(name, "an array of arrays"))
    }

    fn objects(&mut self, name: &str) -> Result<Vec<Self>, Malformed> {
        let path = self.path_of(name);
        match self.take(name)? {
            Json::Array(items) => items
                .into_iter()
                .enumerate()
                .map(|(index, item)| Self::new(&format!("{path}[{index}]"), item))
                .collect(),
            _ => Err(self.wrong(name, "an array")),
        }
    }

    fn end(self) -> Result<(), Malformed> {
        match self.fields.keys().next() {
            None => Ok(()),
            Some(name) => Err(Malformed::Unknown {
                field: self.path_of(name),
            }),
        }
    }
}
