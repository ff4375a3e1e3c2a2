// Bottom-up code for a finite subtraction set. Arguments: the limit and the takes, ascending.
#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_n = limit(argc, argv, 1);
    std::vector<int> takes;
    for (int place = 2; place < argc; ++place) takes.push_back(limit(argc, argv, place));
    return report([&] {
        std::vector<int> g(limit_n + 1), seen(takes.size() + 1);
        for (int n = 0; n <= limit_n; ++n) {
            for (int take : takes) {
                if (take > n) break;
                seen[g[n - take]] = n + 1;
            }
            int mex = 0;
            while (seen[mex] == n + 1) ++mex;
            g[n] = mex;
        }
        return g;
    });
}
