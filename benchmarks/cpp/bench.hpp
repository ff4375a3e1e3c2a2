// What every program here does around its loop: read the limits, time the loop, print.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

// Processor seconds of this process: other work on the machine counts little.
inline double seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

// Depends on every value and on its place; benchmarks/src/main.rs computes the same.
template <class T>
std::uint64_t checksum(const std::vector<T>& values) {
    std::uint64_t sum = 14695981039346656037u;
    for (T value : values) sum = (sum ^ std::uint64_t(value)) * 1099511628211u;
    return sum;
}

// Calls `fill` once and prints the checksum of what it returns and the seconds it took.
template <class Fill>
int report(Fill fill) {
    double start = seconds();
    auto values = fill();
    double took = seconds() - start;
    std::printf("%016llx %.9f\n", (unsigned long long)checksum(values), took);
    return 0;
}

inline int limit(int argc, char** argv, int place) {
    if (place >= argc) {
        std::fprintf(stderr, "a limit is missing\n");
        std::exit(2);
    }
    return std::atoi(argv[place]);
}
