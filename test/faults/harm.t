#!/bin/sh
# The program is what it is without the profiler: what it prints and returns, and all that it can see of itself.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >state.c <<'EOC'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static void state(const char *when) {
  int error = errno;
  printf("%s: errno %d, exceptions %d, rounding %d, locale %s\n", when, error, fetestexcept(FE_ALL_EXCEPT), fegetround(), setlocale(LC_ALL, NULL));
  sigset_t mask;
  struct sigaction action;
  stack_t stack;
  struct itimerval timer;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  for (int i = 1; i < 65; i++)
    if (i != SIGSTKFLT /* that of samples, which no program uses */ && sigaction(i, NULL, &action) == 0 && (sigismember(&mask, i) || action.sa_handler != SIG_DFL))
      printf("signal %d: blocked %d, ignored %d\n", i, sigismember(&mask, i), action.sa_handler == SIG_IGN);
  sigaltstack(NULL, &stack);
  getitimer(ITIMER_REAL, &timer);
  printf("other stack %d, timer %ld\n", stack.ss_flags, (long)timer.it_value.tv_sec);
  for (int i = 0; i < 64; i++)
    if (fcntl(i, F_GETFD) >= 0) printf("descriptor %d: %d\n", i, fcntl(i, F_GETFD));
  for (char **e = environ; *e; e++) printf("%s\n", *e);
  for (int i = 0; i < RLIM_NLIMITS; i++) {
    struct rlimit limit;
    if (getrlimit((enum __rlimit_resource)i, &limit) == 0) printf("limit %d: %ld %ld\n", i, (long)limit.rlim_cur, (long)limit.rlim_max);
  }
  mode_t mode = umask(022);
  umask(mode);
  char folder[4096];
  printf("mask %o, folder %s, children %d\n", (unsigned)mode, getcwd(folder, sizeof folder), waitpid(-1, NULL, WNOHANG) < 0);
  errno = error;
}
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
__attribute__((noinline)) double divide(double a, double b) { return a / b; }
static void at_exit(void) { state("exit handler"); }
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int values[] = {3, 1, 2};
  errno = 77;
  state("start");
  atexit(at_exit);
  fib(10);
  state("after fib");
  errno = 78;
  cilk_spawn fib(3);
  cilk_sync;
  cilk_for (int i = 0; i < 100; i++) fib(2);
  qsort(values, 3, sizeof *values, compare);
  state("after loops");
  fesetround(FE_UPWARD);
  divide(1, 3);
  feraiseexcept(FE_DIVBYZERO);
  errno = 79;
  fib(5);
  state("after floating point");
  int pid = fork();
  if (pid == 0) { fib(3); state("child"); fflush(stdout); _exit(errno == 79 ? 5 : 6); }
  int status;
  waitpid(pid, &status, 0);
  printf("open: %d\n", open("/dev/null", O_RDONLY));
  return WEXITSTATUS(status);
}
EOC
compile -fcilkplus=serial -O1 state.c -o plain -lm
CILKPROF_OUT=state.prof CILKPROF_LIVE=1
export CILKPROF_OUT CILKPROF_LIVE

# compare NAME COMMAND...: the command before both programs.
compare() {
  name=$1
  shift
  "$@" ./plain >wanted 2>wanted-errors
  echo "status $?" >>wanted
  "$@" ./state >got 2>got-errors
  echo "status $?" >>got
  tried faults
  if cmp -s wanted-errors got-errors || [ ! -s got-errors ]; then same "$name" wanted got; else fail "$name" got-errors; fi
}
for mode in count hybrid clock; do
  compile -O1 -fcilkprof=$mode state.c -o state -lm
  compare "$mode: errno, signals, descriptors, environment, limits, locale and floating point are as without" env
done
compare 'with signals that are ignored and blocked' sh -c 'trap "" HUP PIPE; exec "$0"'
compare 'with a closed standard error' sh -c 'exec "$0" 2>&-'
compare 'with a closed standard input' sh -c 'exec "$0" <&-'
for allocator in libjemalloc.so.2 libtcmalloc_minimal.so.4; do
  library=$(ls /usr/lib/*/$allocator 2>/dev/null | head -n 1)
  [ -z "$library" ] || compare "with $allocator" env LD_PRELOAD="$library"
done

# Symbols: nothing of the library but what its names say.
readelf -W --dyn-syms "$BUILD_DIR/lib/cilkprof/libcilkprof.so" |
  awk '$6 == "DEFAULT" && $7 != "UND" && $8 { print $8 }' >names # hidden ones, where our code begins and ends, may be there
fault 'the symbols of libcilkprof.so' 'all begin with __cilkprof_' sh -c '! grep -v "^__cilkprof_" names'
nm -D --defined-only state | awk '{ print $3 }' >names
nm -D --defined-only plain | awk '{ print $3 }' >plain-names
fault 'the symbols that a program exports' 'those that it exports without, and __cilkprof_...' \
  sh -c '! grep -v -x -F -f plain-names names | grep -v "^__cilkprof_"'

# Sanitizers, and valgrind.
cat >fib.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(void) { int *p = malloc(sizeof *p); *p = fib(15); printf("%d\n", *p); free(p); return 0; }
EOC
for sanitizer in address undefined thread; do
  if cc -fcilkplus=serial -fsanitize=$sanitizer fib.c -o fib 2>/dev/null && ./fib >wanted 2>/dev/null; then
    rm -f state.prof
    compile -g -fsanitize=$sanitizer -fcilkprof=count fib.c -o fib
    ./fib >got 2>stderr
    fault "-fsanitize=$sanitizer" 'the same output, nothing found, and a profile' sh -c 'cmp wanted got && test ! -s stderr && cilkprof-report -p fib state.prof'
  fi
done
compile -g -fcilkprof=count fib.c -o fib
rm -f state.prof
valgrind -q --error-exitcode=9 ./fib >got 2>stderr
fault 'valgrind' 'nothing found, and a profile' sh -c "test $? = 0 && cilkprof-report -p fib state.prof"

# A process that may open no file from some time on.
cat >locked.c <<'EOC'
#include <cilk/cilk.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
int f(int n) { volatile int x = n; return x; }
int main(void) {
  struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, filter};
  int a = cilk_spawn f(7);
  cilk_sync;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 9;
  puts("locked");
  return a;
}
EOC
compile -O1 -fcilkprof=count locked.c -o locked
rm -f state.prof*
./locked >got 2>stderr
fault 'seccomp: no file can be opened' 'the same status and output, one line, and the live file' \
  sh -c "test $? = 7 -a \"\$(cat got)\" = locked && test \$(wc -l <stderr) = 1 && grep -q 'Permission denied; only its .live file is left' stderr && cilkprof-report -p locked state.prof.*.live"

if [ "$(id -u)" = 0 ]; then
  mkdir -p root/out
  compile -O1 -static -fcilkprof=count fib.c -o root/fib
  (cd root && CILKPROF_OUT=/out/prof chroot . /fib) >got 2>stderr
  fault 'a chroot without /proc' 'the same output, and a profile' sh -c 'cmp wanted got && test ! -s stderr && cilkprof-report --force -p root/fib root/out/prof'
fi
finish
