//! Random one-heap rules, each as text in the rule language and as the loop
//! that a contest player would write for it.

use std::fmt::Write as _;

/// A random ruleset and what an equivalent C++ program needs.
pub struct RandomGame {
    /// The rules, in the rule language.
    pub rules: String,
    /// The C++ loops that mark the values of all options of heap `n`.
    loops: String,
    /// The largest heap to tabulate.
    pub limit: u32,
    /// More than any Grundy value or nim-sum of them: a power of two.
    values: u64,
}

/// The first `count` random games of a seed, each with so large a table that its C++ loops
/// take about `steps` steps.
pub fn games(seed: u64, count: usize, steps: u64) -> Vec<RandomGame> {
    let mut random = Random(seed);
    (0..count).map(|_| game(&mut random, steps)).collect()
}

/// The source of one C++ program: `program INDEX LIMIT` fills the table of that game.
pub fn program(games: &[RandomGame]) -> String {
    let mut source = String::from(
        "#include <algorithm>\n#include <numeric>\n\n#include \"bench.hpp\"\n\n\
         using Table = std::vector<int>;\n",
    );
    let mut cases = String::new();
    for (index, game) in games.iter().enumerate() {
        for line in game.rules.lines() {
            write!(source, "\n// {line}").expect("a string takes all that is written to it");
        }
        write!(
            source,
            "\nTable game_{index}(int limit) {{\n\
             \x20   Table g(limit + 1), seen({values}, -1);\n\
             \x20   for (int n = 0; n <= limit; ++n) {{\n\
             {loops}\
             \x20       int value = 0;\n\
             \x20       while (seen[value] == n) ++value;\n\
             \x20       g[n] = value;\n\
             \x20   }}\n\
             \x20   return g;\n\
             }}\n",
            values = game.values,
            loops = game.loops,
        )
        .expect("a string takes all that is written to it");
        writeln!(
            cases,
            "        case {index}: return report([=] {{ return game_{index}(n); }});"
        )
        .expect("a string takes all that is written to it");
    }
    source
        + "\nint main(int argc, char** argv) {\n    int n = limit(argc, argv, 2);\n    \
           switch (limit(argc, argv, 1)) {\n"
        + &cases
        + "    }\n    return 2;\n}\n"
}

fn game(random: &mut Random, steps: u64) -> RandomGame {
    let lines = match random.between(1, 4) {
        1 => vec![take(random)],
        2 => vec![split(random)],
        _ => vec![take(random), split(random)],
    };
    let mut limit = 16_u32;
    while limit < 1 << 24 && work(&lines, limit) < steps {
        limit *= 2;
    }
    // A mex is at most the number of options, and a nim-sum stays below the next power of two.
    let options: u64 = lines.iter().map(|line| (line.options)(limit.into())).sum();
    RandomGame {
        rules: lines.iter().map(|line| line.rule.as_str()).collect(),
        loops: lines.iter().map(|line| line.code.as_str()).collect(),
        limit,
        values: (options + 1).next_power_of_two(),
    }
}

/// About how many steps the loops take for all heaps together.
fn work(lines: &[Line], limit: u32) -> u64 {
    let heaps = u64::from(limit);
    // The work for one heap grows no faster than its square.
    lines
        .iter()
        .map(|line| heaps * (line.steps)(heaps / 2))
        .sum()
}

/// One rule.
struct Line {
    rule: String,
    code: String,
    /// About how many steps the loop takes for a heap of `n`.
    steps: fn(u64) -> u64,
    /// At most how many options a heap of `n` has.
    options: fn(u64) -> u64,
}

fn line(
    head: &str,
    guard: &str,
    code: &str,
    steps: fn(u64) -> u64,
    options: fn(u64) -> u64,
) -> Line {
    Line {
        rule: format!("{head} where {guard}\n"),
        code: format!("        {code}\n"),
        steps,
        options,
    }
}

const TAKE: &str = "take: [n] -> [n-k]";
const MARK: &str = "seen[g[n - k]] = n;";

/// A rule that takes some and leaves one heap.
fn take(random: &mut Random) -> Line {
    if random.between(1, 3) == 1 {
        take_few(random)
    } else {
        take_many(random)
    }
}

/// A rule with much fewer takes than there are numbers up to `n`.
fn take_few(random: &mut Random) -> Line {
    match random.between(1, 4) {
        1 => {
            let set = random.set(3, 6, 20);
            line(
                TAKE,
                &format!("k in {set}"),
                &format!("for (int k : {set}) if (k <= n) {MARK}"),
                |_| 5,
                |_| 6,
            )
        }
        2 => {
            let most = random.between(2, 30);
            line(
                TAKE,
                &format!("1 <= k <= {most}"),
                &format!("for (int k = 1; k <= {most} && k <= n; ++k) {MARK}"),
                |_| 16,
                |_| 30,
            )
        }
        3 => line(
            TAKE,
            "k in powers of 2",
            &format!("for (int k = 1; k <= n; k *= 2) {MARK}"),
            |n| (n + 1).ilog2().into(),
            |n| 1 + u64::from((n + 1).ilog2()),
        ),
        _ => line(
            TAKE,
            "k in squares",
            &format!("for (int i = 1, k = 1; k <= n; ++i, k = i * i) {MARK}"),
            u64::isqrt,
            u64::isqrt,
        ),
    }
}

/// A rule whose takes are many of the numbers up to `n`.
fn take_many(random: &mut Random) -> Line {
    let (modulus, residue) = random.residue();
    let part = random.between(2, 4);
    match random.between(1, 7) {
        1 => line(
            TAKE,
            &format!("k >= 1, k mod {modulus} = {residue}"),
            &format!(
                "for (int k = {first}; k <= n; k += {modulus}) {MARK}",
                first = first_of(modulus, residue)
            ),
            |n| n / 3,
            |n| n,
        ),
        2 => line(
            TAKE,
            &format!("1 <= k <= n/{part}"),
            &format!("for (int k = 1; k <= n / {part}; ++k) {MARK}"),
            |n| n / 3,
            |n| n,
        ),
        3 => line(
            TAKE,
            &format!("k >= 1, k >= n/{part}"),
            &format!("for (int k = std::max(1, n / {part}); k <= n; ++k) {MARK}"),
            |n| 2 * n / 3,
            |n| n,
        ),
        4 => line(
            TAKE,
            "k >= 1, k band n = 0",
            &format!("for (int k = 1; k <= n; ++k) if ((k & n) == 0) {MARK}"),
            |n| n,
            |n| n,
        ),
        5 => line(
            TAKE,
            "k >= 1, gcd(k, n) = 1",
            &format!("for (int k = 1; k <= n; ++k) if (std::gcd(k, n) == 1) {MARK}"),
            |n| 30 * n,
            |n| n,
        ),
        6 => {
            let set = random.set(2, 3, 9);
            let tests = set[1..set.len() - 1].replace(", ", " && k != ");
            line(
                TAKE,
                &format!("k >= 1, k not in {set}"),
                &format!("for (int k = 1; k <= n; ++k) if (k != {tests}) {MARK}"),
                |n| n,
                |n| n,
            )
        }
        _ => line(
            TAKE,
            &format!("k >= 1, (k + n) mod {modulus} = {residue}"),
            &format!("for (int k = 1; k <= n; ++k) if ((k + n) % {modulus} == {residue}) {MARK}"),
            |n| n,
            |n| n,
        ),
    }
}

/// The least positive number with this residue.
fn first_of(modulus: u64, residue: u64) -> u64 {
    if residue == 0 { modulus } else { residue }
}

/// A rule that splits a heap, perhaps taking some of it.
fn split(random: &mut Random) -> Line {
    let two = "split: [n] -> [a] + [n-a]";
    let three = "split: [n] -> [a] + [b] + [n-a-b]";
    let parts = "seen[g[a] ^ g[n - a]] = n;";
    match random.between(1, 9) {
        1 => line(
            two,
            "1 <= a < n",
            &format!("for (int a = 1; 2 * a <= n; ++a) {parts}"),
            |n| n / 2,
            |n| n,
        ),
        2 => line(
            two,
            "1 <= a < n-a",
            &format!("for (int a = 1; 2 * a < n; ++a) {parts}"),
            |n| n / 2,
            |n| n,
        ),
        3 => line(
            two,
            "1 <= a < n, a mod 2 = 1",
            &format!("for (int a = 1; a < n; a += 2) {parts}"),
            |n| n / 2,
            |n| n,
        ),
        4 => {
            let most = random.between(1, 8);
            line(
                two,
                &format!("1 <= a < n, abs(a-(n-a)) <= {most}"),
                &format!(
                    "for (int a = std::max(1, (n - {most} + 1) / 2); a < n && 2 * a - n <= {most}; ++a) {parts}"
                ),
                |_| 6,
                |_| 16,
            )
        }
        5 => {
            let taken = random.between(1, 4);
            line(
                &format!("cut: [n] -> [a] + [n-{taken}-a]"),
                "a >= 0",
                &format!(
                    "for (int a = 0; 2 * a <= n - {taken}; ++a) seen[g[a] ^ g[n - {taken} - a]] = n;"
                ),
                |n| n / 2,
                |n| n,
            )
        }
        6 => line(
            "cut: [n] -> [a] + [n-k-a]",
            "1 <= k <= 2, a >= 1, a < n-k",
            "for (int k = 1; k <= 2; ++k)\n            \
             for (int a = 1; 2 * a <= n - k; ++a) seen[g[a] ^ g[n - k - a]] = n;",
            |n| n,
            |n| n,
        ),
        7 => line(
            three,
            "1 <= a <= b, b <= n-a-b",
            "for (int a = 1; 3 * a <= n; ++a)\n            \
             for (int b = a; a + 2 * b <= n; ++b) seen[g[a] ^ g[b] ^ g[n - a - b]] = n;",
            |n| n * n / 12,
            |n| n * n / 12 + n,
        ),
        8 => line(
            three,
            "1 <= a < b, b < n-a-b",
            "for (int a = 1; 3 * a < n; ++a)\n            \
             for (int b = a + 1; a + 2 * b < n; ++b) seen[g[a] ^ g[b] ^ g[n - a - b]] = n;",
            |n| n * n / 12,
            |n| n * n / 12 + n,
        ),
        _ => {
            let (modulus, residue) = random.residue();
            let first = first_of(modulus, residue);
            line(
                two,
                &format!("1 <= a < n-a, a mod {modulus} = {residue}"),
                &format!("for (int a = {first}; 2 * a < n; a += {modulus}) {parts}"),
                |n| n / 5,
                |n| n,
            )
        }
    }
}

/// The generator `SplitMix64` of Steele, Lea and Flood (2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// A modulus from 2 to 5 and a residue.
    fn residue(&mut self) -> (u64, u64) {
        let modulus = self.between(2, 5);
        (modulus, self.between(0, modulus - 1))
    }

    /// From `fewest` to `most` numbers of 1 to `largest`, ascending, in braces.
    fn set(&mut self, fewest: u64, most: u64, largest: u64) -> String {
        let size = self.between(fewest, most);
        let mut members = Vec::new();
        while (members.len() as u64) < size {
            let member = self.between(1, largest);
            if !members.contains(&member) {
                members.push(member);
            }
        }
        members.sort_unstable();
        let words: Vec<String> = members.iter().map(u64::to_string).collect();
        format!("{{{}}}", words.join(", "))
    }
}
