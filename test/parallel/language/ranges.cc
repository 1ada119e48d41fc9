/* The variable of a range-based cilk_for is each iteration's own, whatever its type.
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk.h>
#include <atomic>
#include <cstdio>
#include <sched.h>
#include <string>
#include <utility>
#include <vector>

struct Named {
  int number;
  std::string name;
};

static std::atomic<int> wrong{0};

static void references(std::vector<int> &v) {
  cilk_for (int &each : v) {
    int *mine = &each;
    sched_yield();
    wrong += mine != &each;
    each += 2;
  }
  cilk_for (int each : v) {
    int mine = each;
    sched_yield();
    wrong += mine != each;
  }
}

static void objects(std::vector<Named> &v) {
  cilk_for (Named each : v) {
    int mine = each.number;
    sched_yield();
    wrong += each.number != mine || each.name != std::to_string(mine);
    each.name += " and more than what fits in a short string";
  }
  cilk_for (auto &[number, name] : v) {
    int mine = number;
    sched_yield();
    wrong += number != mine || name != std::to_string(mine);
    name += "x";
  }
  cilk_for (auto [number, name] : v) {
    int mine = number;
    sched_yield();
    wrong += number != mine || name != std::to_string(mine) + "x";
    name += "y";
  }
}

static void pairs(std::vector<std::pair<int, long>> &v) {
  cilk_for (auto [a, b] : v) {
    int mine = a;
    sched_yield();
    wrong += a != mine || b != 2 * mine;
  }
  cilk_for (auto &&[a, b] : v)
    cilk_spawn [&first = a] { first += 3; }();
}

static void nested(const std::vector<Named> &outer, const std::vector<int> &inner) {
  cilk_for (const auto &each : outer) {
    auto number = [&] {
      sched_yield();
      return each.number;
    };
    int mine = each.number;
    cilk_for (const int &other : inner) {
      sched_yield();
      wrong += other != 2 || each.number != mine;
    }
    wrong += number() != mine;
  }
}

int main() {
  std::vector<int> v(200);
  std::vector<Named> names(50);
  std::vector<std::pair<int, long>> both;
  for (int i = 0; i < 50; i++) {
    names[static_cast<size_t>(i)] = {i, std::to_string(i)};
    both.push_back({i, 2 * i});
  }
  references(v);
  objects(names);
  pairs(both);
  nested(names, v);
  printf("%d %d %s %d\n", wrong.load(), v[199], names[49].name.c_str(), both[49].first);
}
