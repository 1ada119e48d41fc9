#!/bin/sh
# What the processor counts in sections, by a system that is made up: few machines have counters.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&- # the program closes files by number: none may be inherited
PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig
export PKG_CONFIG_PATH

# Every reading is 1000 ns, 500 of them with counters, 1000 instructions, 2000 cycles and 3 misses after the one before.
cat >system.c <<'END'
#define _GNU_SOURCE
#include "perf-system.h"
static uint64_t times;
static int is_made_up(const struct perf_event_attr *event) { return event != NULL; }
static void set_readings(uint64_t *readings, uint64_t count) {
  times++;
  uint64_t all[] = {3, 1000 * times, 500 * times, 1000 * times, 2000 * times, 3 * times};
  if (count != 3)
    abort();
  memcpy(readings, all, sizeof all);
}
END
cat >sections.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cilkprof-annotate.h>
static volatile int sink;
static void section(const char *name, int inner) {
  PAR_SEC_BEGIN(name);
  PAR_TASK_BEGIN("task");
  for (int i = 0; i < 1000; i++)
    sink += i;
  if (inner)
    section("inner", 0);
  PAR_TASK_END();
  PAR_SEC_END(0);
}
int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 3; i++)
    section("first", 1);
  section("second", 0);
  if (argc == 2) { /* its files are all others' that it does not know */
    int first = open("sections.c", O_RDONLY);
    for (int file = 3; file < 1000; file++)
      close(file);
    int own = open("sections.c", O_RDONLY);
    if (first != own || dup2(own, 600) != 600)
      return 2;
    section("second", 0);
    char text[9];
    if (read(own, text, 8) != 8)
      return 1;
    text[8] = 0;
    puts(text);
  }
  if (argc == 3) {
    pid_t child = fork();
    if (child == 0) {
      section("second", 0);
      exit(0);
    }
    waitpid(child, NULL, 0);
  }
  for (int i = 0; argc == 4 && i < 5000; i++)
    section("many", 0);
  return 0;
}
END
# shellcheck disable=SC2046
${CC:-gcc} -O1 sections.c $(pkg-config --cflags --libs cilkprof-annotate) -o sections >said 2>&1 || give_up 'the program is compiled' said
${CC:-gcc} -shared -fPIC -I"$TOP/test/libcilkprof" system.c -o system.so -ldl >said 2>&1 || give_up 'the system is compiled' said

# counted FILE: what was, of each name.
counted() {
  cilkprof-report --file-info sections "$1" | sed -n 's/^\tcounted: *//p' | tr -d ,
}
# run ARGUMENT...
run() {
  CILKPROF_OUT=sections.out LD_PRELOAD=$PWD/system.so "$@" >printed 2>said </dev/null
  echo "status $?" >>said
  counted sections.out >got
}
echo 'status 0' >fine
run ./sections
same 'nothing is said' fine said
cat >wanted <<'END'
first: 3 times 3000 ns 6000 instructions 12000 cycles 18 misses
second: 1 times 1000 ns 2000 instructions 4000 cycles 6 misses
END
same 'sections that are in no other, by name' wanted got
run ./sections closes
same 'files that the program closes: nothing is said' fine said
same 'and no more is counted' wanted got
echo '#include' >wanted_text
same 'its own files are not read' wanted_text printed
rm -f sections.out*
CILKPROF_OUT=sections.out.%p LD_PRELOAD=$PWD/system.so ./sections forks twice
for file in sections.out.*; do
  counted "$file"
done | sort -u >got
same 'a process that was forked counts nothing of its own' wanted got
run ./sections very many sections
holds 'of many sections some are counted' grep -q '^many: 4096 times ' got
for forbidden in 0 1 2; do
  FORBIDDEN=$forbidden run ./sections
  same "counter $forbidden is forbidden: nothing is said" fine said
  same 'and nothing is counted' /dev/null got
done
CILKPROF_OUT=sections.out ./sections >printed 2>said
same 'on this machine nothing is said' /dev/null said
cilkprof-report -b --emulate=static sections sections.out >got 2>&1
holds 'and the report says what it has' grep -q '^  Memory: not modelled: \(the run had no hardware counters\|measure this machine first\)\|with memory$' got
finish
