#!/bin/sh
# Signal handlers that call instrumented code leave the profile of what they interrupt as it is.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >signals.c <<'EOC'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
enum { MOST = 24, ROOM = 1 << 18 }; /* handlers inside each other: more than the engine tells apart; bytes of stack for them */
#ifdef __x86_64__ /* qemu 7.2 enters a handler with a stack that is not aligned */
#define ALIGNED __attribute__((force_align_arg_pointer))
#else
#define ALIGNED
#endif
static volatile int handled, nested, deepest;
static char *stack;
static jmp_buf out;
static int how;
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static void interrupt_soon(void) {
  struct itimerval soon = {{0, 0}, {0, 100}};
  setitimer(ITIMER_REAL, &soon, NULL);
}
/* The next signal comes while this one is handled, where the machine is slow, or is made to come.  */
ALIGNED static void handler(int signal) {
  if (++nested > deepest) deepest = nested;
  if (how != 'd' && stack - (char *)__builtin_frame_address(0) < ROOM) interrupt_soon();
  fib(5);
  if (how == 'd' && nested < MOST) raise(signal);
  fib(5);
  nested--;
  if (++handled == 50 && how == 'j') longjmp(out, 1);
  if (handled == 50 && how == 'e') exit(3);
}
int main(int argc, char *argv[]) {
  how = argv[argc - 1][0];
  stack = __builtin_frame_address(0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NODEFER};
  struct itimerval never = {{0, 0}, {0, 0}};
  sigaction(SIGALRM, &action, NULL);
  if (!setjmp(out)) {
    if (how != 'n') interrupt_soon();
    fib(28);
    while (how != 'n' && handled < 50) {
      interrupt_soon();
      fib(20);
    }
  }
  setitimer(ITIMER_REAL, &never, NULL);
  printf("%d\n", handled >= 50 && (how != 'd' || deepest >= MOST));
  return 0;
}
EOC
for mode in count hybrid clock forks; do
  option=-fcilkprof=$mode
  [ $mode != forks ] || option=-fcilkprof # where the handler has no events
  compile -O2 $option signals.c -o signals
  profile signals none
  field 'main>fib' on_work_top_call_site_work >wanted
  for run in 1 2 3; do
    for how in interrupted deeply; do
      profile signals $how
      equal "$mode, run $run: the program runs, and was $how interrupted" '0 1' "$status $(cat signals.stdout)"
      [ $mode = count ] || continue
      equal "$mode, run $run: the call that was $how interrupted has the same work" "$(cat wanted)" "$(field 'main>fib' on_work_top_call_site_work)"
    done
  done
  for run in 1 2 3 4 5; do # wherever it interrupts
    profile signals jump
    equal "$mode, run $run: a handler that jumps away" '0 1' "$status $(cat signals.stdout)"
    profile signals exit
    equal "$mode, run $run: a handler that exits" 3 "$status"
  done
done

# flagged: whether the profile says that something is missing.
flagged() {
  grep -c 'did not finish' summary.txt
}

# A handler that another unit installs; it interrupts main between two calls, where what returned last is not yet another's.
cat >install.c <<'EOC'
#include <signal.h>
#include <stdlib.h>
extern void on_signal(int), on_count(int), on_details(int, siginfo_t *, void *);
static volatile int sum;
__attribute__((noinline)) static void one(int n) { for (int i = 0; i < n; i++) sum += i; }
int main(int argc, char *argv[]) {
  struct sigaction action = {.sa_sigaction = on_details, .sa_flags = SA_SIGINFO};
  int signals = atoi(argv[argc - 1]);
  signal(SIGUSR1, on_signal);
  signal(SIGURG, on_count);
  sigaction(SIGUSR2, &action, NULL);
  for (int i = 0; i < 10; i++) {
    one(10);
    raise(signals ? SIGUSR1 : SIGWINCH);
    one(20);
    raise(signals ? SIGUSR2 : SIGWINCH);
    one(30);
    raise(signals ? SIGURG : SIGWINCH);
    on_count(i);
  }
  return 0;
}
EOC
cat >installed.c <<'EOC'
#include <signal.h>
extern void on_signal(int), on_count(int), on_details(int, siginfo_t *, void *);
static volatile int sum;
__attribute__((noinline)) static void note(int n) { sum += n; }
void on_count(int number) { sum += number; }
void on_signal(int number) { for (int i = 0; i < 10; i++) note(i); note(number); }
void on_details(int number, siginfo_t *details, void *context) { (void)details; (void)context; note(number); }
EOC
# Where control goes when a handler jumps.
cat >jump.c <<'EOC'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
extern void interrupt(void);
static sigjmp_buf out;
static volatile int sum, *volatile nowhere;
static void jump(int number) { siglongjmp(out, number); }
__attribute__((no_instrument_function)) static void jump_unseen(int number) { siglongjmp(out, number); }
__attribute__((noinline)) static void leaf(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) static void calls(int n) { for (int i = 0; i < n; i++) leaf(1); }
__attribute__((noinline)) static void interrupted(void) { *nowhere = 1; }
int main(int argc, char *argv[]) {
  const char *how = argv[argc - 1];
  struct rusage usage;
  signal(SIGUSR1, jump);
  signal(SIGSEGV, jump_unseen);
  if (!sigsetjmp(out, 1)) {
    if (!strcmp(how, "itself")) raise(SIGUSR1);
    if (!strcmp(how, "loop")) interrupt();
    leaf(1000);
    interrupted();
  }
  if (!strcmp(how, "loop"))
#pragma cilk grainsize = 1
    cilk_for (int i = 0; i < 6; i++) calls(1000 + 100 * i);
  leaf(10);
  getrusage(RUSAGE_SELF, &usage);
  printf("%d\n", usage.ru_maxrss < 30000);
  return 0;
}
EOC
cat >interrupt.c <<'EOC'
#include <signal.h>
extern void interrupt(void);
void interrupt(void) { raise(SIGUSR1); }
EOC
gcc -O2 -c interrupt.c || give_up 'interrupt.c'
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -fcilkprof=count $form -c install.c
  compile -O2 -fcilkprof=count $form -c installed.c
  compile -fcilkprof=count install.o installed.o -o install
  profile install 0
  cp sites.csv wanted
  profile install 1
  same "$form: a handler of another unit leaves the profile as it is" wanted sites.csv

  compile -O2 -fcilkprof=count $form jump.c interrupt.o -o jump
  profile jump itself
  equal "$form: a jump out of what main itself does: what comes then is profiled" '0 1 1 1' \
    "$status $(cat jump.stdout) $(field 'main>leaf' on_work_local_count) $(flagged)"
  profile jump callee
  equal "$form: a call that a handler without instrumentation left has nothing of another" '0 1 1 0 1' \
    "$status $(cat jump.stdout) $(field 'main>interrupted' on_work_local_count) $(field 'main>interrupted' on_work_local_work) $(flagged)"
  equal "$form: and all else is there" "$(whole Work)" "$(total on_work_local_work)"
  (
    ulimit -v 2000000
    exec env CILKPROF_OUT=jump.prof $RUN ./jump loop
  ) >got 2>&1
  equal "$form: a loop, when nothing is kept of what is on the span, takes no more memory" 1 "$(cat got)"
done

# Handlers without instrumentation that call instrumented functions, between two calls and inside one: of the program,
# which sets them by sigaction, and as a library sets them, of which the program does not know.
cat >unseen.c <<'EOC'
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
enum { PAGE = 1 << 16 };
static volatile int sum;
static volatile char *pages;
static const char *volatile text = "x";
extern int SET(int, const struct sigaction *, struct sigaction *);
__attribute__((noinline)) static void one(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) static void deeper(int n) { sum += n; }
__attribute__((noinline)) void note(int n) { deeper(n); deeper(n); }
__attribute__((no_instrument_function)) static void unseen(int number, siginfo_t *details, void *context) {
  (void)context;
  note(number);
  note(number);
  mprotect((void *)((uintptr_t)details->si_addr & ~(uintptr_t)(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
}
__attribute__((constructor, no_instrument_function)) static void start(void) {
  struct sigaction action = {.sa_sigaction = unseen, .sa_flags = SA_SIGINFO};
  SET(SIGSEGV, &action, NULL);
  pages = mmap(NULL, 21 * PAGE, getenv("INTERRUPTED") ? PROT_NONE : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pages = (char *)(((uintptr_t)pages + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
}
__attribute__((noinline)) static void inside(int i) { one(3); sum += (int)strlen(text); pages[i * PAGE] = 1; one(4); }
int main(void) {
  for (int i = 0; i < 10; i++) {
    one(10);
    sum += (int)strlen(text); /* another call: the one before is finished */
    pages[2 * i * PAGE] = 1;
    one(20);
    inside(2 * i + 1);
  }
  END;
  return 0;
}
EOC
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -fcilkprof=count $form -DSET=sigaction -DEND= unseen.c -o unseen
  profile unseen
  cp sites.csv wanted
  INTERRUPTED=1 profile unseen
  same "$form: what a handler of the program without instrumentation calls leaves the profile as it is" wanted sites.csv
  compile -O2 -fcilkprof=count $form -DSET=__sigaction -D'END=puts("")' unseen.c -o unseen
  profile unseen
  grep -v deeper sites.csv | cut -d, -f5-8,15,16 >wanted
  INTERRUPTED=1 CILKPROF_OUT=unseen.prof $RUN ./unseen 2>stderr >stdout
  cilkprof-report --csv unseen unseen.prof | tr -d '\r"' | grep -v deeper | cut -d, -f5-8,15,16 >got
  same "$form: what a handler of a library without instrumentation calls: all else is as it is" wanted got
  equal "$form: it is said" 1 "$(grep -c 'seems to call instrumented functions' stderr)"
  compile -O2 -fcilkprof=count $form -DSET=__sigaction -DEND= unseen.c -o unseen # main's frame may be in registers: this is not known
  INTERRUPTED=1 CILKPROF_OUT=unseen.prof $RUN ./unseen 2>stderr
  cilkprof-report --summary unseen unseen.prof >summary.txt 2>said
  equal "$form: the profile can be read and says that it is incomplete" '1 0 1' \
    "$(flagged) $(wc -l <said) $(grep -c 'seems to call instrumented functions' stderr)"
done

# Handlers that throw: every second call of get never returns, and has nothing of what was called before it.
cat >thrown.cc <<'EOC'
#include <csignal>
#include <cstdio>
static volatile int sum;
extern "C" {
static void handler(int) { throw 1; }
__attribute__((no_instrument_function)) static void unseen(int) { throw 1; }
__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) sum = sum + i; }
__attribute__((noinline)) int get(volatile int *from) { return *from; }
__attribute__((noinline)) int attempt(int i) { try { leaf(1000); return get(i & 1 ? nullptr : &sum) * 0; } catch (int) { return 1; } }
}
int main(int argc, char *argv[]) {
  struct sigaction action = {};
  int caught = 0;
  action.sa_handler = argv[argc - 1][0] == 'u' ? unseen : handler;
  action.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &action, NULL);
  for (int i = 0; i < 4; i++) caught += attempt(i);
  std::printf("%d\n", caught);
}
EOC
for form in -fcilkprof-inline -fcilkprof-outline; do
  if ! c++ -O2 -fcilkplus -fcilkprof=count $form -fnon-call-exceptions thrown.cc -o thrown; then give_up 'thrown.cc'; fi
  for how in handler unseen; do
    profile thrown $how
    equal "$form, $how: what is thrown is caught" '0 2 4 1' "$status $(cat thrown.stdout) $(field 'attempt>get' on_work_local_count) $(flagged)"
    true_that "$form, $how: calls that it left have no work" "$(field 'attempt>get' on_work_local_work) < 100"
  done
done
finish
