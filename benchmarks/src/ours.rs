//! The side of grundy.

use grundy::table::{Plan, Quantity};
use grundy_rules::{Budget, Meter, parse};

use crate::workload::Workload;
use crate::{Run, checksum, seconds};

/// Fills the table of a workload. Reading the rules and compiling them counts too.
pub fn tabulate(workload: &Workload) -> Result<Run, String> {
    let name = &workload.name;
    let bounds: Vec<u64> = workload.limits.iter().copied().map(u64::from).collect();
    let mut meter = Meter::new(Budget {
        steps: u64::MAX,
        bytes: 1 << 32,
    });
    let start = seconds();
    let ruleset = parse(&workload.rules).map_err(|faults| format!("{name}: {faults:?}"))?;
    let plan = Plan::new(&ruleset).map_err(|unfit| format!("{name}: {unfit:?}"))?;
    let table = plan
        .tabulate(&bounds, Quantity::Grundy, &mut meter, &mut |_| {})
        .map_err(|error| format!("{name}: {error:?}"))?;
    let seconds = seconds() - start;
    let checksum = match table.heaps() {
        Some(values) => checksum((0..values.len()).filter_map(|heap| values.get(heap))),
        None => checksum(table.iter().map(|(_, value)| value)),
    };
    Ok(Run { checksum, seconds })
}
