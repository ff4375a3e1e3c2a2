//! Misère play: labels, quotients, and what they decide.

use grundy_certificate::{Law, Misere, Monoid};
use grundy_rules::{Limit, Ruleset};
use num_bigint::BigUint;

use super::laws::ENDLESS;
use super::{Reached, no_values, undecided};
use crate::argument;
use crate::law::{Checked, LawReport, NoSequence, Stopped};
use crate::misere;
use crate::misere::games::Genus;
use crate::misere::report::{Form, Heap, Kind};
use crate::misere::{Label, Presentation, Word};
use crate::oracle::NoValues;
use crate::outcome::{Outcome, Undecided};

/// How many elements are written out.
const MOST_WRITTEN: usize = 60;

/// A law of labels as a sentence about `L(n)`.
pub(super) fn law_of_labels(law: &Misere) -> String {
    let labels = &law.labels;
    let (preperiod, period) = (labels.preperiod, labels.period);
    let repeats = |what: &str| format!("{what} for all n ≥ {preperiod}");
    match &law.monoid {
        Monoid::Tame => {
            let growth = match labels.saltus / 2 {
                0 => String::new(),
                saltus => format!(", its index grown by {saltus},"),
            };
            let repeats = repeats(&format!("L(n+{period}) = L(n){growth}"));
            format!(
                "in misère play this game is tame: {repeats}, and a sum is lost iff the sum of the labels \
                 is f1 or F0 (labels F are firm, labels f fickle; numbers add by nim-sum, and a sum is \
                 fickle if all its parts are)"
            )
        }
        Monoid::Quotient(quotient) => {
            let repeats = repeats(&format!("L(n+{period}) = L(n)"));
            format!(
                "in misère play a quotient with {} elements, {} of them lost, decides sums: {repeats}, and a \
                 sum is lost iff the product of the labels is among those",
                quotient.order,
                quotient.lost.len()
            )
        }
    }
}

/// The labels of a law, one line each.
pub(super) fn labels_of_law(law: &Misere) -> Vec<String> {
    let presentation = Presentation::of(law);
    let mut lines: Vec<String> = presentation.iter().flat_map(self::presentation).collect();
    let labels = &law.labels;
    let start = usize::try_from(labels.preperiod).unwrap_or(labels.values.len());
    let (before, repeating) = labels.values.split_at(start.min(labels.values.len()));
    let listed = |labels: &[u64]| {
        let shown = labels.iter().take(MOST_WRITTEN);
        let mut words: Vec<String> = shown
            .map(|number| {
                label(&Label::new(
                    law,
                    presentation.as_ref(),
                    &BigUint::from(*number),
                ))
            })
            .collect();
        if labels.len() > MOST_WRITTEN {
            words.push(format!("… ({} labels)", labels.len()));
        }
        words.join(" ")
    };
    if !before.is_empty() {
        lines.push(format!("labels before:   {}", listed(before)));
    }
    let how = if labels.saltus == 0 {
        "repeating:"
    } else {
        "growing:  "
    };
    lines.push(format!("labels {how}  {}", listed(repeating)));
    if let (None, Some((order, lost))) = (presentation, misere::order(law)) {
        lines.push(format!("misère quotient: {order} elements, {lost} lost"));
    }
    lines
}

/// A quotient by generators and relations, one line each.
pub fn presentation(presentation: &Presentation) -> Vec<String> {
    let letters = (0..presentation.generators.len()).map(letter);
    let relations: Vec<String> = presentation
        .relations
        .iter()
        .map(|(left, right)| format!("{}={}", word(left), word(right)))
        .collect();
    let lost: Vec<String> = presentation.lost.iter().map(word).collect();
    let heaps = presentation.generators.iter().enumerate();
    let heaps: Vec<String> = heaps
        .map(|(generator, heap)| format!("{} = heap {heap}", letter(generator)))
        .collect();
    let mut lines = vec![
        format!(
            "Q = ⟨{} | {}⟩, {} elements",
            letters.collect::<Vec<_>>().join(","),
            relations.join(", "),
            presentation.order
        ),
        format!("P = {{{}}}, {} lost elements", lost.join(", "), lost.len()),
    ];
    if !heaps.is_empty() {
        lines.push(heaps.join(", "));
    }
    lines
}

/// A letter, with a number behind the alphabet.
fn letter(generator: usize) -> String {
    let place = u8::try_from(generator % 26).expect("a residue of 26");
    let letter = char::from(b'a' + place);
    match generator / 26 {
        0 => letter.to_string(),
        round => format!("{letter}_{round}"),
    }
}

/// A product of powers of generators: `ab2`, and `1` for the empty one.
pub fn word(word: &Word) -> String {
    let powers = word.0.iter().enumerate().filter(|(_, power)| **power > 0);
    let text: String = powers
        .map(|(generator, power)| match power {
            1 => letter(generator),
            power => format!("{}{power}", letter(generator)),
        })
        .collect();
    if text.is_empty() {
        "1".to_owned()
    } else {
        text
    }
}

/// What decides about a heap: `f1`, `F3`, or an element of a quotient.
pub fn label(label: &Label) -> String {
    match label {
        Label::Tame { firm: true, index } => format!("F{index}"),
        Label::Tame { firm: false, index } => format!("f{index}"),
        Label::Element(element) => word(element),
    }
}

/// How the outcome of a sum follows from the labels of its components.
pub(super) fn reason_by_labels(
    heaps: &[(BigUint, Label)],
    components: usize,
    sum: &Label,
    lost: bool,
    so: &str,
) -> String {
    let told: Vec<String> = heaps
        .iter()
        .map(|(heap, its)| format!("{heap} is {}", label(its)))
        .collect();
    let others = match components - heaps.len() {
        0 => String::new(),
        1 => " and one more component".to_owned(),
        others => format!(" and {others} more components"),
    };
    let total = label(sum);
    match sum {
        Label::Tame { .. } => format!(
            "In misère play the labels decide: {}{others}. Their sum is {total}: {so}. Lost are f1 (all parts \
             fickle, nim-sum 1) and F0 (a firm part, nim-sum 0).",
            told.join(", ")
        ),
        Label::Element(_) => {
            let which = if lost { "one" } else { "none" };
            format!(
                "In misère play the elements of the quotient decide: {}{others}. Their product is {total}, {which} \
                 of the lost elements: {so}.",
                told.join(", ")
            )
        }
    }
}

/// Which heap is the first that is not tame.
pub fn wild_from(heap: u64) -> String {
    format!("wild from heap {heap}: the sums of tame games do not decide it")
}

/// No law of labels was found.
pub fn unlabelled(
    game: &Ruleset,
    wild: Option<u64>,
    below: u64,
    checked: Option<Checked>,
    stopped: &Stopped,
    reached: &dyn Fn(Limit) -> Reached,
) -> String {
    let name = argument::name(game);
    let checked = checked.map_or(String::new(), |checked| {
        format!(
            "; one of {} elements, {} of them lost, is checked to heap {}",
            checked.order,
            checked.lost,
            checked.below - 1
        )
    });
    let found = match wild {
        Some(heap) => format!(
            "{name}: heap {heap} is wild, so that no labels of tame games decide its sums, and no finite \
             quotient was proved to do so{checked}"
        ),
        None => format!(
            "{name}: all heaps below {below} are tame, and nothing proves that all others are"
        ),
    };
    match stopped {
        Stopped::Upto => format!("{found}; --upto allows to look further"),
        Stopped::Undecided(why) => {
            format!(
                "{found}: {}",
                undecided(std::slice::from_ref(game), why, reached)
            )
        }
    }
}

/// What a quick look says of a game in misère play, in one line; `None` if its sums have no labels.
pub fn misere_summary(report: &LawReport, wild: Option<u64>) -> Option<String> {
    let said = match report {
        LawReport::Proved(proved) => {
            let Law::Misere(law) = proved.theorem.law() else {
                return None;
            };
            let (preperiod, period) = (law.labels.preperiod, law.labels.period);
            let kind = match wild {
                Some(heap) => format!("wild from heap {heap}, and decided for ever"),
                None => "tame for ever".to_owned(),
            };
            let quotient = misere::order(law).map_or(String::new(), |(order, lost)| {
                format!(", by a quotient of {order} elements, {lost} of them lost")
            });
            format!("{kind}{quotient}; labels of period {period} from heap {preperiod}, proved")
        }
        LawReport::Unlabelled {
            wild: Some(heap),
            checked,
            ..
        } => {
            let checked = checked.map_or(String::new(), |checked| {
                format!(
                    ", but one of {} elements, {} of them lost, is checked to heap {}",
                    checked.order,
                    checked.lost,
                    checked.below - 1
                )
            });
            format!("wild from heap {heap}; a quick look proves no quotient{checked}")
        }
        LawReport::Unlabelled { below, .. } if *below > 0 => {
            format!(
                "tame up to heap {}; a quick look proves nothing of others",
                below - 1
            )
        }
        _ => return None,
    };
    Some(format!("in misère play: {said}"))
}

/// Why nothing is said of a game in misère play.
pub fn no_labels(game: &Ruleset, why: &NoSequence, reached: &dyn Fn(Limit) -> Reached) -> String {
    let name = argument::name(game);
    let because = match why {
        NoSequence::NoValues(NoValues::Compound) => {
            "components are not played one at a time".to_owned()
        }
        NoSequence::NoValues(NoValues::Endings) => {
            "a component that ends stops the whole sum".to_owned()
        }
        NoSequence::NoValues(NoValues::Joint) => "a move may take several components".to_owned(),
        NoSequence::NoValues(reason) => no_values(*reason).to_owned(),
        NoSequence::Clause(clause) => {
            let why = Undecided::NotSolved(*clause);
            return undecided(std::slice::from_ref(game), &why, reached);
        }
        NoSequence::NotHeaps => "its components are not heaps of one number".to_owned(),
        NoSequence::Endless => ENDLESS.to_owned(),
    };
    format!(
        "{name}: no quotient decides sums of this game in misère play as looked for here: {because}"
    )
}

/// A genus: `4^146`; for a game like sums of heaps of Nim, or equal to one, only as far as it tells more.
pub fn genus(heap: &Heap) -> String {
    let Genus { normal, misere } = &heap.genus;
    let plain = match heap.kind {
        Kind::Nimber => true,
        Kind::Tame => heap.genus.is_fickle(),
        Kind::Wild => false,
    };
    if plain {
        normal.to_string()
    } else if heap.kind == Kind::Tame {
        format!("{normal}^{normal}")
    } else {
        // Digits above 9 would run together.
        let separator = if misere.iter().any(|digit| *digit > 9) {
            ","
        } else {
            ""
        };
        let digits: Vec<String> = misere.iter().map(ToString::to_string).collect();
        format!("{normal}^{}", digits.join(separator))
    }
}

/// A game in canonical form: the size of a heap of Nim; `G[n]` for the sum of `G` and a heap of Nim of `n`;
/// `G#` for a game with the only option `G`; or the options in brackets.
pub fn form(form: &Form) -> String {
    match form {
        Form::Nimber(size @ 0..10) => size.to_string(),
        Form::Nimber(size) => format!("({size})"),
        Form::Sum(inner, size) => format!("{}[{size}]", self::form(inner)),
        Form::Options(options) if options.len() == 1 => format!("{}#", self::form(&options[0])),
        Form::Options(options) => {
            let options: String = options.iter().map(self::form).collect();
            format!("({options})")
        }
        Form::Large => "…".to_owned(),
    }
}

/// What kind of game a heap is.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Nimber => "a heap of Nim",
        Kind::Tame => "tame",
        Kind::Wild => "wild",
    }
}

/// The headings of the list of heaps in misère play.
pub const MISERE_HEADINGS: [&str; 6] = [
    "heap",
    "outcome",
    "value",
    "genus",
    "kind",
    "canonical form",
];

/// A heap in misère play, as the words of a row of the list.
pub fn misere_heap(size: usize, heap: &Heap) -> [String; 6] {
    let outcome = match heap.outcome {
        Outcome::P => "lost",
        Outcome::N => "won",
        Outcome::Draw => "drawn",
    };
    [
        size.to_string(),
        outcome.to_owned(),
        heap.genus.misere[0].to_string(),
        genus(heap),
        kind(heap.kind).to_owned(),
        form(&heap.form),
    ]
}

/// The list of heaps ends early.
pub fn misere_ended(next: usize) -> String {
    format!("from heap {next} on the games are too large to be worked out one by one")
}
