// Fibonacci Nim on a box, by one who sees that [n, q] has the options of [n, q-1] and one more.
// The limit of q must be at least that of n.
#include <algorithm>

#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1), limit_q = limit(argc, argv, 2);
    return report([=] {
        int width = limit_q + 1;
        std::vector<int> g((limit_n + 1) * width), seen(limit_n + 2, -1);
        for (int n = 0; n <= limit_n; ++n) {
            int value = 0;
            for (int q = 0; q <= limit_q; ++q) {
                if (1 <= q && q <= n) {
                    seen[g[(n - q) * width + std::min(2 * q, n - q)]] = n;
                    while (seen[value] == n) ++value;
                }
                g[n * width + q] = value;
            }
        }
        return g;
    });
}
