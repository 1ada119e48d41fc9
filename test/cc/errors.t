#!/bin/sh
# Misuse of the keywords is an error with its place, with and without instrumentation.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >spawn.c <<'EOC'
#include <cilk/cilk.h>
int f(int);
int g(int x) {
  int y = cilk_spawn x + f(1);
  cilk_spawn x;
  y = cilk_spawn 3;
  return y + cilk_spawn f(x);
}
EOC
cat >loop.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
int g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (i == 3)
      break;
    while (i) break;
    switch (i) { case 1: break; }
  }
  cilk_for (int i = 0; i < n; i++)
    for (;;) { if (i) return 1; }
  cilk_for (int i = 0; i < n; i++) f(i);
  return 0;
}
EOC
cat >grain.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
void g(int n) {
#pragma cilk grainsize 3
#pragma cilk grainsize = "x"
#pragma cilk grainsize = n * 2
  cilk_for (int i = 0; i < n; i++) f(i);
}
EOC
cat >goto.c <<'EOC'
#include <cilk/cilk.h>
void f(int);
void g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (i == 1)
      goto inside;
    f(i);
  inside:
    f(2);
  }
  cilk_for (int i = 0; i < n; i++)
    for (;;) {
      f(i);
      if (i) { goto outside; }
    }
outside:
  f(3);
}
EOC
for name in spawn loop grain goto; do cp $name.c $name.cc; done
for options in '-fcilkplus' '-fcilkplus -fcilkprof'; do
  for end in c cc; do
    rejects "$end $options: cilk_spawn before a sum" 4:11 'cilk_spawn.* must be followed by a function call' spawn.$end $options
    rejects "$end $options: cilk_spawn before a name" 5:3 'cilk_spawn.* must be followed by a function call' spawn.$end $options
    rejects "$end $options: cilk_spawn before a number" 6:7 'cilk_spawn.* must be followed by a function call' spawn.$end $options
    equal "$end $options: and no other error" 3 "$(grep -c error: said)"
    rejects "$end $options: break out of a cilk_for" 6:7 'break.* out of a .cilk_for' loop.$end $options
    rejects "$end $options: return out of a cilk_for" 11:30 'return.* out of a .cilk_for' loop.$end $options
    equal "$end $options: and no other error" 2 "$(grep -c error: said)"
    rejects "$end $options: a pragma without =" 4:24 'expected .=.' grain.$end $options
    rejects "$end $options: a grain size that is no number" 5:26 'needs an integer' grain.$end $options
    rejects "$end $options: a grain size that is a product" 6:26 'needs an integer' grain.$end $options
    rejects "$end $options: goto out of a cilk_for" '14:[0-9]*' 'goto.* out of a .cilk_for' goto.$end $options
    equal "$end $options: and no other error" 1 "$(grep -c error: said)"
  done
done
finish
