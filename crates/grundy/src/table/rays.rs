//! Moves that subtract one of a fixed set of tuples, told as rays.
//!
//! Where the options of each cell stand at the same distances from it, as far as they are in the box, the corner of
//! the box has them all. Distances that go on to the end of the box in equal steps are a ray: in Wythoff's
//! game there are three. How the rules were written does not matter, nor which moves are written twice.

use super::fill::Program;
use super::inequality::Reasoned;
use super::kernel::{Kernel, Layout, Part, Source};
use super::term::Elements;

/// The distances `first + t * step` for `t = 0, 1, …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ray {
    pub(super) first: Vec<i64>,
    pub(super) step: Vec<i64>,
    /// How many, where they end before the box does; then the first is as long as a step.
    pub(super) count: Option<i64>,
}

/// How far from its cell each option is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Distances {
    pub(super) rays: Vec<Ray>,
    /// Those on no ray.
    pub(super) single: Vec<Vec<i64>>,
}

/// More rays, or more distances on none, take as long as marking all options.
pub(super) const MOST_RAYS: usize = 64;
const MOST_SINGLE: usize = 64;
/// A ray is to have so many distances on no other ray.
const SHORTEST: usize = 8;
/// The next ray begins with one of so many distances on none.
const STARTS: usize = 8;
/// The second distance of a ray is one of so many next ones.
const NEAR: usize = 64;

impl Distances {
    /// `None` if the options of some cells stand elsewhere, or if no few rays hold them.
    pub(super) fn of(rules: &[Reasoned], program: &Program, slots: usize) -> Option<Self> {
        if !program.exact.is_empty() || !rules.iter().all(Reasoned::is_translation) {
            return None;
        }
        let layout = &program.layout;
        let longest = layout.extents.iter().max()?;
        let most = usize::try_from(*longest).ok()?.checked_mul(MOST_RAYS)?;
        let mut corner = vec![0; slots.max(layout.extents.len())];
        for (coordinate, extent) in corner.iter_mut().zip(&layout.extents) {
            *coordinate = *extent as i64;
        }
        let mut options = Options {
            env: corner,
            found: Vec::new(),
            most: most + MOST_SINGLE,
        };
        for kernel in &program.kernels {
            if kernel.applies(&mut options.env) {
                options.of(kernel, 0)?;
            }
        }
        let corner = layout.cells as i64 - 1;
        let mut distances = options.found;
        for index in &mut distances {
            *index = corner - *index;
        }
        distances.sort_unstable();
        distances.dedup();
        cover(&distances, layout)
    }
}

/// The options of the corner of a box, as places in the table.
struct Options {
    env: Vec<i64>,
    found: Vec<i64>,
    most: usize,
}

impl Options {
    /// Adds those whose outer choices are made; `None` if there are too many.
    fn of(&mut self, kernel: &Kernel, depth: usize) -> Option<()> {
        let Some(level) = kernel.levels.get(depth) else {
            return self.add(kernel);
        };
        let Some((lo, hi)) = level.ends(&self.env) else {
            return Some(());
        };
        let listed: Option<Vec<i64>> = match &level.source {
            Source::All => None,
            Source::Listed(list) => Some(list.to_vec()),
            Source::Set(set) => match set.elements(&self.env) {
                Some(Elements::List(list)) => Some(list),
                _ => return Some(()),
            },
        };
        let mut choose = |choice: i64| {
            self.env[level.slot] = choice;
            if level.tests.iter().all(|test| test.holds(&mut self.env)) {
                self.of(kernel, depth + 1)?;
            }
            Some(())
        };
        match listed {
            None => (lo..=hi).try_for_each(choose),
            Some(list) => list
                .into_iter()
                .filter(|choice| (lo..=hi).contains(choice))
                .try_for_each(&mut choose),
        }
    }

    fn add(&mut self, kernel: &Kernel) -> Option<()> {
        let index = match kernel.parts.as_slice() {
            [Part::Run { base, step }] => {
                let chosen = kernel.levels.last().map_or(0, |level| self.env[level.slot]);
                base.eval(&self.env)? + step.eval(&self.env)? * chosen
            }
            [Part::Gather(term)] => term.eval(&self.env)?,
            _ => return None,
        };
        self.found.push(index);
        (self.found.len() <= self.most).then_some(())
    }
}

/// The coordinates of a place in the table.
fn coordinates(mut index: i64, layout: &Layout) -> Vec<i64> {
    let mut coordinates = Vec::with_capacity(layout.strides.len());
    for stride in &layout.strides {
        coordinates.push(index / stride);
        index %= stride;
    }
    coordinates
}

/// Rays that hold these distances, ascending places in the table, and the distances that are left.
fn cover(distances: &[i64], layout: &Layout) -> Option<Distances> {
    let mut covered = vec![false; distances.len()];
    let mut cover = Distances {
        rays: Vec::new(),
        single: Vec::new(),
    };
    let mut next = 0;
    while next < distances.len() {
        if covered[next] {
            next += 1;
            continue;
        }
        let mut best = Vec::new();
        let mut best_ray = None;
        let free = (next..distances.len()).filter(|place| !covered[*place]);
        for place in free.take(STARTS) {
            let first = coordinates(distances[place], layout);
            for second in distances[place + 1..].iter().take(NEAR) {
                let least = best.len().max(SHORTEST - 1) + 1;
                let second = coordinates(*second, layout);
                let step: Vec<i64> = second.iter().zip(&first).map(|(a, b)| a - b).collect();
                if let Some((ray, mut places)) = ray(distances, layout, place, &first, step, least)
                {
                    places.retain(|place| !covered[*place]);
                    if places.len() >= least {
                        (best, best_ray) = (places, Some(ray));
                    }
                }
            }
        }
        match best_ray {
            Some(ray) => cover.rays.push(ray),
            None => {
                best.push(next);
                cover.single.push(coordinates(distances[next], layout));
            }
        }
        best.into_iter().for_each(|place| covered[place] = true);
        if cover.rays.len() > MOST_RAYS || cover.single.len() > MOST_SINGLE {
            return None;
        }
    }
    Some(cover)
}

/// The ray from a distance on in these steps, with the places of its distances in the list, if it has so many.
fn ray(
    distances: &[i64],
    layout: &Layout,
    place: usize,
    first: &[i64],
    step: Vec<i64>,
    least: usize,
) -> Option<(Ray, Vec<usize>)> {
    if step.iter().any(|step| *step < 0) {
        return None;
    }
    let along: i64 = step.iter().zip(&layout.strides).map(|(n, s)| n * s).sum();
    let in_box = first.iter().zip(&step).zip(&layout.extents);
    let in_box = in_box
        .filter(|((_, step), _)| **step > 0)
        .map(|((first, step), extent)| (*extent as i64 - first) / step);
    let last = in_box.min()?;
    if last + 1 < least as i64 {
        return None;
    }
    let mut places = vec![place];
    for t in 1..=last {
        let from = places[places.len() - 1];
        match distances[from..].binary_search(&(distances[place] + t * along)) {
            Ok(more) => places.push(from + more),
            Err(_) => break,
        }
    }
    let count = places.len() as i64;
    let is_whole = count == last + 1;
    let is_ray = is_whole || first == step;
    (is_ray && places.len() >= least).then(|| {
        let ray = Ray {
            first: first.to_vec(),
            step,
            count: (!is_whole).then_some(count),
        };
        (ray, places)
    })
}

#[cfg(test)]
mod tests {
    use grundy_rules::parse;

    use super::super::{Plan, Quantity};
    use super::*;

    fn distances(rules: &str, bounds: &[u64]) -> Option<Distances> {
        let ruleset = parse(rules).unwrap_or_else(|faults| panic!("{rules}: {faults:?}"));
        let plan = Plan::new(&ruleset).unwrap_or_else(|unfit| panic!("{rules}: {unfit:?}"));
        let layout = Layout::new(bounds.to_vec()).expect("it is small");
        let order = &plan.orders.proved[0];
        let program = plan.program(layout, Quantity::Grundy, order);
        let program = program.unwrap_or_else(|error| panic!("{rules}: {error:?}"));
        Distances::of(&plan.rules, &program, 8)
    }

    /// The rays, and how many distances are on none.
    fn told(rules: &str, bounds: &[u64]) -> (Vec<Ray>, usize) {
        let distances = distances(rules, bounds).unwrap_or_else(|| panic!("{rules}: no rays"));
        (distances.rays, distances.single.len())
    }

    fn whole(first: [i64; 2], step: [i64; 2]) -> Ray {
        Ray {
            first: first.to_vec(),
            step: step.to_vec(),
            count: None,
        }
    }

    #[test]
    fn rays_are_found_however_the_rules_are_written() {
        let wythoff = vec![
            whole([0, 1], [0, 1]),
            whole([1, 0], [1, 0]),
            whole([1, 1], [1, 1]),
        ];
        for rules in [
            "[x, y] -> [x-k, y] | [x, y-k] | [x-k, y-k] where k >= 1",
            "[x, y] -> [x-k, y] | [x, y-k] where 0 < k; [x, y] -> [x-1-j, y-1-j] where j >= 0",
            "[x, y] -> [x-j, y-k] where j + k >= 1, j = k or j = 0 or k = 0",
            "unordered; [x, y] -> [x-k, y] where k >= 1, k <= x; [x, y] -> [x-k, y-k] where k >= 1",
        ] {
            assert_eq!(told(rules, &[30, 40]), (wythoff.clone(), 0), "{rules}");
        }
    }

    #[test]
    fn exceptions_residues_and_bounds_are_rays_and_single_distances() {
        let rules = "[x, y] -> [x-k, y] where k >= 1, k != 4; [x, y] -> [x, y-k] where k mod 5 = 2";
        let rays = vec![whole([0, 2], [0, 5]), whole([5, 0], [1, 0])];
        assert_eq!(told(rules, &[40, 40]), (rays, 3));
        let rules = "[x, y] -> [x-k, y] where 1 <= k <= 20; [x, y] -> [x-k, y-2*k] where k >= 1";
        let bounded = Ray {
            count: Some(20),
            ..whole([1, 0], [1, 0])
        };
        let rays = vec![whole([1, 2], [1, 2]), bounded];
        assert_eq!(told(rules, &[40, 90]), (rays, 0));
    }

    #[test]
    fn other_rules_have_no_rays() {
        for rules in [
            // The cell decides what may be taken.
            "[x, y] -> [x-k, y] | [x, y-k] where k >= 1, k <= y",
            "[x, y] -> [x-k, y] where k >= 1, x mod 2 = 0; [x, y] -> [x, y-1]",
            // The results are not the cell less something.
            "[x, y] -> [x/2, y] | [x, y-1] where x >= 1",
            "[x, y] -> [x-k, y] + [1, 1] where k >= 1, k < x",
            // Every smaller tuple, and the squares.
            "[x, y] -> [x-j, y-k] where j + k >= 1",
            "[x, y] -> [x-k, y] where k in squares, k >= 1; [x, y] -> [x, y-k] where k in primes",
        ] {
            assert_eq!(distances(rules, &[400, 300]), None, "{rules}");
        }
    }
}
