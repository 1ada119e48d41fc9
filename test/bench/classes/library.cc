// Short calls of the C and of the C++ library, in a serial loop and in a parallel one.
// SPDX-License-Identifier: MIT

#include <cilk/cilk.h>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "construction.h"

static long parse(long i) {
  char text[32];
  snprintf(text, sizeof text, "%ld", i);
  return std::strtol(text, nullptr, 10) + static_cast<long>(std::strlen(text)) + std::atol(text);
}

static long append(long i) {
  std::string text = "a name that is not short";
  text += "and more of it";
  text.push_back(static_cast<char>('a' + i % 26));
  return static_cast<long>(text.size() + text.find('o'));
}

static double parallel_seconds;

static long sum_of(long n) {
  std::vector<long> results(static_cast<size_t>(n));
  long sum = 0;
  for (long i = 0; i < 5 * n; i++)
    sum += rand();
  double loop = cpu_seconds();
  cilk_for (long i = 0; i < n; i++)
    results[static_cast<size_t>(i)] = parse(i) + append(i);
  parallel_seconds = cpu_seconds() - loop;
  for (long result : results)
    sum += result;
  return sum;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? std::atol(argv[1]) : 400000;
  double begin = cpu_seconds();
  printf("%ld\n", sum_of(n));
  construction(cpu_seconds() - begin - parallel_seconds, parallel_seconds, one_grain(n));
  return 0;
}
