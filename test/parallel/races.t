#!/bin/sh
# ThreadSanitizer finds the races of compiled programs, and no sanitizer says anything of those that are right.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

PATH=$LIB/bin:$PATH
export TSAN_OPTIONS=atexit_sleep_ms=0
level=0 # or 1, in turn
for sanitizer in thread ${LONG:+address,undefined}; do
  for source in "$TOP"/test/parallel/language/*; do
    case $source in *.c) set -- gcc -std=gnu11 ;; *) set -- g++ -std=gnu++17 ;; esac
    name="${source##*/} with $sanitizer"
    "$@" -w -O$((level = 1 - level)) -fcilkplus -fsanitize=$sanitizer "$source" -o program -lm >said 2>&1 ||
      fail "$name: it compiles" said
    CILK_NWORKERS=4 timeout 300 ./program >got 2>&1
    grep -a 'Sanitizer\|runtime error' got >words
    same "$name" /dev/null words
  done
done
# Every kind of race is found, by a single worker too.
cat >races.c <<'EOC'
#include <cilk/cilk.h>
static int counter, table[100];
static __attribute__((noinline)) void add(int *to) { *to += 1; }
static __attribute__((noinline)) int got_early(void) {
  int early = 0;
  cilk_spawn add(&early);
  return early;
}
int main(int argc, char **argv) {
  (void)argc;
  switch (argv[1][0]) {
  case 'c':
    cilk_spawn add(&counter);
    counter++;
    cilk_sync;
    break;
  case 's':
    return got_early() < 0;
  case 'l':
    cilk_for (int i = 0; i < 100; i++) counter += table[i];
    break;
  case 'b':
    cilk_spawn { counter++; }
    counter++;
    cilk_sync;
    break;
  default:
    cilk_spawn add(&counter);
    cilk_sync;
    counter++;
    cilk_for (int i = 0; i < 100; i++) table[i] = counter;
    return counter + table[99] != 4;
  }
  return 0;
}
EOC
for language in c c++; do
  gcc -x $language -g -O1 -fcilkplus -fsanitize=thread races.c -o races >said 2>&1 || give_up "races.c as $language" said
  for workers in 1 4 ${LONG:+2}; do
    for race in 'child and continuation' 'sync that is missing' 'loop' 'block'; do
      CILK_NWORKERS=$workers ./races "$race" >got 2>&1
      holds "race, $language, $workers workers: $race" grep -q 'data race' got
    done
    CILK_NWORKERS=$workers ./races none >got 2>&1
    same "no race, $language, $workers workers" /dev/null got
  done
done

finish
