// Lasker's Nim: take any number, or split in two.
#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1);
    return report([=] {
        std::vector<int> g(limit_n + 1), seen(4 * limit_n + 4, -1);
        for (int n = 0; n <= limit_n; ++n) {
            for (int k = 1; k <= n; ++k) seen[g[n - k]] = n;
            for (int a = 1; 2 * a <= n; ++a) seen[g[a] ^ g[n - a]] = n;
            int value = 0;
            while (seen[value] == n) ++value;
            g[n] = value;
        }
        return g;
    });
}
