#!/bin/sh
# Tools of the user's own: callbacks at the entry, the syncs and the end of every function; the profile is as ever.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >tool.c <<'EOC'
#include <cilkprof.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static void say(const char *what, struct cilkprof_invocation *i) {
  int depth = 0;
  for (struct cilkprof_invocation *p = i->parent; p; p = p->parent) depth++;
  printf("%*s%s %s%s from %s%s\n", depth, "", what, i->spawned ? "spawned " : "", i->function,
         *i->caller ? i->caller : "outside", i->extra ? " *" : "");
}
static void enter(struct cilkprof_invocation *i) { say("enter", i); i->extra = i; }
static void join(struct cilkprof_invocation *i) { say("sync", i); }
static void leave(struct cilkprof_invocation *i) { say("leave", i); }
const struct cilkprof_callbacks tool = {enter, join, leave};
EOC
cat >program.cc <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <cstdlib>
#include <csetjmp>
extern "C" {
extern const struct cilkprof_callbacks tool;
static jmp_buf back;
__attribute__((noinline)) int leaf(int n) { volatile int x = n; return x; }
__attribute__((noinline)) static int parent(int n) { int a = cilk_spawn leaf(n); int b = leaf(n); cilk_sync; leaf(n); return a + b; }
__attribute__((noinline)) void throws(int n) { leaf(n); throw n; }
__attribute__((noinline)) void jumps(int n) { cilk_spawn leaf(n); longjmp(back, 1); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
}
int main() {
  int two[] = {2, 1};
  if (cilkprof_register_callbacks(&tool) != 0) return 3;
  parent(1);
  try { throws(1); } catch (int) { }
  if (!setjmp(back)) jumps(1);
  qsort(two, 2, sizeof *two, compare);
  cilkprof_register_callbacks(NULL);
  leaf(1);
}
EOC
cat >wanted <<'EOC'
 enter parent from main
  enter spawned leaf from parent
  leave spawned leaf from parent *
  enter leaf from parent
  leave leaf from parent *
 sync parent from main *
  enter leaf from parent
  leave leaf from parent *
 leave parent from main *
 enter throws from main
  enter leaf from throws
  leave leaf from throws *
 leave throws from main *
 enter jumps from main
  enter spawned leaf from jumps
  leave spawned leaf from jumps *
 leave jumps from main *
 enter compare from outside
 leave compare from outside *
EOC
gcc -O2 -I"$TOP/libcilkprof/include" -c tool.c -o tool.o
for level in -O0 -O2 '-O2 -flto'; do
  for mode in count hybrid clock whatif; do
    c++ -fcilkplus $level -fcilkprof=$mode -fcilkprof-callbacks program.cc tool.o -o program >said 2>&1 || fail "$level $mode: compiles" said
    profile program
    equal "$level $mode: status" 0 $status
    same "$level $mode: every function, in the order of the program" wanted program.stdout
  done
done
c++ -fcilkplus -O2 -fcilkprof=count program.cc tool.o -o program
profile program
equal 'without the option nothing is called' 3 "$status$(cat program.stdout)"

# The profile of a program with callbacks is that of the program, whatever the tool does.
cat >fib.c <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
extern const struct cilkprof_callbacks tool;
__attribute__((noinline)) int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
__attribute__((noinline)) int loop(int n) { int s = 0; cilk_for (int i = 0; i < n; i++) s += fib(i); return s; }
int main(void) { cilkprof_register_callbacks(&tool); return loop(10) != 88; }
EOC
compile -O2 -fcilkprof=count fib.c tool.o -o fib
profile fib
grep -v ',main,' sites.csv >wanted
compile -O2 -fcilkprof=count -fcilkprof-callbacks fib.c tool.o -o fib
profile fib
grep -v ',main,' sites.csv >got
same 'the profile of a program with a tool is that of the program' wanted got
true_that 'the tool was called' "$(grep -c enter fib.stdout) == $(total on_work_local_count) - 2"
finish
