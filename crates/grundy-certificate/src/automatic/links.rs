//! Laws that say of each heap its value, or a smaller heap of the same value: a digit recursion.
//!
//! Such values need not be related to their heaps by an automaton: with `g(2x) = x` and `g(2x + 1) = g(x)` the two numbers
//! have different lengths again and again. So the obligations speak of heaps only, and of which of them have equal
//! values by few links.
//!
//! **Theorem.** Each heap is *new*, and the law says its value, or *linked*, and the law says a smaller heap, its target; let
//! `G(n)` be the value of the new heap to which the links lead from `n`. Let
//!
//! - *(ascending)* larger new heaps have larger values, and *(dense)* a new heap of value `v > 0` is accompanied by one of
//!   value `v - 1`;
//! - *(zeros)* a set `Z` hold, of the new heaps, those of value 0, and of the linked ones those whose target it holds.
//!
//! So `n` is in `Z` iff `G(n) = 0`. There need be no such set: then every condition that asks a heap to be in `Z`, or not to be
//! in it, counts as false. Let `d` be a number; call two heaps *joined* if at most `d` links lead from each of them to a common heap, or if
//! both are in `Z`. Joined heaps have equal `G`. A move leaves at most two heaps, each
//! *(ends)* smaller than the one it is made from. Say that `n` *has* `x` if a move from `n` leaves `x` alone, or `x` and a
//! heap in `Z`, or nothing, where `x = 0`: then the option is worth `G(x)`. Choose for each heap some of what it has, and say that it
//! *shows* these. Let
//!
//! - *(covered)* a new heap `n` of value `v + 1` show a heap joined to the new heap `k` of value `v`, and to each heap that `k`
//!   shows; and a linked heap with the target `m` show a heap joined to each that `m` shows;
//! - *(excluded)* for each `x` that a linked heap with the target `m` has, one of `x` and `m`, but not both, be in `Z`; or at most `d`
//!   links lead from `x` and from `m` to two heaps that are *apart*: one of them has the other, or is new and larger;
//! - *(excluded, in two)* for each move from `n` that leaves two heaps `a` and `b`, unless one of them is in `Z`: `a` and `b` be
//!   joined, and `n` not be in `Z`; or `n` be joined to `a`, and `b` not be in `Z`, or the other way round; or `n` be new of a value above
//!   `u + w`, where `u` is a heap joined to `a`, or the value of a new one, and `w` likewise of `b`.
//!
//! Then `G` gives the Grundy values.
//!
//! **Proof.** The values of new heaps ascend and leave none out, so for a new heap `r` of value `v` the values `0` to `v - 1` belong to
//! smaller new heaps, and `v <= r`. A link leads down: hence `G(n) <= n`. By induction on `n`: *the Grundy value of
//! `n` is `G(n)`, no option of `n` is worth `G(n)`, and for each `v < G(n)` it shows an `x` with `G(x) = v`.* The options of `n`
//! are worth the exclusive or of `G` of their heaps, by induction. Let first `n` be new. It has no `x` with `G(x) = G(n)`: `x` leads to
//! a new heap of at most `x < n`, of smaller value. What it shows: `G(n) - 1 = G(k)` for the new heap `k < n` of that value, and with
//! what is joined to what `k` shows all that is smaller. Let now `n` be linked to `m < n`. With what is joined to what `m` shows it
//! shows all values below `G(m) = G(n)`. Let it have `x`. If one of `x`
//! and `m` is worth 0 and the other one not, `G` differs. If links lead from `x` and `m` to `a` and `b`, these are smaller than `n`. Let them be apart. Then `G(a)`
//! and `G(b)` differ: by induction for `a` if it has `b`; and if `a` is new and larger than `b`, then `b` leads to a smaller new heap
//! than `a`, of another value; likewise the other way round. Last, let a move leave `a` and `b`, neither of them in `Z`. It is worth 0 and not `G(n)` if they are joined
//! and `n` is not in `Z`; if `n` is joined to one of them, it is worth something else than `G(n)`, as the other one is
//! not worth 0; and it is worth at most `G(a) + G(b) <= u + w < G(n)` in the third case. ∎
//!
//! Where a condition does not hold the law may be right all the same: with more links, other shown heaps, or a reason
//! that is not among these.

use num_bigint::BigInt;
use num_traits::Zero;

use grundy_rules::{Meter, Ruleset};

use super::formula::{Atom, FALSE, Formula, Fresh, Term, Variable, clauses};
use super::invariant::Invariant;
use super::machine::Language;
use super::numeration::{Automaton, Numeration, Order};
use super::obligations::{Goal, Obligations, Stated};
use super::play::{Game, Together};
use crate::law::{Law, PointerClass, Pointers};
use crate::recursion::{Case, Recursion};
use crate::refusal::{Falsehood, Reason, Stop};

/// What shows that a law of values and links holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinksProof {
    /// How numbers are written.
    pub numeration: Numeration,
    /// Which end comes first.
    pub order: Order,
    /// What is chosen of the theorem's conditions.
    pub choice: Choice,
    /// Accepts the heaps of value 0, if an automaton does and it is needed.
    pub zeros: Option<Automaton>,
    /// The automata of what is defined on the way.
    pub defined: Vec<Automaton>,
    /// One list for each obligation; what it says depends on the machines.
    pub invariants: Vec<Vec<u64>>,
}

impl LinksProof {
    /// A proof with these invariants.
    pub fn new(
        numeration: Numeration,
        order: Order,
        choice: Choice,
        zeros: Option<Automaton>,
        defined: Vec<Automaton>,
        invariants: &[Invariant],
    ) -> Self {
        Self {
            numeration,
            order,
            choice,
            zeros,
            defined,
            invariants: invariants.iter().map(Invariant::to_numbers).collect(),
        }
    }
}

/// What of the theorem's conditions is open to choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// `2^doublings` links are followed at most.
    pub doublings: u32,
    /// Whether moves that leave two heaps, one of value 0, show the other.
    pub splits: bool,
    /// Whether an automaton says which heaps have the value 0.
    pub zeros: bool,
}

/// How often links may be doubled.
const MOST_DOUBLINGS: u32 = 4;
/// How many cases a law may have.
const MOST_CASES: usize = 1 << 8;

/// What a law says of some heaps `n`: that `(times * n + plus) / over` is their value, or a smaller heap of the same value.
struct Line {
    /// Of which; `n` is variable 0.
    of: Formula,
    is_new: bool,
    times: BigInt,
    plus: BigInt,
    over: BigInt,
}

/// The lines of a law, and the automata of which they speak.
fn lines(law: &Law) -> Result<(Vec<Line>, Vec<Automaton>), Reason> {
    match law {
        Law::Pointers(law) => Ok((by_residue(law)?, Vec::new())),
        Law::Recursion(law) => by_digits(law),
        _ => Err(Reason::LawKind),
    }
}

fn by_digits(law: &Recursion) -> Result<(Vec<Line>, Vec<Automaton>), Reason> {
    if law.cases.len() > MOST_CASES {
        return Err(Reason::TooLarge);
    }
    let line = |(index, case): (usize, &Case)| Line {
        of: accepted(index, &[0]),
        is_new: case.is_new,
        times: case.times.into(),
        plus: case.plus.into(),
        over: case.over.into(),
    };
    let lines = law.cases.iter().enumerate().map(line).collect();
    let automata = (0u32..).zip(&law.cases);
    let automata = automata.map(|(case, _)| law.automaton(case)).collect();
    Ok((lines, automata))
}

/// `n = modulus * x + r` turns `times * x + plus` into `(times * (n - r) + plus * modulus) / modulus`.
fn by_residue(law: &Pointers) -> Result<Vec<Line>, Reason> {
    let modulus = u32::try_from(law.modulus).map_err(|_| Reason::TooLarge)?;
    if law.start.len() + law.classes.len() > MOST_CASES {
        return Err(Reason::TooLarge);
    }
    let n = Term::variable(0);
    let exact = |heap: usize| Formula::equal(&n, &Term::number(heap));
    let start = law.start.iter().enumerate().map(|(heap, value)| {
        let earlier = law.start[..heap].iter().rposition(|other| other == value);
        Line {
            of: exact(heap),
            is_new: earlier.is_none(),
            times: BigInt::zero(),
            plus: earlier.map_or_else(|| BigInt::from(*value), BigInt::from),
            over: BigInt::from(1),
        }
    });
    let from = Formula::at_most(&Term::number(law.start.len()), &n);
    let classes = law.classes.iter().enumerate().map(|(residue, class)| {
        let (is_new, times, plus) = match *class {
            PointerClass::New { times, plus } => (true, times, plus),
            PointerClass::Pointer { times, plus } => (false, times, plus),
        };
        let rest = n.minus(&Term::number(residue));
        let congruent = if modulus == 1 {
            Formula::all([])
        } else {
            Formula::Atom(Atom::Multiple(modulus, rest))
        };
        Line {
            of: Formula::all([congruent, from.clone()]),
            is_new,
            plus: BigInt::from(plus) * modulus - BigInt::from(times) * residue,
            times: times.into(),
            over: modulus.into(),
        }
    });
    Ok(start.chain(classes).collect())
}

/// The automata of what the obligations speak of, by their indices.
struct Names {
    new: usize,
    linked: usize,
    leads: usize,
    joined: usize,
    has: usize,
    apart: usize,
    shows: usize,
    at_most: usize,
}

/// The heap of which an obligation speaks.
const HEAP: Variable = 0;

fn accepted(index: usize, of: &[Variable]) -> Formula {
    Formula::Atom(Atom::Accepted(index, of.to_vec()))
}

struct Builder<'g> {
    game: &'g Game,
    stated: Stated,
    /// The index of the automaton of the heaps of value 0.
    zeros: Option<usize>,
}

impl Builder<'_> {
    /// That a heap is known to have the value 0.
    fn zero(&self, heap: Variable) -> Formula {
        self.zeros.map_or(FALSE, |zeros| accepted(zeros, &[heap]))
    }

    /// That a heap is known to have another value.
    fn positive(&self, heap: Variable) -> Formula {
        self.zeros
            .map_or(FALSE, |zeros| accepted(zeros, &[heap]).not())
    }

    /// That one of two heaps is known to have the value 0, and the other one another.
    fn one_is_zero(&self, x: Variable, y: Variable) -> Formula {
        Formula::any([
            Formula::all([self.zero(x), self.positive(y)]),
            Formula::all([self.positive(x), self.zero(y)]),
        ])
    }

    fn define(&mut self, of: &[Variable], formula: &Formula) -> Result<usize, Reason> {
        let clauses = clauses(formula, &mut self.stated.definitions)?;
        Ok(self.stated.definitions.add(of.to_vec(), clauses))
    }

    /// That the law says `m` of the heap `n`, of new heaps or of the others.
    fn said(&mut self, lines: &[Line], is_new: bool, [n, m]: [Variable; 2]) -> Formula {
        let lines = lines.iter().filter(|line| line.is_new == is_new);
        let each = lines.map(|line| {
            let term = |factor: &BigInt, variable| Term::variable(variable).times(factor);
            let right = term(&line.times, n).plus(&1.into(), &Term::number(line.plus.clone()));
            let mut all = vec![
                self.stated.about(&line.of, &[n], &[]),
                Formula::equal(&term(&line.over, m), &right),
            ];
            if !is_new {
                all.push(Formula::less(&Term::variable(m), &Term::variable(n)));
            }
            Formula::all(all)
        });
        Formula::any(each.collect::<Vec<_>>())
    }

    /// The moves that leave so many heaps, with these.
    fn moves(&mut self, n: Variable, parts: usize) -> Vec<(Formula, Vec<Variable>)> {
        let game = self.game;
        let steps = game.steps.iter().filter(|step| step.parts.len() == parts);
        let each = steps.map(|step| {
            let new = self.stated.fresh.several(parts);
            let pairs: Vec<(&[Variable], &[Variable])> = step
                .parts
                .iter()
                .zip(new.chunks(1))
                .map(|(old, new)| (old.as_slice(), new))
                .collect();
            (self.stated.about(&step.holds, &[n], &pairs), new)
        });
        each.collect()
    }

    /// That a move from `n` leaves `x` alone, or nothing where `x` is 0, or also a heap of value 0.
    fn has(&mut self, [n, x]: [Variable; 2], splits: bool) -> Formula {
        let is = |part: Variable| Formula::equal(&Term::variable(part), &Term::variable(x));
        let mut any = Vec::new();
        for (holds, _) in self.moves(n, 0) {
            let nothing = Formula::equal(&Term::variable(x), &Term::default());
            any.push(Formula::all([holds, nothing]));
        }
        for (holds, parts) in self.moves(n, 1) {
            let all = Formula::all([holds, is(parts[0])]);
            any.push(Formula::some(parts, all));
        }
        for side in 0..if splits { 2 } else { 0 } {
            for (holds, parts) in self.moves(n, 2) {
                let nil = self.zero(parts[1 - side]);
                let all = Formula::all([holds, nil, is(parts[side])]);
                any.push(Formula::some(parts, all));
            }
        }
        Formula::any(any)
    }

    /// Defines all that the obligations speak of.
    fn names(&mut self, lines: &[Line], choice: Choice) -> Result<Names, Reason> {
        let [x, y, z] = [0, 1, 2].map(|_| self.stated.fresh.variable());
        let of_new = self.said(lines, true, [x, y]);
        let new = self.define(&[x, y], &of_new)?;
        let of_linked = self.said(lines, false, [x, y]);
        let linked = self.define(&[x, y], &of_linked)?;
        let one = Formula::any([
            Formula::equal(&Term::variable(x), &Term::variable(y)),
            accepted(linked, &[x, y]),
        ]);
        let mut leads = self.define(&[x, y], &one)?;
        for _ in 0..choice.doublings {
            let both = Formula::all([accepted(leads, &[x, z]), accepted(leads, &[z, y])]);
            leads = self.define(&[x, y], &Formula::some(vec![z], both))?;
        }
        let common = Formula::all([accepted(leads, &[x, z]), accepted(leads, &[y, z])]);
        let of_joined = Formula::any([
            Formula::some(vec![z], common),
            Formula::all([self.zero(x), self.zero(y)]),
        ]);
        let joined = self.define(&[x, y], &of_joined)?;
        let of_has = self.has([x, y], true);
        let has = self.define(&[x, y], &of_has)?;
        let above = |heap: Variable, other: Variable| {
            let smaller = Formula::less(&Term::variable(other), &Term::variable(heap));
            let is_new = Formula::some(vec![z], accepted(new, &[heap, z]));
            Formula::all([is_new, smaller])
        };
        let of_apart = Formula::any([
            accepted(has, &[x, y]),
            accepted(has, &[y, x]),
            above(x, y),
            above(y, x),
        ]);
        let apart = self.define(&[x, y], &of_apart)?;
        let is_split = self.game.steps.iter().any(|step| step.parts.len() == 2);
        let shows = if choice.splits || !is_split {
            has
        } else {
            let shown = self.has([x, y], false);
            self.define(&[x, y], &shown)?
        };
        let at_most = if is_split {
            let same = Formula::equal(&Term::variable(y), &Term::variable(z));
            let worth = Formula::any([same, accepted(new, &[z, y])]);
            let all = Formula::all([accepted(joined, &[x, z]), worth]);
            self.define(&[x, y], &Formula::some(vec![z], all))?
        } else {
            has
        };
        Ok(Names {
            new,
            linked,
            leads,
            joined,
            has,
            apart,
            shows,
            at_most,
        })
    }

    /// That each heap is new or linked, and what holds of new heaps and of those of value 0.
    fn law(&mut self, names: &Names) -> Result<(), Reason> {
        let [v, k, u] = [0, 1, 2].map(|_| self.stated.fresh.variable());
        let [of_n, of_k] =
            [(HEAP, v), (k, u)].map(|(heap, says)| accepted(names.new, &[heap, says]));
        let some = Formula::any([
            Formula::some(vec![v], of_n.clone()),
            Formula::some(vec![k], accepted(names.linked, &[HEAP, k])),
        ]);
        self.stated
            .imply(Goal::Total, &[HEAP], &Formula::all([]), &some)?;
        let [v_term, u_term] = [v, u].map(Term::variable);
        let falls = Formula::all([
            of_n.clone(),
            of_k.clone(),
            Formula::less(&Term::variable(k), &Term::variable(HEAP)),
            Formula::at_most(&v_term, &u_term),
        ]);
        self.stated.never(Goal::Function, &[HEAP], &falls)?;
        let positive = Formula::less(&Term::default(), &v_term);
        let next = u_term.plus(&1.into(), &Term::number(1));
        let before = Formula::all([of_k, Formula::equal(&v_term, &next)]);
        self.stated.imply(
            Goal::Function,
            &[HEAP],
            &Formula::all([of_n.clone(), positive.clone()]),
            &Formula::some(vec![k, u], before),
        )?;
        let wrong = [
            Formula::all([of_n.clone(), positive.clone(), self.zero(HEAP)]),
            Formula::all([of_n, positive.not(), self.positive(HEAP)]),
            Formula::all([
                accepted(names.linked, &[HEAP, k]),
                self.one_is_zero(HEAP, k),
            ]),
        ];
        for wrong in wrong {
            self.stated.never(Goal::Function, &[HEAP], &wrong)?;
        }
        Ok(())
    }

    /// That what moves leave is smaller.
    fn ends(&mut self, names: &Names) -> Result<(), Reason> {
        let no_smaller =
            |part: Variable| Formula::at_most(&Term::variable(HEAP), &Term::variable(part));
        let x = self.stated.fresh.variable();
        let bad = Formula::all([accepted(names.has, &[HEAP, x]), no_smaller(x)]);
        self.stated.never(Goal::Ends, &[HEAP], &bad)?;
        for (holds, parts) in self.moves(HEAP, 2) {
            let any = Formula::any(parts.iter().map(|part| no_smaller(*part)));
            let bad = Formula::some(parts, Formula::all([holds, any]));
            self.stated.never(Goal::Ends, &[HEAP], &bad)?;
        }
        Ok(())
    }

    fn covered(&mut self, names: &Names) -> Result<(), Reason> {
        let [value, other, less, left, same] = [0; 5].map(|_: u8| self.stated.fresh.variable());
        let next = Term::variable(less).plus(&1.into(), &Term::number(1));
        let follows = Formula::all([
            accepted(names.new, &[HEAP, value]),
            accepted(names.new, &[other, less]),
            Formula::equal(&Term::variable(value), &next),
        ]);
        let shows = |heap: Variable| {
            let both = [
                accepted(names.shows, &[HEAP, same]),
                accepted(names.joined, &[heap, same]),
            ];
            Formula::some(vec![same], Formula::all(both))
        };
        let of_other = accepted(names.shows, &[other, left]);
        let linked = accepted(names.linked, &[HEAP, other]);
        let all = [
            (follows.clone(), other),
            (Formula::all([follows, of_other.clone()]), left),
            (Formula::all([linked, of_other]), left),
        ];
        for (given, heap) in all {
            self.stated
                .imply(Goal::Covered, &[HEAP], &given, &shows(heap))?;
        }
        Ok(())
    }

    fn excluded(&mut self, names: &Names) -> Result<(), Reason> {
        let [target, option, one, other] = [0; 4].map(|_: u8| self.stated.fresh.variable());
        let given = Formula::all([
            accepted(names.linked, &[HEAP, target]),
            accepted(names.has, &[HEAP, option]),
        ]);
        let apart = Formula::all([
            accepted(names.leads, &[option, one]),
            accepted(names.leads, &[target, other]),
            accepted(names.apart, &[one, other]),
        ]);
        let reasons = Formula::any([
            Formula::some(vec![one, other], apart),
            self.one_is_zero(option, target),
        ]);
        self.stated
            .imply(Goal::Excluded, &[HEAP], &given, &reasons)?;
        Ok(())
    }

    fn excluded_in_two(&mut self, names: &Names) -> Result<(), Reason> {
        for (holds, parts) in self.moves(HEAP, 2) {
            let [value, u, w] = [0; 3].map(|_: u8| self.stated.fresh.variable());
            let [a, b] = [parts[0], parts[1]];
            let joined = |x: Variable, y: Variable| accepted(names.joined, &[x, y]);
            let sum = Term::variable(u).plus(&1.into(), &Term::variable(w));
            let less = Formula::some(
                vec![value, u, w],
                Formula::all([
                    accepted(names.new, &[HEAP, value]),
                    accepted(names.at_most, &[a, u]),
                    accepted(names.at_most, &[b, w]),
                    Formula::less(&sum, &Term::variable(value)),
                ]),
            );
            let reasons = Formula::any([
                Formula::all([joined(a, b), self.positive(HEAP)]),
                Formula::all([joined(HEAP, a), self.positive(b)]),
                Formula::all([joined(HEAP, b), self.positive(a)]),
                less,
            ]);
            let given = Formula::all([holds, self.zero(a).not(), self.zero(b).not()]);
            self.stated
                .imply(Goal::Excluded, &[HEAP], &given, &reasons)?;
        }
        Ok(())
    }
}

impl Obligations {
    /// What must hold of a law of values and links, and the automata of the law itself, to which that of the heaps of value
    /// 0 must be added.
    ///
    /// # Errors
    ///
    /// What puts the rules or the law outside of the theorem, or of what machines can check.
    pub fn of_links(
        ruleset: &Ruleset,
        law: &Law,
        choice: Choice,
    ) -> Result<(Self, Vec<Automaton>), Reason> {
        let mut fresh = Fresh(1);
        let game = Game::new(ruleset, 1, &mut fresh)?;
        let applies = game.ended.is_none()
            && !game.misere
            && game.together == Together::Some(1)
            && game.steps.iter().all(|step| step.parts.len() <= 2);
        if !applies {
            return Err(Reason::Moves);
        }
        if choice.doublings > MOST_DOUBLINGS {
            return Err(Reason::TooLarge);
        }
        let (lines, automata) = lines(law)?;
        let of_law = automata.len();
        let mut builder = Builder {
            game: &game,
            stated: Stated::new(of_law + usize::from(choice.zeros), fresh),
            zeros: choice.zeros.then_some(of_law),
        };
        let names = builder.names(&lines, choice)?;
        builder.law(&names)?;
        builder.ends(&names)?;
        builder.covered(&names)?;
        builder.excluded(&names)?;
        builder.excluded_in_two(&names)?;
        Ok((builder.stated.obligations(), automata))
    }
}

/// What must hold of such a law, and the machines' language.
pub(super) fn obligations(
    ruleset: &Ruleset,
    law: &Law,
    proof: &LinksProof,
) -> Result<(Obligations, Language), Stop> {
    if proof.choice.zeros != proof.zeros.is_some() {
        return Err(Falsehood::Automaton.into());
    }
    if let Law::Recursion(law) = law {
        let written = (Numeration::Base(law.base), law.order);
        let places = law
            .case_of
            .iter()
            .all(|case| (*case as usize) < law.cases.len());
        if written != (proof.numeration, proof.order) || !places {
            return Err(Falsehood::Automaton.into());
        }
    }
    let (obligations, mut automata) = Obligations::of_links(ruleset, law, proof.choice)?;
    automata.extend(proof.zeros.clone());
    let tracks = vec![1; automata.len()].into_iter();
    let tracks = tracks.chain(obligations.defined());
    automata.extend(proof.defined.iter().cloned());
    let language = super::language(proof.numeration, proof.order, automata, tracks)?;
    Ok((obligations, language))
}

/// Verifies that a law is the law of these rules.
pub(crate) fn check(
    ruleset: &Ruleset,
    law: &Law,
    proof: &LinksProof,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let (obligations, language) = obligations(ruleset, law, proof)?;
    super::verify(&obligations, &language, &proof.invariants, meter)
}
