// Take a multiple of one of some pairs: all options of each cell of a box.
// Arguments: the two limits, and the pairs.
#include <utility>

#include "bench.hpp"

int main(int argc, char** argv) {
    int limit_x = limit(argc, argv, 1), limit_y = limit(argc, argv, 2);
    std::vector<std::pair<int, int>> pairs;
    for (int place = 3; place < argc; place += 2)
        pairs.push_back({limit(argc, argv, place), limit(argc, argv, place + 1)});
    return report([&] {
        int width = limit_y + 1;
        std::vector<int> g((limit_x + 1) * width), seen(pairs.size() * (limit_x + limit_y) + 2, -1);
        for (int x = 0; x <= limit_x; ++x) {
            for (int y = 0; y <= limit_y; ++y) {
                int here = x * width + y;
                for (auto [dx, dy] : pairs)
                    for (int a = x - dx, b = y - dy; a >= 0 && b >= 0; a -= dx, b -= dy)
                        seen[g[a * width + b]] = here;
                int value = 0;
                while (seen[value] == here) ++value;
                g[here] = value;
            }
        }
        return g;
    });
}
