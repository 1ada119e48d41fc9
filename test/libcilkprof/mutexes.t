#!/bin/sh
# What is done under each mutex is known: of pthreads, of C11 and of C++, in Cilk and in OpenMP.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# held PROGRAM: the mutexes and how many units of work were done under each, in whole units.
held() {
  cilkprof-report --csv=regions "$1" "$1.prof" | tr -d '"' |
    awk -F, -v unit=$unit_cost '
      NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
      { printf "%s: %d%s\n", $at["label"], $at["span"] / unit, ($at["partial"] == "yes" || $at["partial"] == 1 ? " partial" : "") }' |
    sort
}
# upper P: the upper bound of the speedup on so many processors.
upper() {
  sed -n "s/^ *$1 processors: *[0-9.]* - *\([0-9.]*\).*/\1/p" summary.txt
}

# The same program without mutexes has the same work, but for what it takes to call pthread_mutex_lock.
cat >one.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  LOOP {
    work(4);
    pthread_mutex_lock(&m);
    work(6);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
EOC
for loop in 'cilk_for (int i = 0; i < 100; i++)' \
  '_Pragma("omp parallel for schedule(dynamic)") for (int i = 0; i < 100; i++)'; do
  for mode in -O0 -O2 '-O2 -flto'; do
    in_turn 3 || continue
    compile $mode -fopenmp -fcilkprof=count -include unit.h "-DLOOP=$loop" one.c -o one
    profile one
    cilkprof-report --verdict --processors=2 one one.prof | tr '\n' ' ' | tr -s ' ' >verdict
    holds "$mode, $loop: the verdict names it" grep -q "Contention: 'mutex one.c:7' covers 60.0% of the work" verdict
    holds "$mode, $loop: and has its bound" grep -q 'Speedup: between 1\.[0-9]* and 1\.67 on 2 processors' verdict
    equal "$mode, $loop: and so have the estimates" '1.67 1.67' "$(upper 2) $(upper 128)"
  done
done
compile -O2 -fcilkprof=count -include unit.h '-DLOOP=cilk_for (int i = 0; i < 100; i++)' one.c -o one
profile one
equal 'what is done under it' 'mutex one.c:7: 600' "$(held one)"
with=$(whole Work)
sed 's/pthread_mutex_lock/other/; s/pthread_mutex_unlock/other/; s/^static pthread/int other(pthread_mutex_t *m);\n&/' \
  one.c >other.c
printf '%s\n' '#include <pthread.h>' 'int other(pthread_mutex_t *m) { return m == NULL; }' >apart.c
cc -c apart.c -o apart.o || give_up 'a function apart'
compile -O2 -fcilkprof=count -include unit.h '-DLOOP=cilk_for (int i = 0; i < 100; i++)' other.c apart.o -o other
profile other
equal 'it costs the program nothing' "$(whole Work)" "$with"

cat >kinds.c <<'EOC'
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <threads.h>
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                       checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t of_c11;
static int ready;
static jmp_buf back;
static void nested(int n) {
  pthread_mutex_lock(&recursive);
  work(1);
  if (n) nested(n - 1);
  pthread_mutex_unlock(&recursive);
}
static void *make_ready(void *unused) {
  pthread_mutex_lock(&plain);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&plain);
  return unused;
}
int main(void) {
  pthread_t other;
  int wrong = 0;
  mtx_init(&of_c11, mtx_plain);
  pthread_spin_init(&spin, 0);
  if (pthread_mutex_trylock(&plain) == 0) {
    work(2);
    wrong += pthread_mutex_trylock(&plain) != EBUSY;
    pthread_mutex_unlock(&plain);
  }
  work(1);
  nested(3);
  pthread_spin_lock(&spin);
  work(3);
  pthread_spin_unlock(&spin);
  mtx_lock(&of_c11);
  work(5);
  mtx_unlock(&of_c11);
  pthread_mutex_lock(&checked);
  work(7);
  wrong += pthread_mutex_lock(&checked) != EDEADLK;
  pthread_mutex_unlock(&checked);
  pthread_mutex_lock(&plain);
  pthread_create(&other, NULL, make_ready, NULL);
  while (!ready) pthread_cond_wait(&changed, &plain);
  work(11);
  pthread_mutex_unlock(&plain);
  pthread_join(other, NULL);
  if (!setjmp(back)) {
    pthread_mutex_lock(&plain);
    work(13);
    pthread_mutex_unlock(&plain);
    longjmp(back, 1);
  }
  printf("%d wrong\n", wrong);
  return 0;
}
EOC
cat >wanted <<'EOC'
mutex kinds.c:13: 4
mutex kinds.c:37: 3
mutex kinds.c:40: 5
mutex kinds.c:43: 7
mutex kinds.c:54 and 2 other places: 26
EOC
for mode in -O2 '-O2 -fcilkprof-inline' '-O2 -fcilkprof-callbacks'; do
  compile $mode -D_GNU_SOURCE -fcilkprof=count -include unit.h kinds.c -o kinds
  profile kinds
  held kinds >got
  same "$mode: tried, recursive, checked, with a condition, spinning, of C11" wanted got
  equal "$mode: and the program does what it does" '0 wrong' "$(cat kinds.stdout)"
done

cat >standard.cc <<'EOC'
#include <cilk/cilk.h>
#include <mutex>
static std::mutex m, array[4];
static std::recursive_mutex r;
int main() {
  cilk_for (int i = 0; i < 100; i++) {
    {
      std::lock_guard<std::mutex> guard(m);
      work(1);
    }
    std::unique_lock<std::recursive_mutex> outer(r), inner(r);
    work(2);
    inner.unlock();
    work(3);
    outer.unlock();
    std::lock_guard<std::mutex> guard(array[i % 4]);
    work(i % 4);
  }
  return 0;
}
EOC
c++ -fcilkplus -O2 -fcilkprof=count -include unit.h standard.cc -o standard >compiler-said 2>&1 || give_up 'C++' compiler-said
profile standard
cat >wanted <<'EOC'
mutex standard.cc:11: 500
mutex standard.cc:16 (the busiest of 4): 75
mutex standard.cc:8: 100
mutexes standard.cc:16: 150
EOC
held standard >got
same 'of C++, by the places of the user' wanted got

# The body of a loop of OpenMP, and of a task, is outlined by GCC and inlined again.
sed 's/^  cilk_for (/#pragma omp parallel for\n  for (/; /cilk.h/d' standard.cc >team.cc
for mode in -O2 '-O3 -g'; do
  c++ -fopenmp $mode -fcilkprof=count -include unit.h team.cc -o team >compiler-said 2>&1 || give_up 'C++ with OpenMP' compiler-said
  profile team
  held team | sed 's/team/standard/' >got
  same "of C++ in a loop of OpenMP, $mode" wanted got
done
cat >task.cc <<'EOC'
#include <mutex>
static std::mutex m;
int main() {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task
    {
      std::lock_guard<std::mutex> guard(m);
      work(1);
    }
  }
  return 0;
}
EOC
c++ -fopenmp -O2 -fcilkprof=count -include unit.h task.cc -o task >compiler-said 2>&1 || give_up 'C++ with tasks' compiler-said
profile task
equal 'of C++ in a task' 'mutex task.cc:9: 10' "$(held task)"
finish
