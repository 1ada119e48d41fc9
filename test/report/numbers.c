/* The fast formats print what printf prints.  Prints the values for which they do not, and how many were tried.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support/numbers.h"

static unsigned long tried;

/* Compares a number with decimals with what printf prints.  */
static void test_report_try_fixed(int width, int decimals, double value) {
  static char got[8192], wanted[8192];
  struct line line = {.out = fmemopen(got, sizeof got, "w")};
  line_add_fixed(&line, width, decimals, value);
  line_flush(&line);
  fputc(0, line.out);
  fclose(line.out);
  snprintf(wanted, sizeof wanted, "%*.*f", width, decimals, value);
  tried++;
  if (strcmp(got, wanted) != 0)
    printf("%a with %d decimals: %s instead of %s\n", value, decimals, got, wanted);
}

/* Compares an integer with what printf prints.  */
static void test_report_try_integer(int width, uint64_t value) {
  char got[64], wanted[64];
  struct line line = {.out = fmemopen(got, sizeof got, "w")};
  line_add_integer(&line, width, value);
  line_flush(&line);
  fputc(0, line.out);
  fclose(line.out);
  snprintf(wanted, sizeof wanted, "%*llu", width, (unsigned long long)value);
  tried++;
  if (strcmp(got, wanted) != 0)
    printf("%s instead of %s\n", got, wanted);
}

/* Tries values at which rounding is decided, random ones, and integers of every length.  Always returns 0: the test
   compares what is printed.  */
int main(void) {
  static const double ties[] = {0,     0.5,   1.5,     2.5,  0.005, 0.015, 0.025,    0.125, 1.005,
                                2.675, 1e-10, 0.00005, 99.5, 999.5, 4e7,   1e12 / 3, 1e300, -1.25};
  srand48(1);
  for (int decimals = 0; decimals <= 5; decimals++) {
    for (size_t i = 0; i < sizeof ties / sizeof *ties; i++)
      test_report_try_fixed((int)i - 8, decimals, ties[i]);
    for (int i = 0; i < 5000; i++) {
      double value = drand48() * (i % 3 == 0 ? 1e3 : i % 3 == 1 ? 1 : 1e8);
      test_report_try_fixed(8, decimals, value);
      test_report_try_fixed(0, decimals,
                            (double)(long)(value * 1000) / 1000 + 0.0005); /* near the middle of two numbers */
    }
  }
  for (int bits = 0; bits < 64; bits++) {
    test_report_try_integer(bits - 32, UINT64_C(1) << bits);
    test_report_try_integer(8, (UINT64_C(1) << bits) - 1);
  }
  test_report_try_integer(0, UINT64_MAX);
  printf("tried %lu\n", tried);
  return 0;
}
