// Contest code for an octal code with a condition on the parts: all options of each heap, over half of the splits.
// Arguments: the limit, the condition, and the digits for takes of 0, 1, ….
#include <cstring>

#include "bench.hpp"

template <class Allowed>
std::vector<int> fill(int limit_n, const std::vector<int>& digits, Allowed allowed) {
    std::vector<int> g(limit_n + 1);
    for (int n = 0; n <= limit_n; ++n) {
        bool seen[4096];
        std::memset(seen, 0, sizeof seen);
        for (int taken = 0; taken < (int)digits.size() && taken <= n; ++taken) {
            int rest = n - taken;
            if (digits[taken] & 1 && rest == 0) seen[0] = true;
            if (digits[taken] & 2 && rest > 0) seen[g[rest]] = true;
            if (digits[taken] & 4)
                for (int a = 1; 2 * a <= rest; ++a)
                    if (allowed(a, rest - a)) seen[g[a] ^ g[rest - a]] = true;
        }
        int mex = 0;
        while (seen[mex]) ++mex;
        g[n] = mex;
    }
    return g;
}

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1), condition = limit(argc, argv, 2);
    std::vector<int> digits;
    for (int place = 3; place < argc; ++place) digits.push_back(limit(argc, argv, place));
    return report([&] {
        switch (condition) {
        case 0: return fill(limit_n, digits, [](int a, int b) { return b - a >= 3; });
        case 1: return fill(limit_n, digits, [](int a, int b) { return a % 2 == 0 && b % 2 == 0; });
        case 2: return fill(limit_n, digits, [](int a, int b) { return a % 2 == 0 || b % 2 == 0; });
        default: return fill(limit_n, digits, [](int a, int b) { return (b - a) % 3 == 0; });
        }
    });
}
