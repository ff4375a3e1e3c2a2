// Nim with three heaps, without the theorem: all options of each position in a box.
#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_x = limit(argc, argv, 1), limit_y = limit(argc, argv, 2), limit_z = limit(argc, argv, 3);
    return report([=] {
        int column = limit_z + 1, layer = (limit_y + 1) * column;
        std::vector<int> g((limit_x + 1) * layer), seen(limit_x + limit_y + limit_z + 2, -1);
        for (int x = 0; x <= limit_x; ++x) {
            for (int y = 0; y <= limit_y; ++y) {
                for (int z = 0; z <= limit_z; ++z) {
                    int here = x * layer + y * column + z;
                    for (int k = 1; k <= x; ++k) seen[g[here - k * layer]] = here;
                    for (int k = 1; k <= y; ++k) seen[g[here - k * column]] = here;
                    for (int k = 1; k <= z; ++k) seen[g[here - k]] = here;
                    int value = 0;
                    while (seen[value] == here) ++value;
                    g[here] = value;
                }
            }
        }
        return g;
    });
}
