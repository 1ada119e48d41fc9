# What the tests of builds share: a program in C and in C++, and what its profile must say however it is built.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/libcilkprof/lib.sh"

cat >header.h <<'EOC'
#ifndef HEADER_H
#define HEADER_H
#include <cilk/cilk.h>
#include <stdio.h>
static int leaf(int n)
{
  volatile int x = n;
  return x + 1;
}
static int tree(int n)
{
  int a, b;
  if (n < 2)
    return leaf(n);
  a = cilk_spawn tree(n - 1);
  b = tree(n - 2);
  cilk_sync;
  return a + b;
}
#endif
EOC
cat >prog.c <<'EOC'
#include "header.h"
int main(void)
{
  int i, sum = 0, part[8];
  cilk_for (i = 0; i < 8; i++)
    part[i] = leaf(i);
  for (i = 0; i < 8; i++)
    sum += part[i];
  printf("%d %d\n", tree(8), sum);
  return 0;
}
EOC
cp prog.c prog.cc

# facts PROGRAM: the spawns and loops in its profile, with how often they ran; without places, which some inputs lack.
facts() {
  cilkprof-report --csv "$1" "$1.prof" | tr -d '"\r' |
    awk -F, '$4 == "spawn" || $4 == "loop" { sub(/\(int\)/, "", $5); sub(/\(int\)/, "", $6); sub(/ .*/, "", $6); print $4, $5, $6, $15 }' |
    sort
}
printf '%s\n' 'loop main cilk_for 1' 'spawn tree tree 33' >expected-facts

# right NAME PROGRAM: it prints what it should and has the right profile.
right() {
  rm -f "$2.prof"
  CILKPROF_OUT=$2.prof "./$2" >"$2.stdout" 2>&1 && facts "$2" >>"$2.stdout" 2>&1
  { echo '55 36' && cat expected-facts; } >wanted
  same "$1" wanted "$2.stdout"
}

# builds NAME COMMAND...: it makes ./program, says nothing, and the program is right.
builds() {
  name=$1
  shift
  rm -f program
  if "$@" >said 2>&1 && [ ! -s said ]; then right "$name" program; else fail "$name" said; fi
}
