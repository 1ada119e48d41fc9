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
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int opened;
static uint64_t readings;
/* The files of counters are those of a device that nobody else opens.  */
static int is_counter(int file) {
  struct stat here, device;
  return fstat(file, &here) == 0 && stat("/dev/full", &device) == 0 && here.st_rdev == device.st_rdev;
}
long syscall(long number, ...) {
  static long (*other)(long, ...);
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (number != SYS_perf_event_open) {
    if (!other)
      other = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return other(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  if (getenv("FORBIDDEN") && opened == atoi(getenv("FORBIDDEN"))) {
    errno = EACCES;
    return -1;
  }
  if (opened++ > 0 && !is_counter((int)a[3]))
    abort();
  return open("/dev/full", O_RDONLY | O_CLOEXEC);
}
int ioctl(int file, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  uint64_t *id = va_arg(list, uint64_t *);
  va_end(list);
  if (is_counter(file) && request == PERF_EVENT_IOC_ID) {
    *id = 4711;
    return 0;
  }
  errno = ENOTTY;
  return -1;
}
ssize_t read(int file, void *to, size_t size) {
  static ssize_t (*other)(int, void *, size_t);
  if (is_counter(file)) {
    readings++;
    uint64_t values[] = {3, 1000 * readings, 500 * readings, 1000 * readings, 2000 * readings, 3 * readings};
    if (size < sizeof values)
      abort();
    memcpy(to, values, sizeof values);
    return sizeof values;
  }
  if (!other)
    other = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
  return other(file, to, size);
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
${CC:-gcc} -shared -fPIC system.c -o system.so -ldl >said 2>&1 || give_up 'the system is compiled' said

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
