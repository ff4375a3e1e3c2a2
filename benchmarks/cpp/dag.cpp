// Values of all vertices of a graph without cycles, in the order of their numbers, each from a hash set
// of the values of its options.
#include <unordered_set>

#include "bench.hpp"

// The edges, as benchmarks/src/graphs.rs makes them.
struct Edges {
    std::uint64_t state = 1;

    std::uint64_t next() {
        state += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
};

int main(int argc, char** argv) {
    const unsigned vertices = limit(argc, argv, 1), degree = limit(argc, argv, 2), window = limit(argc, argv, 3);
    std::vector<std::uint32_t> first(vertices + 1), to;
    Edges edges;
    for (unsigned v = 0; v < vertices; ++v) {
        const unsigned below = window && window < v ? window : v;
        if (below)
            for (unsigned e = 0; e < degree; ++e) to.push_back(v - 1 - edges.next() % below);
        first[v + 1] = to.size();
    }
    return report([&] {
        std::vector<std::uint32_t> values(vertices);
        for (unsigned v = 0; v < vertices; ++v) {
            std::unordered_set<std::uint32_t> seen;
            for (unsigned e = first[v]; e < first[v + 1]; ++e) seen.insert(values[to[e]]);
            std::uint32_t value = 0;
            while (seen.count(value)) ++value;
            values[v] = value;
        }
        return values;
    });
}
