// Programs with the faults that people make, each for a problem of the catalogue.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace std;

// acwing893: the marks are shared between the calls.
bool marked[20000];
int known[20000];
int shared_value(int n, const vector<int>& s) {
    if (known[n] >= 0) return known[n];
    memset(marked, 0, sizeof marked);
    for (int k : s)
        if (k <= n) marked[shared_value(n - k, s)] = true;
    int value = 0;
    while (marked[value]) ++value;
    return known[n] = value;
}
void shared_marks() {
    int k, n;
    cin >> k;
    vector<int> s(k);
    for (int& x : s) cin >> x;
    memset(known, -1, sizeof known);
    cin >> n;
    int sum = 0;
    for (int heap; n--;) cin >> heap, sum ^= shared_value(heap, s);
    cout << (sum ? "Yes" : "No") << '\n';
}

// 51nod1185: the golden ratio in floating point.
void floating_wythoff() {
    int t;
    cin >> t;
    for (long long a, b; t--;) {
        cin >> a >> b;
        if (a > b) swap(a, b);
        long long k = b - a;
        cout << ((long long)(k * (1 + sqrt(5.0)) / 2) == a ? "B" : "A") << '\n';
    }
}

// p2252: equal heaps are taken at once, and nobody thought of none.
void missing_zero() {
    long long a, b;
    cin >> a >> b;
    if (a > b) swap(a, b);
    long long k = b - a;
    bool lost = k > 0 && (long long)(k * (1 + sqrt(5.0L)) / 2) == a;
    cout << !lost << '\n';
}

// hdu4664: the period begins later than the table was looked at.
void early_period() {
    vector<int> g(34);
    for (int n = 2; n < 34; ++n) {
        vector<bool> mark(64);
        for (int a = 0; a <= n - 2; ++a) mark[g[a] ^ g[n - 2 - a]] = true;
        while (mark[g[n]]) ++g[n];
    }
    int t, n;
    cin >> t;
    while (t--) {
        cin >> n;
        int sum = 0;
        for (int planes; n--;) cin >> planes, sum ^= g[planes % 34];
        cout << (sum ? "Carol" : "Dave") << '\n';
    }
}

// acwing891: whoever moves last loses, but not in this problem.
void misere_rule() {
    int n;
    cin >> n;
    int sum = 0;
    bool large = false;
    for (int heap; n--;) cin >> heap, sum ^= heap, large |= heap > 1;
    cout << ((sum != 0) == large ? "Yes" : "No") << '\n';
}

// acwing894: no mark beyond the heap, but values are larger than heaps.
void few_marks() {
    int g[101] = {}, n;
    for (int h = 1; h <= 100; ++h) {
        vector<bool> mark(h + 1);
        for (int a = 0; a < h; ++a)
            for (int b = 0; b < h; ++b)
                if ((g[a] ^ g[b]) <= h) mark[g[a] ^ g[b]] = true;
        while (g[h] < h && mark[g[h]]) ++g[h];
    }
    cin >> n;
    int sum = 0;
    for (int heap; n--;) cin >> heap, sum ^= g[heap];
    cout << (sum ? "Yes" : "No") << '\n';
}

// so_digit: a call for each smaller number.
map<int, bool> outcome;
bool deep(int n, int rest) {
    volatile char frame[200];
    frame[0] = char(n);
    auto found = outcome.find(n);
    if (found != outcome.end()) return found->second;
    bool won = false;
    for (rest = n; rest; rest /= 10)
        if (int digit = rest % 10) won |= !deep(n - digit, frame[0]);
    return outcome[n] = won;
}
void deep_recursion() {
    int n;
    cin >> n;
    cout << (deep(n, 0) ? "first" : "second") << '\n';
}

// cses1730: the words of another problem.
void wrong_words() {
    int t, n;
    cin >> t;
    while (t--) {
        cin >> n;
        int sum = 0;
        for (int heap; n--;) cin >> heap, sum ^= heap;
        cout << (sum ? "First" : "Second") << '\n';
    }
}

// p1247: the heaps are counted from 0.
void from_zero() {
    int n;
    cin >> n;
    vector<int> heaps(n);
    int sum = 0;
    for (int& heap : heaps) cin >> heap, sum ^= heap;
    for (int i = 0; i < n; ++i)
        if ((heaps[i] ^ sum) < heaps[i]) {
            cout << heaps[i] - (heaps[i] ^ sum) << ' ' << i << '\n';
            heaps[i] ^= sum;
            for (int j = 0; j < n; ++j) cout << heaps[j] << " \n"[j + 1 == n];
            return;
        }
    cout << "lose\n";
}

// acwing893: the numbers that may be taken need not be in order.
void unsorted_set() {
    int k, n;
    cin >> k;
    vector<int> s(k), g(10001);
    for (int& x : s) cin >> x;
    for (int h = 1; h <= 10000; ++h) {
        vector<bool> mark(102);
        for (int x : s) {
            if (x > h) break;
            mark[g[h - x]] = true;
        }
        while (mark[g[h]]) ++g[h];
    }
    cin >> n;
    int sum = 0;
    for (int heap; n--;) cin >> heap, sum ^= g[heap];
    cout << (sum ? "Yes" : "No") << '\n';
}

// acwing891: it does not end where the nim-sum is 3.
void endless() {
    int n;
    cin >> n;
    int sum = 0;
    for (int heap; n--;) cin >> heap, sum ^= heap;
    for (volatile int wait = sum; wait == 3;) {}
    cout << (sum ? "Yes" : "No") << '\n';
}

// acwing891: a table as long as a heap is large.
void long_table() {
    int n;
    cin >> n;
    int sum = 0;
    for (int heap; n--;) {
        cin >> heap;
        vector<int> table(heap + 1, heap);
        sum ^= table[heap];
    }
    cout << (sum ? "Yes" : "No") << '\n';
}

// acwing891: right.
void right_program() {
    int n;
    cin >> n;
    int sum = 0;
    for (int heap; n--;) cin >> heap, sum ^= heap;
    cout << (sum ? "Yes" : "No") << '\n';
}

int main(int, char** arguments) {
    const map<string, void (*)()> programs = {
        {"shared marks", shared_marks},     {"floating Wythoff", floating_wythoff},
        {"missing zero", missing_zero},     {"early period", early_period},
        {"misere rule", misere_rule},       {"few marks", few_marks},
        {"deep recursion", deep_recursion}, {"wrong words", wrong_words},
        {"from zero", from_zero},           {"unsorted set", unsorted_set},
        {"endless", endless},               {"long table", long_table},
        {"right", right_program},
    };
    programs.at(arguments[1])();
}
