//! What a rule makes of a component, sums of terms and updates of a row; and the pieces of a claim.

use crate::fault::{Diagnostic, Fault};
use crate::ruleset::{
    Alternative, Change, Piece, Place, ResultTerm, SeriesRange, Span, Update, Variable,
};
use crate::tree::{ChangeTree, Name, Node, PieceTree, PlaceTree, Term, UpdateTree};
use std::collections::BTreeSet;

use super::{Failed, LineResolver, Resolved};

impl LineResolver<'_, '_> {
    /// Resolves alternatives and checks that all use the same choices.
    pub(super) fn alternatives<T>(
        &mut self,
        alternatives: &[T],
        mut resolve: impl FnMut(&mut Self, &T) -> Resolved<Alternative>,
    ) -> Resolved<Vec<Alternative>> {
        self.in_result = true;
        let mut resolved = Vec::new();
        let mut choices = Vec::new();
        for alternative in alternatives {
            self.used.clear();
            resolved.push(resolve(self, alternative));
            choices.push(std::mem::take(&mut self.used));
        }
        self.in_result = false;
        let resolved = resolved.into_iter().collect::<Resolved<Vec<_>>>()?;
        let everywhere = choices.iter().fold(None, |common, used| match common {
            None => Some(used.clone()),
            Some(common) => Some(&common & used),
        });
        let anywhere: BTreeSet<Variable> = choices.into_iter().flatten().collect();
        let everywhere = everywhere.unwrap_or_default();
        let missing: Vec<Variable> = anywhere.difference(&everywhere).copied().collect();
        for variable in &missing {
            let scoped = &self.scope.names[variable.0];
            let fault = Fault::ChoiceNotEverywhere {
                name: scoped.name.clone(),
            };
            self.faults.push(Diagnostic::new(scoped.span, fault));
        }
        if missing.is_empty() {
            Ok(resolved)
        } else {
            Err(Failed)
        }
    }

    pub(super) fn sum(&mut self, terms: &[Term]) -> Resolved<Alternative> {
        let terms: Vec<Resolved<ResultTerm>> = terms.iter().map(|term| self.term(term)).collect();
        Ok(Alternative::Sum(
            terms.into_iter().collect::<Resolved<_>>()?,
        ))
    }

    fn term(&mut self, term: &Term) -> Resolved<ResultTerm> {
        match term {
            Term::Component(shape) => Ok(ResultTerm::Component(self.template(shape)?)),
            Term::Copies(count, shape) => {
                let count = self.number(count);
                let template = self.template(shape);
                Ok(ResultTerm::Copies {
                    count: count?,
                    template: template?,
                })
            }
            Term::Series(shape, ranges) => {
                let outside = self.bound.len();
                let ranges = self.ranges(ranges);
                let template = ranges.is_ok().then(|| self.template(shape));
                self.bound.truncate(outside);
                Ok(ResultTerm::Series {
                    ranges: ranges?,
                    template: template.unwrap_or(Err(Failed))?,
                })
            }
        }
    }

    /// Each range may speak of the variables of the ranges before it.
    fn ranges(&mut self, ranges: &[(Name, Node, Node)]) -> Resolved<Vec<SeriesRange>> {
        let mut resolved = Vec::new();
        for (name, from, to) in ranges {
            let from = self.number(from);
            let to = self.number(to);
            let variable = self.bind(name)?;
            resolved.push(SeriesRange {
                variable,
                from: from?,
                to: to?,
            });
        }
        Ok(resolved)
    }

    pub(super) fn updates(&mut self, updates: &[UpdateTree]) -> Resolved<Alternative> {
        let updates: Vec<Resolved<Update>> = updates.iter().map(|u| self.update(u)).collect();
        Ok(Alternative::Updates(
            updates.into_iter().collect::<Resolved<_>>()?,
        ))
    }

    fn update(&mut self, update: &UpdateTree) -> Resolved<Update> {
        match update {
            UpdateTree::Place(place, change) => {
                let place = self.place(place);
                let change = self.change(change);
                Ok(Update::Place {
                    place: place?,
                    change: change?,
                })
            }
            UpdateTree::Remove(place) => Ok(Update::Remove(self.place(place)?)),
            UpdateTree::Every(row, change) => {
                self.the_row(&row.text, row.span)?;
                Ok(Update::Every(self.change(change)?))
            }
            UpdateTree::Some(at_most, row, change) => {
                self.the_row(&row.text, row.span)?;
                let at_most = at_most.as_ref().map(|most| self.number(most)).transpose();
                let change = self.change(change);
                Ok(Update::Some {
                    at_most: at_most?,
                    change: change?,
                })
            }
        }
    }

    fn change(&mut self, change: &ChangeTree) -> Resolved<Change> {
        Ok((change.wrap)(self.number(&change.amount)?))
    }

    /// Checks that what is updated is the row.
    fn the_row(&mut self, name: &str, span: Span) -> Resolved<()> {
        match self.context.row {
            None => self.fault(span, Fault::NoRow),
            Some(row) if row.name != name => {
                let fault = Fault::NotTheRow {
                    name: name.to_owned(),
                    row: row.name.clone(),
                };
                self.fault(span, fault)
            }
            Some(_) => Ok(()),
        }
    }

    pub(super) fn place(&mut self, place: &PlaceTree) -> Resolved<Place> {
        match place {
            PlaceTree::Index(row, index) => {
                self.the_row(&row.text, row.span)?;
                Ok(Place::Index(self.number(index)?))
            }
            PlaceTree::First(span) | PlaceTree::Last(span) if self.context.row.is_none() => {
                self.fault(*span, Fault::NoRow)
            }
            PlaceTree::First(_) => Ok(Place::First),
            PlaceTree::Last(_) => Ok(Place::Last),
        }
    }
}

impl LineResolver<'_, '_> {
    pub(super) fn pieces(&mut self, pieces: &[PieceTree]) -> Resolved<Vec<Piece>> {
        let mut resolved = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            if place > 0 && pieces[place - 1].condition.is_none() {
                return self.fault(piece.span, Fault::PieceUnreachable);
            }
            let value = self.number(&piece.value)?;
            let condition = match &piece.condition {
                None => None,
                Some(condition) => Some(self.guard(condition)?),
            };
            resolved.push(Piece { value, condition });
        }
        Ok(resolved)
    }
}
