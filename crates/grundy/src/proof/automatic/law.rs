//! What a law says of the components of a game.

use grundy_automata::{Formula, NumerationSystem, Relation, Term, Variable};
use grundy_rules::Ruleset;
use grundy_rules::ruleset::{Claim, PatternItem, Piece, Start, Statement};

use super::moves::{Game, coordinates};
use super::outside::{Outside, Reason};
use super::translate::{Context, Held, Translator, conjunction, disjunction};

/// A law to be proved, of components with a fixed number of coordinates.
#[derive(Clone, Debug)]
pub struct Law {
    /// What it is about.
    pub says: Says,
    /// Of which numbers it holds.
    pub holds: Holds,
    /// How numbers are written in the proof.
    pub system: NumerationSystem,
}

/// What a law is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The Grundy value of a component: `(x…, g)`.
    Value,
    /// The same with `2^g` in the place of `g`, for values that grow with the number of digits.
    PowerOfValue,
    /// Which positions of so many components are lost: `(x…, y…, …)`.
    Lost {
        /// How many components.
        components: usize,
    },
}

impl Says {
    /// Whether the law relates a component to a number.
    pub fn has_value(self) -> bool {
        matches!(self, Self::Value | Self::PowerOfValue)
    }
}

/// A set of tuples of numbers.
#[derive(Clone, Debug)]
pub enum Holds {
    /// Those for which a formula of the variables `0, 1, …` holds.
    Formula(Formula),
    /// Those of a relation.
    Relation(Relation),
}

impl Law {
    /// The law that a claim states of all components with so many coordinates.
    ///
    /// A claim that a sum is lost iff a nim-sum vanishes is read as one about values: then it is true, but it may be true
    /// otherwise.
    ///
    /// It speaks of components as they are, and so of none that `start` completes.
    ///
    /// # Errors
    ///
    /// The clause that is outside what automata decide.
    pub fn of_claim(ruleset: &Ruleset, claim: &Claim, game: &Game) -> Result<Self, Outside> {
        let mut names = Vec::new();
        for item in &claim.pattern.items {
            match item {
                PatternItem::Variable(name) if !names.contains(name) => names.push(*name),
                _ => return Err(Reason::Pattern.at(claim.span)),
            }
        }
        let arity = names.len();
        let length = |start: &Start| start.pattern.items.len() == arity;
        if ruleset
            .starts
            .iter()
            .any(|start| start.has_rest() || length(start))
        {
            return Err(Reason::Start.at(claim.span));
        }
        let component: Vec<Term> = coordinates(0, arity).into_iter().map(Term::from).collect();
        let mut context = Context::new(arity + 1);
        let mut translator = Translator::new(ruleset, &claim.scope, &component);
        for (name, term) in names.iter().zip(&component) {
            translator.held[name.0] = Some(Held::Number(term.clone()));
        }
        let bound = translator.open_choices(&mut context);
        if !bound.is_empty() {
            return Err(Reason::Pattern.at(claim.span));
        }
        let value = coordinates(arity, 1)[0];
        let (says, formula) = match &claim.statement {
            Statement::Grundy(pieces) | Statement::LostSum(pieces) => {
                let formula = by_pieces(&translator, pieces, value, &mut context);
                (Says::Value, formula)
            }
            Statement::Lost(guard) => (
                Says::Lost { components: 1 },
                translator.guard(guard, &mut context),
            ),
        };
        let formula = formula.map_err(|reason| reason.at(claim.span))?;
        let mut needs = game.needs.and(&context.needs);
        needs.bits |= says == Says::Value && game.moves.keys().any(|parts| *parts > 1);
        let system = needs
            .system()
            .ok_or_else(|| Reason::Numeration.at(claim.span))?;
        Ok(Self {
            says,
            holds: Holds::Formula(formula),
            system,
        })
    }

    /// How many numbers it relates, of components with so many coordinates.
    pub(super) fn tracks(&self, arity: usize) -> usize {
        match self.says {
            Says::Value | Says::PowerOfValue => arity + 1,
            Says::Lost { components } => components * arity,
        }
    }
}

/// That the first piece whose condition holds gives this value.
fn by_pieces(
    translator: &Translator,
    pieces: &[Piece],
    value: Variable,
    context: &mut Context,
) -> Result<Formula, Reason> {
    let mut said = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let condition = match &piece.condition {
            Some(guard) => translator.guard(guard, context)?,
            None => Formula::Constant(true),
        };
        let cases = translator.cases(&piece.value, context)?.into_iter();
        let equal = cases.map(|case| {
            let equal = Formula::equal(value, case.value.clone());
            case.formula(conjunction(vec![condition.clone(), equal]))
        });
        said.push((disjunction(equal.collect()), condition));
    }
    Ok(first_of(&said))
}

/// What the first part says whose condition holds; of many, either one of the first half, or none of it and one of the
/// second, so that the formula is neither deep nor long.
fn first_of(said: &[(Formula, Formula)]) -> Formula {
    match said {
        [] => Formula::Constant(false),
        [(says, _)] => says.clone(),
        _ => {
            let (first, second) = said.split_at(said.len() / 2);
            let conditions = first.iter().map(|(_, condition)| condition.clone());
            let none = disjunction(conditions.collect()).negated();
            first_of(first).or(none.and(first_of(second)))
        }
    }
}
