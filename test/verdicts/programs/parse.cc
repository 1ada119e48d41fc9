/* Reads a table of numbers from a text in memory, then computes the norms of its rows.
   SPDX-License-Identifier: MIT

   verdict: parse-rows | openmp | serial | parse | parse_table |
   colleague: The text is parsed serially, which takes longer than the parallel rest; parse_table() is inlined.
   verdict: parse-rows-cilk | cilk | serial | parse | parse_table |
   colleague: The text is parsed serially, which takes longer than the parallel rest; parse_table() is inlined.
   verdict: parse-rows-call | cilk -g -DNOINLINE | serial | parse | parse_table |
   colleague: parse_table() parses the text serially, which takes longer than the parallel rest.  */

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 8)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline)) static
#else
#define PART static inline
#endif

static const int rows = 2000, columns = 100;
using table = std::vector<std::vector<double>>;

/* Row R of the text.  */
static std::string make_row(int r) {
  std::string line;
  for (int c = 0; c < columns; c++) {
    int number = (r * 7919 + c * 104729) % 100003;
    char digits[12];
    int length = 0;
    for (; number > 0 || length == 0; number /= 10)
      digits[length++] = (char)('0' + number % 10);
    line.append(digits, length);
    line += c + 1 < columns ? ',' : '\n';
  }
  return line;
}

/* guilty: parse { */
PART table parse_table(const std::vector<std::string> &text) {
  table all;
  for (const std::string &line : text) {
    std::vector<double> row;
    double value = 0, scale = 1;
    for (char letter : line) {
      if (letter >= '0' && letter <= '9') {
        value = value * 10 + (letter - '0');
        scale = std::sqrt(scale * 100);
      } else {
        row.push_back(value / scale);
        value = 0, scale = 1;
      }
    }
    all.push_back(std::move(row));
  }
  return all;
}
/* guilty: parse } */

int main() {
  std::vector<std::string> text(rows);
  parallel_for(int r = 0; r < rows; r++) text[r] = make_row(r);
  table all = parse_table(text); /* guilty: parse */
  std::vector<double> norms(rows);
  parallel_for(int r = 0; r < rows; r++) {
    double sum = 0;
    for (double value : all[r])
      sum += std::pow(std::fabs(value), 3);
    norms[r] = std::cbrt(sum);
  }
  std::printf("%.6f\n", norms[rows / 2]);
  return 0;
}
