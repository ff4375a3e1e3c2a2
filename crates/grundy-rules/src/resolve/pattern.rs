//! What a line is about: patterns on its left, templates on its right.

use crate::fault::{Diagnostic, Fault, Kind};
use crate::notation;
use crate::ruleset::{Expr, Pattern, PatternItem, Role, Span, Template, TemplateItem, Variable};
use crate::tree::{Item, NodeKind, Shape};
use num_bigint::{BigInt, BigUint};

use super::{Failed, LineResolver, Resolved};

impl LineResolver<'_, '_> {
    pub(super) fn pattern(&mut self, shape: &Shape) -> Resolved<Pattern> {
        let mut items = Vec::new();
        let mut failed = false;
        for item in &shape.items {
            match self.pattern_item(item, &mut items) {
                Ok(()) => {}
                Err(Failed) => failed = true,
            }
        }
        for pair in items.windows(2) {
            if let [PatternItem::Rest(first), PatternItem::Rest(second)] = pair {
                let fault = Fault::RestsTouch {
                    first: self.scope.names[first.0].name.clone(),
                    second: self.scope.names[second.0].name.clone(),
                };
                self.faults.push(Diagnostic::new(shape.span, fault));
                failed = true;
            }
        }
        if failed {
            Err(Failed)
        } else {
            Ok(Pattern { items })
        }
    }

    fn pattern_item(&mut self, item: &Item, items: &mut Vec<PatternItem>) -> Resolved<()> {
        match item {
            Item::Rest(name) => {
                let variable = self.pattern_name(&name.text, name.span, Role::Rest)?;
                items.push(PatternItem::Rest(variable));
            }
            Item::List(shape) => items.push(PatternItem::List(self.pattern(shape)?)),
            Item::Word(word, span) => {
                for number in self.letters(word, *span)? {
                    items.push(PatternItem::Number(number));
                }
            }
            Item::Term(node) => match &node.kind {
                NodeKind::Name(name) => {
                    let variable = self.pattern_name(name, node.span, Role::Coordinate)?;
                    items.push(PatternItem::Variable(variable));
                }
                NodeKind::Number(number) => match number.to_biguint() {
                    Some(number) => items.push(PatternItem::Number(number)),
                    None => return self.fault(node.span, Fault::NegativeInPosition),
                },
                _ => return self.fault(node.span, Fault::TermInPattern),
            },
        }
        Ok(())
    }

    fn pattern_name(&mut self, name: &str, span: Span, role: Role) -> Resolved<Variable> {
        if self.find_parameter(name).is_some() {
            let name = name.to_owned();
            return self.fault(span, Fault::ParameterInPattern { name });
        }
        if self
            .context
            .chances
            .iter()
            .any(|chance| chance.name == name)
        {
            let name = name.to_owned();
            return self.fault(span, Fault::NameTaken { name });
        }
        match self.find(name) {
            None => self.declare(name, role, span),
            Some(variable) if self.role(variable) == role => Ok(variable),
            Some(_) => {
                let name = name.to_owned();
                self.fault(span, Fault::RestAndCoordinate { name })
            }
        }
    }

    /// The numbers for which a quoted word stands.
    fn letters(&mut self, word: &str, span: Span) -> Resolved<Vec<BigUint>> {
        let alphabet = self.context.row.map_or(&[][..], |row| &row.alphabet);
        if let Err(fault) = notation::check_letters(word, alphabet) {
            return self.fault(span, fault);
        }
        let place = |letter| alphabet.iter().position(|other| *other == letter);
        Ok(word.chars().filter_map(place).map(BigUint::from).collect())
    }

    pub(super) fn template(&mut self, shape: &Shape) -> Resolved<Template> {
        let mut items = Vec::new();
        let mut failed = false;
        for item in &shape.items {
            if let Err(Failed) = self.template_item(item, &mut items) {
                failed = true;
            }
        }
        if failed {
            Err(Failed)
        } else {
            Ok(Template { items })
        }
    }

    fn template_item(&mut self, item: &Item, items: &mut Vec<TemplateItem>) -> Resolved<()> {
        match item {
            Item::Rest(name) => {
                let variable = self.variable(&name.text, name.span)?;
                if !matches!(self.role(variable), Role::Rest | Role::Row) {
                    let found = self.kind_of(variable);
                    return self.wrong_kind(name.span, found, Kind::Rest, Some(&name.text));
                }
                items.push(TemplateItem::Splice(variable));
            }
            Item::List(shape) => items.push(TemplateItem::List(self.template(shape)?)),
            Item::Word(word, span) => {
                for number in self.letters(word, *span)? {
                    items.push(TemplateItem::Expr(Expr::Number(BigInt::from(number))));
                }
            }
            Item::Term(node) => items.push(TemplateItem::Expr(self.number(node)?)),
        }
        Ok(())
    }
}
