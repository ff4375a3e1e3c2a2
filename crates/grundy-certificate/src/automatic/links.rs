//! Pointer laws of any rules that leave one heap: what must hold of heaps for their values to follow the pointers.
//!
//! A law says of each heap that it is *new*, with a value, or *points* to a smaller heap whose value it has. The values grow
//! without bound and no automaton need relate them to their heaps; but new heaps are told by their residues, and which
//! heap points to which is linear, so statements about heaps can be decided.
//!
//! **Theorem.** Let each move leave one heap, smaller than the one before. Let each heap be new or point to a smaller one, let no
//! two new heaps have the same value, and let for each new heap of positive value `v` a smaller new heap have the value
//! `v - 1`. Say that two heaps *agree* if at most `d` pointers lead from each to some common one; each agrees with itself.
//! Say that two heaps are *apart* if one is an option of the other, or if one is new and the other one is smaller. If
//!
//! 1. for each heap `n` that points to `q`, and each option `m` of `n`, at most `d` pointers lead from `m` and from `q` to two
//!    heaps that are apart;
//! 2. for each heap `n` that points to `q`, each option of `q` agrees with an option of `n`;
//! 3. for each new heap `n` of positive value, the new heap `p` of the value one less, and each option of `p`,
//!    agree with an option of `n`;
//!
//! then the values of the law are the Grundy values.
//!
//! **Proof.** Following pointers ends at a new heap, the root, which is no larger and has the same value; heaps of one value
//! have one root. By induction on `n`: (a) no option of `n` has the value of `n`, and (b) each smaller value is the value
//! of an option of `n`.
//!
//! (a) If `n` is new, it is its own root, and the root of a smaller heap is smaller. Let `n` point to `q`, and let an option
//! `m` have the value of `n`, so that of `q`. By (1) there are heaps `a` and `b`, no larger than `m` and `q`, so smaller
//! than `n`, with that value too, and apart. If one is an option of the other, that contradicts (a) for the larger of them. If one
//! is new and the other one smaller, their roots differ.
//!
//! (b) Heaps that agree have one value. If `n` points to `q`, by (b) for `q` an option of `q` has the wanted value, and by
//! (2) an option of `n`. If `n` is new and `p` as in (3), then the wanted value is that of `p` or smaller than that, so
//! by (b) for `p` that of an option of `p`, and by (3) that of an option of `n`. ∎

use grundy_rules::{Meter, Ruleset};
use num_bigint::BigInt;
use num_traits::One;

use super::formula::{Atom, Formula, Fresh, Term, Variable};
use super::numeration::{Automaton, Numeration, Order};
use super::obligations::{Builder, Goal, MOST_COMPONENTS, Obligations};
use super::play::{Game, Together};
use super::{Language, Says, language, verify};
use crate::law::{PointerClass, Pointers};
use crate::refusal::{Reason, Stop};

/// How many links, residue classes and heaps before them a proof may speak of.
const MOST_LINKS: usize = 16;
const MOST_CLASSES: usize = 64;
const MOST_START: usize = 256;

/// What shows that a pointer law holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinksProof {
    /// How many pointers lead at most to what is compared.
    pub links: usize,
    /// How heaps are written.
    pub numeration: Numeration,
    /// Which end comes first.
    pub order: Order,
    /// The automata of what is defined on the way.
    pub defined: Vec<Automaton>,
    /// One list for each obligation.
    pub invariants: Vec<Vec<u64>>,
}

/// A relation of heaps that has an automaton.
#[derive(Clone, Copy)]
struct Named(usize);

impl Named {
    fn of(self, variables: &[Variable]) -> Formula {
        Formula::Atom(Atom::Accepted(self.0, variables.to_vec()))
    }
}

fn is(variable: Variable, term: &Term) -> Formula {
    Formula::equal(&Term::variable(variable), term)
}

fn is_less(less: Variable, more: Variable) -> Formula {
    Formula::less(&Term::variable(less), &Term::variable(more))
}

/// What the law says of each heap: the heap, and the value of a new one or the heap that it points to.
struct Table {
    x: Variable,
    new: Vec<Formula>,
    pointing: Vec<Formula>,
}

impl Table {
    fn new(law: &Pointers, x: Variable) -> Self {
        let mut table = Self {
            x,
            new: Vec::new(),
            pointing: Vec::new(),
        };
        let pair = |heap: &Term, other: &Term| Formula::all([is(0, heap), is(1, other)]);
        for (heap, value) in law.start.iter().enumerate() {
            let rest = is(x, &Term::number(0));
            let before = law.start[..heap].iter().rposition(|other| other == value);
            let (all, other) = match before {
                None => (&mut table.new, Term::number(*value)),
                Some(before) => (&mut table.pointing, Term::number(before)),
            };
            all.push(Formula::all([pair(&Term::number(heap), &other), rest]));
        }
        for (residue, class) in law.classes.iter().enumerate() {
            let affine = |times: u64, plus: i64| {
                let product = Term::variable(x).times(&BigInt::from(times));
                product.plus(&BigInt::one(), &Term::number(plus))
            };
            let (all, times, plus) = match *class {
                PointerClass::New { times, plus } => (&mut table.new, times, plus),
                PointerClass::Pointer { times, plus } => (&mut table.pointing, times, plus),
            };
            let residue = i64::try_from(residue).expect("classes are few");
            let late = Formula::at_most(&Term::number(law.start.len()), &Term::variable(0));
            let heap = affine(law.modulus, residue);
            all.push(Formula::all([pair(&heap, &affine(times, plus)), late]));
        }
        table
    }

    /// One of these alternatives, for some quotient.
    fn one_of(&self, all: &[Formula]) -> Formula {
        Formula::some(vec![self.x], Formula::any(all.iter().cloned()))
    }
}

impl Obligations {
    /// What must hold for the values of heaps to follow the pointers of a law, where up to so many pointers are followed.
    ///
    /// # Errors
    ///
    /// What puts the rules or the law outside of what machines can check.
    pub fn of_pointers(ruleset: &Ruleset, law: &Pointers, links: usize) -> Result<Self, Reason> {
        if !(1..=MOST_LINKS).contains(&links)
            || law.classes.len() > MOST_CLASSES
            || law.start.len() > MOST_START
        {
            return Err(Reason::TooLarge);
        }
        let mut fresh = Fresh(MOST_COMPONENTS);
        let game = Game::new(ruleset, 1, &mut fresh)?;
        let applies = game.ended.is_none()
            && !game.misere
            && game.together == Together::Some(1)
            && game.steps.iter().all(|step| step.parts.len() == 1);
        if !applies {
            return Err(Reason::Moves);
        }
        let mut heaps = Heaps::new(Builder::new(&game, Says::Value, fresh), law)?;
        heaps.are_told()?;
        let related = heaps.related(links)?;
        heaps.keep_values(&related)?;
        Ok(heaps.builder.finish())
    }
}

/// The relations of which everything is said, each of a heap and another number.
struct Heaps<'g> {
    builder: Builder<'g>,
    /// A new heap and its value.
    new: Named,
    /// A heap and the one to which it points.
    points: Named,
    /// A heap and an option.
    moves: Named,
    /// A new heap and the one of the value before.
    precedes: Named,
}

/// How heaps are related that few pointers lead from.
struct Related {
    leads: Named,
    agree: Named,
    apart: Named,
}

impl<'g> Heaps<'g> {
    fn new(mut builder: Builder<'g>, law: &Pointers) -> Result<Self, Reason> {
        builder.ends(&[vec![1]])?;
        let table = Table::new(law, builder.fresh.variable());
        let new = Named(builder.named(vec![0, 1], &table.one_of(&table.new))?);
        let points = Named(builder.named(vec![0, 1], &table.one_of(&table.pointing))?);
        let moved = builder.moved(&[0], &[1]);
        let moves = Named(builder.named(vec![0, 1], &moved)?);
        let [value, before] = [(); 2].map(|()| builder.fresh.variable());
        let next = Term::variable(before).plus(&BigInt::one(), &Term::number(1));
        let values = [new.of(&[0, value]), new.of(&[1, before]), is(value, &next)];
        let precedes = Formula::some(vec![value, before], Formula::all(values));
        let precedes = Named(builder.named(vec![0, 1], &precedes)?);
        Ok(Self {
            builder,
            new,
            points,
            moves,
            precedes,
        })
    }

    /// That each heap is new or points to a smaller one, and that values come in order.
    fn are_told(&mut self) -> Result<(), Reason> {
        let Self {
            builder,
            new,
            points,
            precedes,
            ..
        } = self;
        let [other, value] = [(); 2].map(|()| builder.fresh.variable());
        let told = Formula::any([
            Formula::some(vec![value], new.of(&[0, value])),
            Formula::some(vec![other], points.of(&[0, other])),
        ]);
        builder.imply(Goal::Total, &[0], &Formula::all([]), &told)?;
        let not_smaller = Formula::all([points.of(&[0, other]), is_less(other, 0).not()]);
        builder.never(Goal::Total, &[0], &not_smaller)?;
        let of_both = [new.of(&[0, value]), new.of(&[other, value])];
        let twice = Formula::all(of_both.into_iter().chain([is_less(other, 0)]));
        builder.never(Goal::Function, &[0], &twice)?;
        let positive = Formula::less(&Term::number(0), &Term::variable(value));
        let smaller = Formula::all([precedes.of(&[0, other]), is_less(other, 0)]);
        builder.imply(
            Goal::Total,
            &[0],
            &Formula::all([new.of(&[0, value]), positive]),
            &Formula::some(vec![other], smaller),
        )
    }

    /// Where at most so many pointers lead, and what that says of two heaps.
    fn related(&mut self, links: usize) -> Result<Related, Reason> {
        let Self {
            builder,
            new,
            points,
            moves,
            ..
        } = self;
        let [between, value] = [(); 2].map(|()| builder.fresh.variable());
        let stays = is(0, &Term::variable(1));
        let one = Formula::any([stays, points.of(&[0, 1])]);
        let mut leads = Named(builder.named(vec![0, 1], &one)?);
        for _ in 1..links {
            let more = Formula::all([leads.of(&[0, between]), points.of(&[between, 1])]);
            let longer = Formula::any([leads.of(&[0, 1]), Formula::some(vec![between], more)]);
            leads = Named(builder.named(vec![0, 1], &longer)?);
        }
        let common = Formula::all([leads.of(&[0, between]), leads.of(&[1, between])]);
        let agree = Formula::some(vec![between], common);
        let above = |heap, other| {
            let is_new = Formula::some(vec![value], new.of(&[heap, value]));
            Formula::all([is_new, is_less(other, heap)])
        };
        let apart = Formula::any([
            moves.of(&[0, 1]),
            moves.of(&[1, 0]),
            above(0, 1),
            above(1, 0),
        ]);
        Ok(Related {
            leads,
            agree: Named(builder.named(vec![0, 1], &agree)?),
            apart: Named(builder.named(vec![0, 1], &apart)?),
        })
    }

    /// The three conditions of the theorem.
    fn keep_values(&mut self, related: &Related) -> Result<(), Reason> {
        let Self {
            builder,
            points,
            moves,
            precedes,
            ..
        } = self;
        let Related {
            leads,
            agree,
            apart,
        } = related;
        let [target, option, from_target, from_option, same] =
            [(); 5].map(|()| builder.fresh.variable());
        let both = Formula::all([
            leads.of(&[option, from_option]),
            leads.of(&[target, from_target]),
            apart.of(&[from_option, from_target]),
        ]);
        builder.imply(
            Goal::Excluded,
            &[0],
            &Formula::all([points.of(&[0, target]), moves.of(&[0, option])]),
            &Formula::some(vec![from_option, from_target], both),
        )?;
        // An option of the heap that agrees with one of the target, or with that itself.
        let has = Formula::all([moves.of(&[0, same]), agree.of(&[same, option])]);
        let has = Formula::some(vec![same], has);
        let itself = is(option, &Term::variable(target));
        let of_target = moves.of(&[target, option]);
        for kept in [
            [points.of(&[0, target]), of_target.clone()],
            [precedes.of(&[0, target]), Formula::any([itself, of_target])],
        ] {
            builder.imply(Goal::Covered, &[0], &Formula::all(kept), &has)?;
        }
        Ok(())
    }
}

fn obligations(
    ruleset: &Ruleset,
    law: &Pointers,
    proof: &LinksProof,
) -> Result<(Obligations, Language), Stop> {
    let obligations = Obligations::of_pointers(ruleset, law, proof.links)?;
    let automata = [Automaton::of_no_number()]
        .into_iter()
        .chain(proof.defined.iter().cloned());
    let language = language(
        proof.numeration,
        proof.order,
        automata.collect(),
        &[&[0], obligations.defined().as_slice()].concat(),
    )?;
    Ok((obligations, language))
}

/// The obligations of a pointer law as text for another prover; that they are true is not verified.
pub(crate) fn export(
    ruleset: &Ruleset,
    law: &Pointers,
    proof: &LinksProof,
    prover: super::Prover,
) -> Result<String, Stop> {
    let (obligations, language) = obligations(ruleset, law, proof)?;
    Ok(super::export::export(&obligations, &language, prover)?)
}

/// Verifies that the values of these rules follow the pointers of a law.
pub(crate) fn check(
    ruleset: &Ruleset,
    law: &Pointers,
    proof: &LinksProof,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let (obligations, language) = obligations(ruleset, law, proof)?;
    verify(&obligations, &language, &proof.invariants, meter)
}
