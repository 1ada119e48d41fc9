# Prints C with many call sites.  awk [-v units=100] -v sites=1000 -f sites.awk
# SPDX-License-Identifier: MIT
#
# Without units: the function unit, which has so many sites and reaches each of them once.  With units: a program that
# calls unit_0, unit_1 ... and checks how often their sites were reached.

BEGIN {
  if (units)
    print_program()
  else
    print_unit()
}

function print_unit(    s) {
  print "#include <cilk/cilk.h>"
  print "__attribute__((noinline)) static void count(volatile long *counter) {\n  ++*counter;\n}"
  print "void unit(volatile long *counter) {"
  for (s = 1; s <= sites; ++s)
    print "  cilk_spawn count(counter);" (s % 100 == 0 ? "\n  cilk_sync;" : "")
  print "}"
}

function print_program(    u) {
  print "#include <stdio.h>"
  for (u = 0; u < units; ++u)
    printf "void unit_%d(volatile long *counter);\n", u
  print "int main(void) {\n  volatile long counter = 0;"
  for (u = 0; u < units; ++u)
    printf "  unit_%d(&counter);\n", u
  printf "  printf(\"%%ld sites reached\\n\", counter);\n  return counter == %d ? 0 : 1;\n}\n", units * sites
}
