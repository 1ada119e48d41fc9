#!/bin/sh
# Annotations of what could run in parallel: the tree that they leave, in any compiler, whatever they say.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig
export PKG_CONFIG_PATH
print_tree=$BUILD_DIR/test/libcilkprof/print-tree
flags=$(pkg-config --cflags --libs cilkprof-annotate)

# annotated NAME OPTION...: NAME.c, by a compiler that knows nothing of us, and run.
annotated() {
  program=$1
  shift
  # shellcheck disable=SC2086
  ${CC:-gcc} "$@" "$program.c" $flags -o "$program" >said 2>&1 || give_up "$program is compiled" said
  CILKPROF_OUT=$program.out "./$program" >"$program.stdout" 2>"$program.stderr"
}
# shape FILE: the tree without amounts of work.
shape() {
  "$print_tree" "$1" | sed '1d; s/^\( *\)[0-9]*/\1-/'
}
# shaped NAME: runs it again, a few times at most, until its tree is as wanted: on a busy machine equal tasks may not be equal.
shaped() {
  for _ in 1 2 3 4 5; do
    CILKPROF_TOLERANCE=100 CILKPROF_OUT=$1.out "./$1"
    shape "$1.out" >got
    cmp -s wanted got && break
  done
}

cat >six.c <<'END'
#include "cilkprof-annotate.h"
static volatile unsigned long sum;
static void work(unsigned long n) { while (n-- > 0) sum = sum + n; }
int main(void) {
  int i, j, total = 7;
  work(1000);
  PAR_SEC_BEGIN("loop1");
  for (i = 0; i < 2; i++) {
    PAR_TASK_BEGIN("t1");
    work(100000);
    LOCK_BEGIN(total);
    work(20000);
    LOCK_END(total);
    if (i == 1) {
      PAR_SEC_BEGIN("loop2");
      for (j = 0; j < 4; j++) {
        PAR_TASK_BEGIN("t2");
        work(40000);
        PAR_TASK_END();
      }
      PAR_SEC_END(1);
    }
    work(10000);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  work(1000);
  return 0;
}
END
cat >wanted <<'END'
- section loop1 0
  - task t1
    - lock total
      -
    -
  - task t1
    - lock total
      -
    - section loop2 1
      - task t2 x4
        -
      -
    -
  -
-
END
annotated six
shaped six
same 'the six annotations, by a compiler that knows nothing of them' wanted got
for language in c89 c99 c2x; do
  annotated six -std=$language -pedantic-errors -Wall -Werror
  shaped six
  same "the same in $language" wanted got
done
cp six.c six-cc.cc
for language in c++98 c++11 c++20; do
  # shellcheck disable=SC2086
  ${CXX:-g++} -std=$language -pedantic-errors -Wall -Wextra -Werror six-cc.cc $flags -o six-cc >said 2>&1 || give_up "six in $language" said
  shaped six-cc
  same "the same in $language" wanted got
done
compile -fcilkprof=count six.c -o six-count
CILKPROF_OUT=count.out ./six-count
shape count.out >got
same 'and in a program with events' wanted got
CILKPROF_TOLERANCE=0 CILKPROF_OUT=count.out ./six-count
"$print_tree" count.out x | cut -d ' ' -f 8 >got
cilkprof-report -b --summary six-count count.out | sed -n 's/,//g; s/^ *Work: *\([0-9]*\) .*/\1/p' >wanted
same 'whose work it is, exactly' wanted got

# What they cost elsewhere.
sed '/cilkprof-annotate/d; /PAR_\|LOCK_/d' six.c >bare.c
${CC:-gcc} -O2 -g0 -S bare.c -o bare.s
${CC:-gcc} -O2 -g0 -S -I "$BUILD_DIR/lib/cilkprof/include/annotate" six.c -o none.s
sed -i '/\.file\|\.ident/d' bare.s none.s
same 'without the flags they are nothing' bare.s none.s
# shellcheck disable=SC2046
${CC:-gcc} -O2 -g0 -S $(pkg-config --cflags cilkprof-annotate) -UCILKPROF_ANNOTATE -DCILKPROF_ANNOTATE=0 six.c -o none.s
sed -i '/\.file\|\.ident/d' none.s
same 'or where they are turned off' bare.s none.s

cat >advisor.c <<'END'
#include <advisor-annotate.h>
static int shared;
int main(void) {
  ANNOTATE_SITE_BEGIN(outer);
  for (int i = 0; i < 3; i++) {
    ANNOTATE_ITERATION_TASK(iteration);
    ANNOTATE_LOCK_ACQUIRE(&shared);
    shared++;
    ANNOTATE_LOCK_RELEASE(&shared);
  }
  ANNOTATE_SITE_END();
  ANNOTATE_SITE_BEGIN("two tasks");
  ANNOTATE_TASK_BEGIN(first);
  ANNOTATE_TASK_END(first);
  ANNOTATE_TASK_BEGIN(second);
  ANNOTATE_TASK_END();
  ANNOTATE_SITE_END(two);
  return 0;
}
END
CILKPROF_TOLERANCE=100 annotated advisor
shape advisor.out | sed 's/ x[0-9]*//' | grep -o '[a-z].*' | awk '!seen[$0]++' >got
printf '%s\n' 'section outer 0' 'task iteration' 'lock &shared' 'section two tasks 0' 'task first' 'task second' >wanted
same "Intel Advisor's names" wanted got

# A variable that names the lock which guards it.
cat >guards.c <<'END'
#include "cilkprof-annotate.h"
int main(void) {
  volatile double total = 0, other = 3;
  PAR_SEC_BEGIN("s");
  for (int i = 0; i < 3; i++) {
    PAR_TASK_BEGIN("t");
    LOCK_BEGIN(total);
    total = total + 10;
    LOCK_END(total);
    LOCK_BEGIN(other);
    LOCK_END(other);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  return 0;
}
END
compile -fcilkprof=count guards.c -o guards
CILKPROF_OUT=guards.out CILKPROF_TOLERANCE=100 ./guards 2>said
same 'a lock that is known by a value that changes: nothing is said' /dev/null said
shape guards.out | grep -c 'lock total' >got
echo 1 >wanted
same 'and it is one lock' wanted got

# Equal tasks are one, and a tree of count mode without tolerance is what happened.
cat >equal.c <<'END'
#include "cilkprof-annotate.h"
static volatile unsigned long sum;
int main(void) {
  PAR_SEC_BEGIN("loop");
  for (int i = 0; i < 1000000; i++) {
    PAR_TASK_BEGIN("t");
    for (int j = 0; j < 10 + (i >= 500000); j++)
      sum += j;
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  return 0;
}
END
compile -O1 -fcilkprof=count equal.c -o equal
CILKPROF_TOLERANCE=0 CILKPROF_OUT=equal.out ./equal
shape equal.out | grep -o 'task.*' >got
printf 'task t%s\n' '' ' x499999' ' x500000' >wanted
same 'a million tasks, without a tolerance' wanted got
CILKPROF_TOLERANCE=10 CILKPROF_OUT=equal.out ./equal
shape equal.out | grep -o 'task.*' >got
printf 'task t%s\n' '' ' x999999' >wanted # the gap before the first is another
same 'and with one' wanted got
annotated equal
holds 'timed, the file is small' test "$(wc -c <equal.out)" -lt 3000000
CILKPROF_TREE_MEMORY=1 CILKPROF_TOLERANCE=0 annotated equal
holds 'with little memory it is read as well' sh -c "'$print_tree' equal.out x | grep -q 'tree [123] '"

cat >wrong.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include "cilkprof-annotate.h"
static void handler(int signal) {
  (void)signal;
  PAR_SEC_BEGIN("handler");
  PAR_TASK_BEGIN("x");
  PAR_TASK_END();
  PAR_SEC_END(0);
}
int main(void) {
  signal(SIGUSR1, handler);
  PAR_TASK_END();
  PAR_SEC_END(0);
  PAR_TASK_BEGIN("outside");
  PAR_TASK_END();
  LOCK_BEGIN(3);
  LOCK_END(3);
  LOCK_END(3);
  PAR_SEC_BEGIN("s");
  for (int i = 0; i < 3; i++) {
    PAR_TASK_BEGIN("t");
    LOCK_BEGIN(1);
    raise(SIGUSR1);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  LOCK_BEGIN(4);
  LOCK_BEGIN(5);
  LOCK_END(4);
  LOCK_END(5);
  PAR_SEC_BEGIN("open");
  PAR_TASK_BEGIN("t");
  LOCK_BEGIN(9);
  exit(0);
}
END
CILKPROF_TOLERANCE=100 annotated wrong
cat >wanted <<'END'
cilkprof: wrong.c:13: PAR_TASK_END without a PAR_TASK_BEGIN; it is ignored
cilkprof: wrong.c:14: PAR_SEC_END without a PAR_SEC_BEGIN; it is ignored
cilkprof: wrong.c:15: PAR_TASK_BEGIN outside of any section; is a PAR_SEC_BEGIN missing?
cilkprof: wrong.c:19: LOCK_END without a LOCK_BEGIN; it is ignored
cilkprof: wrong.c:25: PAR_TASK_END inside an unfinished lock (wrong.c:23); is a LOCK_END missing?
END
same 'what does not match is said once, with both places' wanted wrong.stderr
cat >wanted <<'END'
lock 3
section s 0
task t
lock 1
section handler 0
task x
lock 4
lock 5
lock 5
section open 0
lock 9
END
shape wrong.out | grep -o '[a-z].*' | sed 's/ x[0-9][0-9]*$//' | awk '!seen[$0]++ || /lock 5/' >got
same 'and the rest is there, up to the end in a section' wanted got
"$print_tree" wrong.out x | cut -d ' ' -f 1-2 >got
echo 'tree 12' >wanted
same 'the tree says both' wanted got

# A run that is killed has what was asked for before.
cat >killed.c <<'END'
#include <signal.h>
#include <unistd.h>
#include "cilkprof-annotate.h"
int main(void) {
  PAR_SEC_BEGIN("loop");
  for (int i = 0; i < 100; i++) {
    PAR_TASK_BEGIN("task");
    if (i == 50)
      raise(SIGUSR1);
    if (i == 60)
      kill(getpid(), SIGKILL);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
}
END
(CILKPROF_SIGNAL=USR1 CILKPROF_TOLERANCE=100 annotated killed) >/dev/null 2>&1
cilkprof-report -b --emulate=greedy --processors=1 killed killed.out 2>&1 | grep Recorded >got
echo '  Recorded:               1 section, 51 tasks' >wanted
same 'a profile is written on request, in a section' wanted got
cilkprof-report --emulate killed killed.out.*.live >got 2>&1
holds 'of what is left otherwise it is said that the tree is not there' grep -q 'the program was killed, so there is no tree of tasks' got

cat >deep.c <<'END'
#include <stdlib.h>
#include "cilkprof-annotate.h"
int main(int argc, char **argv) {
  int depth = atoi(argv[argc - 1]);
  for (int i = 0; i < depth; i++) {
    PAR_SEC_BEGIN("s");
    PAR_TASK_BEGIN("t");
  }
  for (int i = 0; i < depth; i++) {
    PAR_TASK_END();
    PAR_SEC_END(0);
  }
  return 0;
}
END
# shellcheck disable=SC2086
${CC:-gcc} deep.c $flags -o deep
for depth in 10000 100000; do
  ./deep $depth 2>said
  same "sections nested $depth deep: nothing is said" /dev/null said
  "$print_tree" cilkprof.out x | cut -d ' ' -f 1-2 >got
  [ $depth = 10000 ] && echo 'tree 0' >wanted || echo 'tree 2' >wanted
  same 'and the tree is there' wanted got
done

cat >threads.c <<'END'
#include <pthread.h>
#include "cilkprof-annotate.h"
static void *run(void *nothing) {
  for (int i = 0; i < 1000; i++) {
    PAR_SEC_BEGIN("other");
    PAR_SEC_END(0);
  }
  return nothing;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  for (int i = 0; i < 1000; i++) {
    PAR_SEC_BEGIN("own");
    PAR_SEC_END(0);
  }
  return pthread_join(thread, NULL);
}
END
CILKPROF_TOLERANCE=100 annotated threads -pthread
shape threads.out | grep -o '[a-z].*' | sed 's/ x[0-9][0-9]*$//' | sort -u >got
echo 'section own 0' >wanted
same 'other threads are left alone' wanted got
finish
