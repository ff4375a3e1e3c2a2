// Fibonacci Nim on a box: with n left and at most q to take, taking k leaves [n-k, 2k].
// The limit of q must be at least that of n.
#include <algorithm>

#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1), limit_q = limit(argc, argv, 2);
    return report([=] {
        int width = limit_q + 1;
        std::vector<int> g((limit_n + 1) * width), seen(limit_n + 2, -1);
        for (int n = 0; n <= limit_n; ++n) {
            for (int q = 0; q <= limit_q; ++q) {
                int here = n * width + q;
                // More than n cannot be taken: a larger q is as good as q = n.
                if (q > n) {
                    g[here] = g[here - 1];
                    continue;
                }
                for (int k = 1; k <= q; ++k)
                    seen[g[(n - k) * width + std::min(2 * k, n - k)]] = here;
                int value = 0;
                while (seen[value] == here) ++value;
                g[here] = value;
            }
        }
        return g;
    });
}
