//! Certificates are tested by what is refused: every field of every kind is changed, dropped,
//! swapped, and sealed again, so that the digest does not protect it.

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::{canonical, check_certificate, grundy_values, meter, ruleset, seen_law};
use grundy_certificate::{
    Bound, BoundShape, Certificate, Clause, Falsehood, Law, Malformed, PointerClass, Pointers,
    Proof, Reason, Refusal, TakeUpTo, Theorem, check,
};
use grundy_rules::parse;
use num_bigint::{BigInt, BigUint};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// One certificate for each theorem.
fn certificates() -> Vec<Certificate> {
    let periodic = |rules: &str, proof: Proof, heaps: u64| Certificate {
        ruleset: canonical(rules),
        law: Law::Periodic(
            seen_law(&grundy_values(&ruleset(rules), heaps), None).expect("a law is seen"),
        ),
        proof,
    };
    let half = "[n] -> [n-k] where 1 <= k <= n/2\n";
    vec![
        periodic("rules {2,5}", Proof::Subtraction, 60),
        periodic("rules 0.77", Proof::Shift { mask: 5 }, 140),
        periodic("rules 0.54", Proof::Shift { mask: 0 }, 60),
        periodic("rules all but {1,4}", Proof::AllBut, 60),
        periodic("rules 4.(3)", Proof::TakeOrSplit, 60),
        periodic("rules 0.(31)", Proof::PeriodicTail { mask: 0 }, 60),
        Certificate {
            ruleset: canonical(half),
            law: Law::TakeUpTo(TakeUpTo {
                bounds: vec![Bound {
                    shape: BoundShape::Linear,
                    times: BigUint::from(1u32),
                    plus: BigInt::from(0),
                    over: BigUint::from(2u32),
                }],
            }),
            proof: Proof::TakeUpTo,
        },
        Certificate {
            ruleset: canonical(half),
            law: Law::Pointers(Pointers {
                modulus: 2,
                start: vec![0],
                classes: vec![
                    PointerClass::New { times: 1, plus: 0 },
                    PointerClass::Pointer { times: 1, plus: 0 },
                ],
            }),
            proof: Proof::Pointers,
        },
    ]
}

/// The text with a right digest. Its objects are sorted: `serde_json` keeps fields so.
fn sealed(mut fields: Map<String, Value>) -> String {
    fields.remove("digest");
    let canonical = Value::Object(fields.clone()).to_string();
    let digest = format!("sha256:{:x}", Sha256::digest(canonical.as_bytes()));
    fields.insert("digest".to_owned(), Value::String(digest));
    Value::Object(fields).to_string()
}

fn fields_of(certificate: &Certificate) -> Map<String, Value> {
    serde_json::from_str(&certificate.to_text()).expect("JSON")
}

/// Whether what a theorem says is true of small heaps.
fn is_true(theorem: &Theorem, heaps: u64) -> bool {
    let values = grundy_values(&ruleset(theorem.ruleset()), heaps);
    (0u64..).zip(values).all(|(heap, value)| {
        theorem.law().value(&BigUint::from(heap)) == Some(BigUint::from(value))
    })
}

#[test]
fn sealing_again_changes_nothing() {
    for certificate in certificates() {
        let text = certificate.to_text();
        assert_eq!(sealed(fields_of(&certificate)) + "\n", text);
        let theorem = check(&text, &mut meter()).expect("a theorem");
        assert_eq!(theorem.digest(), certificate.digest());
        assert!(is_true(&theorem, 40));
        assert_eq!(Certificate::from_text(&text), Ok(certificate));
    }
}

/// Every string of the JSON, changed in many ways and sealed again, is refused, or what is
/// proved then is true.
#[test]
fn every_changed_field_is_refused_or_still_true() {
    for certificate in certificates() {
        let fields = fields_of(&certificate);
        let mut places = Vec::new();
        strings(&Value::Object(fields.clone()), &mut Vec::new(), &mut places);
        for place in places.iter().filter(|place| place[0] != "digest") {
            let value = Value::Object(fields.clone());
            let old = at(&value, place).as_str().expect("a string").to_owned();
            let mut accepted = Vec::new();
            for new in changes(&old) {
                let mut changed = Value::Object(fields.clone());
                *at_mut(&mut changed, place) = Value::String(new.clone());
                let Value::Object(changed) = changed else {
                    unreachable!("it is an object");
                };
                if let Ok(theorem) = check(&sealed(changed), &mut meter()) {
                    assert!(is_true(&theorem, 40), "{place:?}: {old} to {new}");
                    accepted.push(new);
                }
            }
            // Another mask or a more general theorem is another way to prove the same, and other
            // rules may have the same values.
            let harmless = place[0] == "proof" || place[0] == "ruleset";
            assert!(
                harmless || accepted.is_empty(),
                "{:?} {place:?}: {accepted:?}",
                certificate.proof
            );
        }
    }
}

/// The paths of all strings.
fn strings(value: &Value, path: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    match value {
        Value::String(_) => places.push(path.clone()),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                strings(item, path, places);
                path.pop();
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                path.push(name.clone());
                strings(field, path, places);
                path.pop();
            }
        }
        other => panic!("certificates hold no {other}"),
    }
}

fn at<'v>(value: &'v Value, path: &[String]) -> &'v Value {
    path.iter().fold(value, |value, step| match value {
        Value::Array(items) => &items[step.parse::<usize>().expect("an index")],
        value => &value[step.as_str()],
    })
}

fn at_mut<'v>(value: &'v mut Value, path: &[String]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match value {
        Value::Array(items) => &mut items[step.parse::<usize>().expect("an index")],
        value => &mut value[step.as_str()],
    })
}

/// Other strings in the place of one.
fn changes(old: &str) -> Vec<String> {
    let mut new: Vec<String> = [
        "",
        " ",
        "0",
        "-1",
        "1",
        "2",
        "7",
        "18446744073709551615",
        "1e3",
    ]
    .map(str::to_owned)
    .to_vec();
    new.push("9".repeat(1000));
    new.push(format!("0{old}"));
    new.push(format!("+{old}"));
    new.push(format!("{old} "));
    if let Ok(number) = old.parse::<i64>() {
        new.push((number + 1).to_string());
        new.push((number - 1).to_string());
        new.push((2 * number).to_string());
    }
    if let Some((name, values)) = unpacked(old) {
        new.extend(changed_arrays(&values).into_iter().map(|v| name(&v)));
        new.push(old[..old.len() / 2].to_owned());
    }
    for name in [
        "periodic",
        "take-up-to",
        "pointers",
        "subtraction",
        "shift",
        "all-but",
        "take-or-split",
        "periodic-tail",
        "linear",
        "root",
        "new",
        "pointer",
        "grundy-certificate/2",
    ] {
        new.push(name.to_owned());
    }
    if old.contains('\n') {
        new.extend(changed_rules(old));
    }
    new.retain(|new| new != old);
    new
}

type Pack = fn(&[u64]) -> String;

/// The numbers of a packed array.
fn unpacked(text: &str) -> Option<(Pack, Vec<u64>)> {
    let bytes = STANDARD.decode(text).ok()?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).ok()?;
    Some((pack, bytes.into_iter().map(u64::from).collect()))
}

fn pack(numbers: &[u64]) -> String {
    let mut bytes = Vec::new();
    for number in numbers {
        let mut rest = *number;
        while rest >= 128 {
            bytes.push((rest % 128) as u8 | 128);
            rest /= 128;
        }
        bytes.push((rest % 128) as u8);
    }
    STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6))
}

fn changed_arrays(values: &[u64]) -> Vec<Vec<u64>> {
    let mut arrays = Vec::new();
    for place in 0..values.len() {
        for value in [
            0,
            1,
            values[place] + 1,
            values[place] ^ 8,
            1 << 40,
            u64::MAX,
        ] {
            let mut changed = values.to_vec();
            changed[place] = value;
            arrays.push(changed);
        }
        let mut dropped = values.to_vec();
        dropped.remove(place);
        arrays.push(dropped);
        if place > 0 {
            let mut swapped = values.to_vec();
            swapped.swap(place - 1, place);
            arrays.push(swapped);
        }
    }
    arrays.push(values.iter().rev().copied().collect());
    arrays.push([values, &[0]].concat());
    arrays.push(Vec::new());
    arrays.retain(|array| array != values);
    arrays
}

/// The same rules without their short form.
fn longhand(rules: &str) -> String {
    match ruleset(rules).short_form {
        Some(form) => form.longhand(),
        None => rules.to_owned(),
    }
}

/// Other rules, none of which has the law of the old ones.
fn changed_rules(rules: &str) -> Vec<String> {
    let mut changed: Vec<String> = [
        "rules 0.07",
        "rules {1,2}",
        "rules {2,5,6}",
        "rules all but {1}",
        "rules 4.(7)",
        "rules 0.(13)",
        "[n] -> [n-k] where 1 <= k <= n/3",
        "[n] -> [n-k] where 2 <= k <= n/2",
        "rules 0.54\nplay misere",
        "rules",
        "game",
    ]
    .map(str::to_owned)
    .to_vec();
    for clause in [
        "play misere",
        "unordered",
        "row a",
        "start [n, m] as [n]",
        "ends lost [1]",
        "compound selective",
        "draw on repetition",
        "[0] -> nothing",
        "[x] + [y] -> [x]",
        "left: [n] -> [n-1]",
        "[x, y] -> [x-1, y]",
        "[n] -> [n]",
        "[n] -> [n+1]",
        "more: [5] -> [1]",
        "chance d in 1..6",
    ] {
        changed.push(format!("{}{clause}\n", longhand(rules)));
    }
    // In canonical form where they can be read, so that they are refused for their meaning.
    let canonical = |text: String| parse(&text).map_or(text, |ruleset| ruleset.canonical_text());
    changed
        .into_iter()
        .map(canonical)
        .chain([format!("{rules} ")])
        .collect()
}

#[test]
fn dropped_doubled_and_unknown_fields_are_malformed() {
    for certificate in certificates() {
        let fields = fields_of(&certificate);
        for name in ["format", "ruleset", "law", "proof"] {
            let mut fewer = fields.clone();
            fewer.remove(name);
            let field = name.to_owned();
            let missing = Refusal::Malformed(Malformed::Missing { field });
            assert_eq!(check(&sealed(fewer), &mut meter()), Err(missing));
            let mut other = fields.clone();
            other.insert(name.to_owned(), Value::Array(Vec::new()));
            let refusal = check(&sealed(other), &mut meter());
            assert!(matches!(
                refusal,
                Err(Refusal::Malformed(Malformed::Field { .. }))
            ));
        }
        for inner in ["law", "proof"] {
            let names: Vec<String> = fields[inner]
                .as_object()
                .expect("an object")
                .keys()
                .cloned()
                .collect();
            for name in names {
                let mut fewer = fields.clone();
                fewer[inner]
                    .as_object_mut()
                    .expect("an object")
                    .remove(&name);
                let field = format!("{inner}.{name}");
                let missing = Refusal::Malformed(Malformed::Missing { field });
                assert_eq!(check(&sealed(fewer), &mut meter()), Err(missing));
            }
            let mut more = fields.clone();
            more[inner]["remark"] = Value::String("no decoration".to_owned());
            let field = format!("{inner}.remark");
            let unknown = Refusal::Malformed(Malformed::Unknown { field });
            assert_eq!(check(&sealed(more), &mut meter()), Err(unknown));
        }
        let mut more = fields.clone();
        more.insert("remark".to_owned(), Value::String(String::new()));
        let field = "remark".to_owned();
        let unknown = Refusal::Malformed(Malformed::Unknown { field });
        assert_eq!(check(&sealed(more), &mut meter()), Err(unknown));
        let twice = certificate.to_text().replacen('{', "{\"format\":\"\",", 1);
        let refusal = check(&twice, &mut meter());
        assert!(matches!(
            refusal,
            Err(Refusal::Malformed(Malformed::Json(_)))
        ));
    }
}

#[test]
fn damaged_text_is_malformed() {
    for certificate in certificates() {
        let text = certificate.to_text();
        for end in (0..text.len() - 2).step_by(7) {
            let refusal = check(&text[..end], &mut meter());
            assert!(matches!(refusal, Err(Refusal::Malformed(_))), "{end}");
        }
        for place in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let Ok(damaged) = String::from_utf8(bytes) else {
                continue;
            };
            let refusal = check(&damaged, &mut meter());
            assert!(
                matches!(refusal, Err(Refusal::Malformed(_))),
                "{place}: {refusal:?}"
            );
        }
    }
    for text in [
        "",
        "{}",
        "[]",
        "null",
        "1",
        "{\"digest\":1}",
        "\u{feff}{}",
        "[[[[",
    ] {
        let refusal = check(text, &mut meter());
        assert!(matches!(refusal, Err(Refusal::Malformed(_))), "{text}");
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(
        check(&deep, &mut meter()),
        Err(Refusal::Malformed(_))
    ));
}

/// A few kilobytes that would unfold into gigabytes, and numbers that ask for gigabytes.
#[test]
fn bombs_are_refused_before_they_unfold() {
    let certificate = certificates().swap_remove(0);
    let mut fields = fields_of(&certificate);
    let zeros = vec![0; 50_000_000];
    let bomb = STANDARD.encode(miniz_oxide::deflate::compress_to_vec_zlib(&zeros, 9));
    fields["law"]["values"] = Value::String(bomb.clone());
    let refusal = check(&sealed(fields.clone()), &mut meter());
    assert!(matches!(
        refusal,
        Err(Refusal::Malformed(Malformed::Field { .. }))
    ));
    for period in ["4611686018427387904", "18446744073709551615", "16777217"] {
        fields["law"]["period"] = Value::String(period.to_owned());
        let refusal = check(&sealed(fields.clone()), &mut meter());
        assert!(
            matches!(refusal, Err(Refusal::Malformed(Malformed::Field { .. }))),
            "{period}"
        );
    }
}

/// What is refused is refused for its meaning, with the place where it fails.
#[test]
fn the_reason_is_told() {
    let [subtraction, kayles, ..] = &certificates()[..] else {
        panic!("there are several");
    };
    let Law::Periodic(law) = &kayles.law else {
        panic!("Kayles is periodic");
    };
    let with = |change: &dyn Fn(&mut Certificate)| {
        let mut changed = kayles.clone();
        change(&mut changed);
        check_certificate(&changed).expect_err("it is false")
    };
    let value = |heap: u64, claimed, actual| {
        Refusal::False(Falsehood::Value {
            heap,
            claimed,
            actual,
        })
    };
    let wrong = with(&|c| {
        let Law::Periodic(law) = &mut c.law else {
            return;
        };
        law.values[40] = 9;
    });
    assert_eq!(wrong, value(40, 9, law.values[40]));
    let reason = |certificate: &Certificate| match check_certificate(certificate) {
        Err(Refusal::False(Falsehood::DoesNotApply { reason, .. })) => reason,
        other => panic!("{other:?}"),
    };
    let rules = |rules: &str| Certificate {
        ruleset: canonical(rules),
        ..kayles.clone()
    };
    let clause = |clause| Reason::Clause(clause);
    for (text, expected) in [
        ("play misere", clause(Clause::Misere)),
        ("compound conjunctive", clause(Clause::Compound)),
        ("ends lost [1]", clause(Clause::Ending)),
        ("start [n, m] as [n]", clause(Clause::Start)),
        ("unordered", clause(Clause::Unordered)),
        ("draw on repetition", clause(Clause::DrawOnRepetition)),
        ("left: [n] -> [n-1]", clause(Clause::Player)),
        (
            "[x] + [y] -> [x+y] where x >= 1, y >= 1",
            clause(Clause::Joint),
        ),
        ("[x, y] -> [x-1, y]", clause(Clause::Tuple)),
        ("[0] -> nothing", Reason::ZeroMoves),
        ("[n] -> [n] where n >= 1", Reason::NotSmaller),
        ("[n] -> [n-k] where k >= 1", Reason::Unbounded),
    ] {
        let text = format!("{}{text}", longhand("rules 0.77"));
        assert_eq!(reason(&rules(&text)), expected, "{text}");
    }
    let mut saltus = subtraction.clone();
    let Law::Periodic(law) = &mut saltus.law else {
        panic!("it is periodic");
    };
    law.saltus = 1;
    assert_eq!(reason(&saltus), Reason::Saltus);
    saltus.proof = Proof::TakeUpTo;
    assert_eq!(reason(&saltus), Reason::LawKind);
    let more = Certificate {
        ruleset: "rules 0.77\nexpect grundy 0 1\n".to_owned(),
        ..kayles.clone()
    };
    let refusal = check_certificate(&more);
    assert_eq!(
        refusal,
        Err(Refusal::Malformed(Malformed::RulesetNotCanonical))
    );
    let unreadable = Certificate {
        ruleset: "rules 0.97\n".to_owned(),
        ..kayles.clone()
    };
    let refusal = check_certificate(&unreadable);
    assert_eq!(
        refusal,
        Err(Refusal::Malformed(Malformed::Ruleset { faults: 1 }))
    );
}
