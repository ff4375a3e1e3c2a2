// Contest code for a code with splits in two and in three heaps: all options of each heap.
// Arguments: the limit, and the digits for takes of 0, 1, ….
#include <cstring>

#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1);
    std::vector<int> digits;
    for (int place = 2; place < argc; ++place) digits.push_back(limit(argc, argv, place));
    return report([&] {
        std::vector<int> g(limit_n + 1);
        for (int n = 0; n <= limit_n; ++n) {
            bool seen[4096];
            std::memset(seen, 0, sizeof seen);
            for (int taken = 0; taken < (int)digits.size() && taken <= n; ++taken) {
                int rest = n - taken, digit = digits[taken];
                if (digit & 1 && rest == 0) seen[0] = true;
                if (digit & 2 && rest > 0) seen[g[rest]] = true;
                if (digit & 4)
                    for (int a = 1; 2 * a <= rest; ++a) seen[g[a] ^ g[rest - a]] = true;
                if (digit & 8)
                    for (int a = 1; 3 * a <= rest; ++a)
                        for (int b = a; a + 2 * b <= rest; ++b) seen[g[a] ^ g[b] ^ g[rest - a - b]] = true;
            }
            int mex = 0;
            while (seen[mex]) ++mex;
            g[n] = mex;
        }
        return g;
    });
}
