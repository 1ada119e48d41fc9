#!/bin/sh
# Code that does little but call, with destructors and exceptions: instrumented, it is at most twice as large; where time
# is measured, the program without events is there as well.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >dense.cc <<'EOC'
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
struct Check {
  std::string text;
  explicit Check(const char *name);
  ~Check();
  Check &operator<<(const std::string &value);
  bool log();
};
std::string show(int value);
std::string show(const std::vector<int> &value);
static std::map<std::string, std::vector<int>> table;
static void add(const std::string &name, int value) {
  if (value < 0)
    throw std::out_of_range("negative " + name);
  table[name].push_back(value);
}
static int sum(const std::string &name) {
  int total = 0;
  for (int value : table.at(name))
    total += value;
  return total;
}
#define CHECK(a, b)                                                                                                    \
  do {                                                                                                                 \
    Check check(#a " == " #b);                                                                                         \
    try {                                                                                                              \
      if (!((a) == (b)))                                                                                               \
        check << show(a) << " and " << show(b);                                                                        \
    } catch (const std::exception &e) {                                                                                \
      check << e.what();                                                                                               \
    }                                                                                                                  \
    check.log();                                                                                                       \
  } while (0)
void checks() {
  add("one", 1);
  CHECK(sum("one"), 1);
  add("two", 2);
  add("two", 3);
  CHECK(sum("two"), 5);
  CHECK(table["one"], std::vector<int>({1}));
  CHECK(sum("none"), 0);
  std::string all;
  for (const auto &each : table)
    all += each.first + " " + show(each.second) + "\n";
  CHECK(static_cast<int>(all.size()), 7);
  table.clear();
  CHECK(static_cast<int>(table.size()), 0);
}
EOC
# text OPTION...: bytes of code.
text() {
  c++ -std=c++17 "$@" -c dense.cc -o dense.o && size -A dense.o | awk '$1 ~ /^\.text/ { sum += $2 } END { print sum + 0 }'
}
for level in -O2 ${LONG:+-O1}; do
  plain=$(text $level)
  for mode in count hybrid; do
    with=$(text $level -fcilkplus -fcilkprof=$mode)
    most=2
    [ $mode = count ] || most=3.5 # the program itself with a counter at every call, and beside every call of the library a place that is learnt from
    true_that "$level, $mode: $with bytes of code in place of $plain" \
      "$plain > 0 && $with > $plain && $with <= $most * $plain"
  done
done
finish
