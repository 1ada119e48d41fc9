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

int main(int argc, char **argv) {
  long n = argc > 1 ? std::atol(argv[1]) : 400000, sum = 0;
  std::vector<long> results(static_cast<size_t>(n));
  double begin = cpu_seconds();
  for (long i = 0; i < 5 * n; i++)
    sum += rand();
  double loop = cpu_seconds();
  cilk_for (long i = 0; i < n; i++)
    results[static_cast<size_t>(i)] = parse(i) + append(i);
  construction(loop - begin, cpu_seconds() - loop, one_grain(n));
  for (long result : results)
    sum += result;
  printf("%ld\n", sum);
  return 0;
}
