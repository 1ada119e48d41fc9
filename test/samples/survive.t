#!/bin/sh
# A program that is sampled prints what it prints, ends as it ends and is interrupted by nothing that it can see; what it
# did is in its profile.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >program.c <<'EOC'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static volatile int profs;
static void on_prof(int number) {
  (void)number;
  profs++;
}

static sigjmp_buf back;
static void jump(int number) { siglongjmp(back, number); }

static long deep(long n) {
  volatile char room[64];
  room[0] = (char)n;
  return n ? deep(n - 1) + 0 * room[0] : fib(32);
}

static void *in_thread(void *n) { return (void *)fib((int)(long)n); }

static void status(pid_t child) {
  int ended;
  waitpid(child, &ended, 0);
  printf("%d\n", WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended));
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  struct itimerval often = {{0, 1000}, {0, 1000}};
  if (!strcmp(how, "handler")) {
    signal(SIGPROF, on_prof);
    setitimer(ITIMER_PROF, &often, NULL);
    printf("%ld %d\n", fib(36), profs > 0);
  } else if (!strcmp(how, "jumps")) {
    volatile int times = 0;
    signal(SIGALRM, jump);
    setitimer(ITIMER_REAL, &often, NULL);
    if (sigsetjmp(back, 1))
      times++;
    while (times < 100)
      ;
    memset(&often, 0, sizeof often);
    setitimer(ITIMER_REAL, &often, NULL);
    puts("100 times");
  } else if (!strcmp(how, "fork")) {
    fflush(stdout);
    pid_t child = fork();
    printf("%ld\n", fib(33));
    if (!child)
      exit(3);
    status(child);
  } else if (!strcmp(how, "vfork")) {
    pid_t child = vfork();
    if (!child)
      _exit(3);
    status(child);
    printf("%ld\n", fib(33));
  } else if (!strcmp(how, "exec")) {
    printf("%ld\n", fib(33));
    fflush(stdout);
    execl("/bin/echo", "echo", "another", (char *)NULL);
  } else if (!strcmp(how, "no exec")) {
    int result = execl("/nowhere", "nowhere", (char *)NULL);
    printf("%d %ld\n", result, fib(33));
  } else if (!strcmp(how, "_exit")) {
    printf("%ld\n", fib(33));
    fflush(stdout);
    _exit(4);
  } else if (!strcmp(how, "quick_exit")) {
    printf("%ld\n", fib(33));
    fflush(stdout);
    quick_exit(5);
  } else if (!strcmp(how, "killed")) {
    printf("%ld\n", fib(33));
    fflush(stdout);
    raise(SIGKILL);
  } else if (!strcmp(how, "sleeps")) {
    struct timespec little = {0, 20000000}, left;
    int ended_early = 0;
    for (int i = 0; i < 20; i++) {
      fib(22);
      ended_early += nanosleep(&little, &left) != 0;
      ended_early += poll(NULL, 0, 5) != 0;
    }
    printf("%d\n", ended_early);
  } else if (!strcmp(how, "deep"))
    printf("%ld\n", deep(20000));
  else if (!strcmp(how, "threads")) {
    for (int i = 0; i < 100; i++) {
      pthread_t threads[4];
      for (int k = 0; k < 4; k++)
        pthread_create(&threads[k], NULL, in_thread, (void *)20L);
      for (int k = 0; k < 4; k++)
        pthread_join(threads[k], NULL);
    }
    puts("all joined");
  } else if (!strcmp(how, "descriptors")) {
    int low = open("/dev/null", O_RDONLY);
    printf("%d ", low);
    close_range(3, ~0U, 0);
    printf("%ld\n", fib(33));
  } else if (!strcmp(how, "blocks")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    printf("%ld\n", fib(33));
    fflush(stdout);
    execl("/bin/echo", "echo", "another", (char *)NULL);
  } else if (!strcmp(how, "signal of its own")) {
    raise(SIGSTKFLT);
    puts("not reached");
  } else if (!strcmp(how, "folder")) {
    if (chdir("/") == 0)
      printf("%ld\n", fib(33));
  }
  return 0;
}
EOC
compile program.c -o program
for kind in dynamic static; do
  [ $kind = dynamic ] || compile -static program.c -o program
  for how in handler jumps fork vfork exec 'no exec' _exit quick_exit killed sleeps deep threads descriptors blocks \
    'signal of its own' folder; do
    case $LONG$kind$how in static'no exec' | staticjumps | staticsleeps | staticdeep | staticfolder) continue ;; esac
    timeout 60 ./program "$how" >printed 2>/dev/null
    status=$?
    sort printed >wanted
    echo "status $status" >>wanted
    rm -f cilkprof.out*
    sampled ./program "$how" 2>said >printed
    status=$?
    sort printed >got
    echo "status $status" >>got
    same "$kind, $how: the same output and status" wanted got
    grep -v '^Killed$\|^Stack fault$' said >words # the shell's
    same "$kind, $how: nothing is said" /dev/null words
    case $how in
    killed | 'signal of its own') file=$(echo cilkprof.out.*.live) ;;
    *) file=cilkprof.out ;;
    esac
    holds "$kind, $how: there is a profile, of samples" sh -c "cilkprof-report --top-down ./program $file | grep -q '^Top-down'"
    rm -f "$file"
    case $how in fork) holds "$kind, $how: the child has its own" sh -c 'ls cilkprof.out.[0-9]* && rm cilkprof.out.[0-9]*' ;; esac
    ls cilkprof.out* >left 2>/dev/null
    same "$kind, $how: nothing else is left" /dev/null left
  done
done

# Where no profile can be written.
compile program.c -o program
mkdir closed
chmod 555 closed
echo 3524578 >wanted
if [ "$(id -u)" != 0 ]; then
  (cd closed && sampled ../program folder) >got 2>said
  same 'a folder that cannot be written to: the same output' wanted got
  holds 'a folder that cannot be written to: one line' test "$(wc -l <said)" -eq 1
fi
CILKPROF_OUT=/nowhere/file sampled ./program folder >got 2>said
same 'no folder: the same output' wanted got
holds 'no folder: one line' test "$(grep -c '^cilkprof: /nowhere/file: No such file or directory; no profile is written$' said)" -eq 1
CILKPROF_OUT=/dev/full sampled ./program folder >got 2>said
same 'a full disk: the same output' wanted got
holds 'a full disk: one line' test "$(grep -c '^cilkprof: /dev/full: No space left on device; no profile is written$' said)" -eq 1
(ulimit -f 8 && sampled ./program folder) >got 2>said
same 'files may not be long: the same output' wanted got
for wrong in abc -3 1000000000000000000000; do
  CILKPROF_SAMPLE_HZ=$wrong sampled ./program folder >got 2>said
  same "CILKPROF_SAMPLE_HZ=$wrong: the same output" wanted got
  echo 'cilkprof: CILKPROF_SAMPLE_HZ: not a number, or out of range; using the default' >line
  sort -u said >once
  same "CILKPROF_SAMPLE_HZ=$wrong: one line" line once
done
rm -f cilkprof.out
CILKPROF_SAMPLE=0 ./program folder >got 2>&1
same 'no samples' wanted got
holds 'no samples, no profile' test ! -e cilkprof.out
finish
