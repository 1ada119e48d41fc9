#!/bin/sh
# Options that add or move passes of the compiler: the program computes the same, its spawns and loops count the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# Whether a call is one depends on what was inlined; spawns and loops do not.
facts() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    $at["kind"] ~ /spawn|loop/ { print $1, $2, $at["kind"], $at["caller"], $at["callee"], $at["on_work_local_count"] }' sites.csv | sort
}

# try PROGRAM SIZE OPTION...
try() {
  program=$1 size=$2
  shift 2
  compile -fcilkprof=count "$@" "$programs/$program.c" -o "$program" -lm
  profile "$program" "$size"
  if [ $# -eq 1 ]; then
    facts >"$program.facts" && cp "$program.stdout" "$program.output"
    holds "$program: there is something to compare" test -s "$program.facts"
    return
  fi
  same "$program $*: the output" "$program.output" "$program.stdout"
  facts >got
  same "$program $*: the same spawns and loops" "$program.facts" got
}

try_all() {
  try fib 15 "$@"
  try cholesky 40 "$@"
  try stencil 20 "$@"
}
# try_one OPTION...: with one of the programs.
try_one() {
  for what in 'fib 15' 'cholesky 40' 'stencil 20'; do
    ! in_turn 3 || try $what "$@"
  done
}
try_all -O2
try_one -O2 -fipa-pta
try_one -O2 -fopenacc
try_one -O2 -fopenmp
try_one -O2 -ftree-parallelize-loops=4
try_all -O2 -fprofile-generate=gcda
try_all -O2 -fprofile-use=gcda
try_one -O2 -fprofile-generate=gcda-atomic -fprofile-update=atomic
try_one -O2 -fno-early-inlining -fkeep-inline-functions
try_one -O2 -fsanitize=thread

# OpenMP runs the program's functions: they are entered from outside, and what they call counts.
cat >openmp.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
__attribute__((noinline)) int twice(int n) { volatile int x = n; return x + x; }
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(1)
  for (int i = 0; i < 10; i++) sum += twice(i);
  printf("%d\n", sum);
  return 0;
}
EOC
compile -O2 -fcilkprof=count -fopenmp openmp.c -o openmp
profile openmp
equal 'a parallel region of OpenMP: the output' 90 "$(cat openmp.stdout)"
equal 'a parallel region of OpenMP: its calls' 10 "$(field twice on_work_local_count)"

# A function whose first test is inlined and whose rest is called: these calls are where the function was called.
cat >split.c <<'EOC'
#include <stdlib.h>
struct node { struct node *left, *right; int value; };
static void drop(struct node *node) {
  if (!node) return;
  drop(node->left);
  drop(node->right);
  for (int i = 0; i < 40; i++) /* enough to stay a function */
    node->value = (node->value * 31 ^ i) + (node->value >> (i & 7)) - i % 3 * node->value + (i ^ node->value / 5);
  free(node);
}
static struct node *grow(int depth) {
  if (depth == 0) return NULL;
  struct node *node = malloc(sizeof *node);
  *node = (struct node){grow(depth - 1), grow(depth - 1), depth};
  return node;
}
int main(void) {
  drop(grow(4));
  drop(grow(3));
  return 0;
}
EOC
for options in -O2 '-O2 -g' '-O2 -flto'; do
  compile $options -fcilkprof=count split.c -o split
  profile split
  awk -F, '$5 == "main" && $6 == "drop" { print $1, $2 }' sites.csv | xargs >got
  equal "$options: calls of the rest of a function have a place" 'split.c 18 split.c 19' "$(cat got)"
done
finish
