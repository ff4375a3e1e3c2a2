// Contest code for an octal code: all options of each heap, over half of the splits.
// Arguments: the limit, whether parts must differ, and the digits for takes of 0, 1, ….
#include <cstring>

#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1), unequal = limit(argc, argv, 2);
    std::vector<int> digits;
    for (int place = 3; place < argc; ++place) digits.push_back(limit(argc, argv, place));
    return report([&] {
        std::vector<int> g(limit_n + 1);
        for (int n = 0; n <= limit_n; ++n) {
            bool seen[4096];
            std::memset(seen, 0, sizeof seen);
            for (int taken = 0; taken < (int)digits.size() && taken <= n; ++taken) {
                int rest = n - taken;
                if (digits[taken] & 1 && rest == 0) seen[0] = true;
                if (digits[taken] & 2 && rest > 0) seen[g[rest]] = true;
                if (digits[taken] & 4)
                    for (int a = 1; 2 * a <= rest - unequal; ++a) seen[g[a] ^ g[rest - a]] = true;
            }
            int mex = 0;
            while (seen[mex]) ++mex;
            g[n] = mex;
        }
        return g;
    });
}
