// Take 1, 3 or 4. The values are below 4, so a machine word holds the set of those seen.
#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1);
    return report([=] {
        std::vector<std::uint8_t> g(limit_n + 1);
        for (int n = 0; n <= limit_n; ++n) {
            unsigned seen = 0;
            if (n >= 1) seen |= 1u << g[n - 1];
            if (n >= 3) seen |= 1u << g[n - 3];
            if (n >= 4) seen |= 1u << g[n - 4];
            g[n] = __builtin_ctz(~seen);
        }
        return g;
    });
}
