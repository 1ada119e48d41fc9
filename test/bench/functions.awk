# A program with many functions that spawn, and call sites of which every worker reaches many: -v functions=N -v units=N.
# SPDX-License-Identifier: MIT

function put(text) { print text >file }
BEGIN {
  for (unit = 0; unit < units; unit++) {
    file = "unit-" unit ".c"
    first = int(functions * unit / units)
    last = int(functions * (unit + 1) / units)
    put("#include <cilk/cilk.h>")
    put("long unit_" unit "(int from, int to);")
    for (i = first; i < last; i++) {
      put("static __attribute__((noinline)) long leaf_" i "(long n) { for (int i = 0; i < 20; i++) n = n * 3 + " i "; return n; }")
      put("static __attribute__((noinline)) long part_" i "(int n) {")
      put("  if (n == 0) return leaf_" i "(n);")
      put("  long a = cilk_spawn part_" i "(n - 1), b = leaf_" i "(n) + part_" i "(n - 1);")
      put("  cilk_sync;")
      put("  return a + b;")
      put("}")
    }
    put("static long one(int which) {")
    put("  switch (which) {")
    for (i = first; i < last; i++)
      put("  case " i ": return part_" i "(5);")
    put("  }")
    put("  return 0;")
    put("}")
    put("long unit_" unit "(int from, int to) {")
    put("  if (to - from == 1) return one(from);")
    put("  int middle = (from + to) / 2;")
    put("  long a = cilk_spawn unit_" unit "(from, middle), b = unit_" unit "(middle, to);")
    put("  cilk_sync;")
    put("  return a + b;")
    put("}")
  }
  file = "unit-main.c"
  put("#include <cilk/cilk.h>")
  put("#include <stdio.h>")
  for (unit = 0; unit < units; unit++)
    put("long unit_" unit "(int from, int to);")
  put("int main(void) {")
  put("  unsigned long sum = 0;")
  put("  for (int round = 0; round < 10; round++) {")
  put("    long part[" units "];")
  for (unit = 0; unit < units; unit++)
    put("    part[" unit "] = cilk_spawn unit_" unit "(" int(functions * unit / units) ", " int(functions * (unit + 1) / units) ");")
  put("    cilk_sync;")
  put("    for (int i = 0; i < " units "; i++) sum += (unsigned long)part[i];")
  put("  }")
  put("  printf(\"%lu\\n\", sum);")
  put("  return 0;")
  put("}")
}
