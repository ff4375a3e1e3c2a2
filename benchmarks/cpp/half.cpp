// Take at least one and at most half.
#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1);
    return report([=] {
        std::vector<int> g(limit_n + 1), seen(limit_n + 2, -1);
        for (int n = 0; n <= limit_n; ++n) {
            for (int k = 1; 2 * k <= n; ++k) seen[g[n - k]] = n;
            int value = 0;
            while (seen[value] == n) ++value;
            g[n] = value;
        }
        return g;
    });
}
