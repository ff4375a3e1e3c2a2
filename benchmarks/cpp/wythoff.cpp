// Wythoff's game on a box: take from one of two heaps, or the same number from both.
#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_x = limit(argc, argv, 1), limit_y = limit(argc, argv, 2);
    return report([=] {
        int width = limit_y + 1;
        std::vector<int> g((limit_x + 1) * width), seen(2 * (limit_x + limit_y) + 2, -1);
        for (int x = 0; x <= limit_x; ++x) {
            for (int y = 0; y <= limit_y; ++y) {
                int here = x * width + y;
                for (int k = 1; k <= x; ++k) seen[g[here - k * width]] = here;
                for (int k = 1; k <= y; ++k) seen[g[here - k]] = here;
                for (int k = 1; k <= x && k <= y; ++k) seen[g[here - k * (width + 1)]] = here;
                int value = 0;
                while (seen[value] == here) ++value;
                g[here] = value;
            }
        }
        return g;
    });
}
