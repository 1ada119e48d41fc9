#!/bin/sh
# Fortran with OpenMP: programs that are the same in C and in Fortran have the same structure, and the spans that their
# constructs give them.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/cc/fortran.sh"

# fortran NAME [OPTION...]: compiles NAME.f90, runs it and looks at its profile.
fortran() {
  name=$1
  shift
  gfortran -O2 -fno-inline -fopenmp -fcilkprof=count "$@" "$name.f90" -o "$name" >compiler-said 2>&1 ||
    give_up "gfortran $* $name.f90" compiler-said
  profile "$name"
}

# structure: each kind of site, with the construct or function that it calls and how often, in the words of Fortran.
structure() {
  awk -F, 'NR > 1 { name = $6
      sub(/ [^ ]*\.(c|f90):[0-9]*$/, "", name)
      sub(/^unit::/, "", name)
      sub(/^(main|main program)$/, "start", name)
      sub(/for$/, "do", name)
      print $4, name, $15 }' sites.csv | sort
}

# twins NAME UNITS: NAME.c and NAME.f90 have the same output, structure, spawns and syncs, and spans of so many units.
twins() {
  openmp "$1"
  structure >c.structure
  spawned="$(whole Spawns) $(whole Syncs)"
  spans "$1 in C" "$2"
  fortran "$1"
  structure >fortran.structure
  same "$1: sites and how often they were executed" c.structure fortran.structure
  equal "$1: spawns and syncs" "$spawned" "$(whole Spawns) $(whole Syncs)"
  spans "$1 in Fortran" "$2"
}

# program NAME: the statements from standard input in NAME.f90, with the units of work.
program() {
  {
    cat unit.f90
    printf 'program %s\n  use unit\n  use omp_lib\n  implicit none\n' "$1"
    cat
    echo 'end program'
  } >"$1.f90"
}

# main NAME: the statements from standard input in NAME.c.
main() {
  {
    echo 'int main(void) {'
    cat
    echo 'return 0; }'
  } >"$1.c"
}

main loops <<'EOC'
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 16; i++) work(1);
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 16; i > 0; i--) work(1);
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 32; i += 2) work(1);
#pragma omp parallel for schedule(dynamic, 1) collapse(2)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) work(1);
EOC
program loops <<'EOC'
  integer :: i, j
  !$omp parallel do schedule(dynamic, 1)
  do i = 1, 16
    call work(1)
  end do
  !$omp parallel do schedule(dynamic, 4)
  do i = 16, 1, -1
    call work(1)
  end do
  !$omp parallel do schedule(dynamic, 1)
  do i = 0, 31, 2
    call work(1)
  end do
  !$omp parallel do schedule(dynamic, 1) collapse(2)
  do i = 1, 4
    do j = 1, 4
      call work(1)
    end do
  end do
EOC
twins loops 7

main region <<'EOC'
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) work(1);
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 8; i++) work(1);
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) work(2);
#pragma omp single
    work(3);
#pragma omp master
    work(1);
#pragma omp barrier
#pragma omp sections
    {
#pragma omp section
      work(1);
#pragma omp section
      work(4);
    }
  }
EOC
program region <<'EOC'
  integer :: i
  !$omp parallel
  !$omp do schedule(dynamic, 1)
  do i = 1, 8
    call work(1)
  end do
  !$omp end do
  !$omp do schedule(dynamic, 1)
  do i = 1, 8
    call work(1)
  end do
  !$omp end do nowait
  !$omp do schedule(dynamic, 1)
  do i = 1, 8
    call work(2)
  end do
  !$omp end do
  !$omp single
  call work(3)
  !$omp end single
  !$omp master
  call work(1)
  !$omp end master
  !$omp barrier
  !$omp sections
  !$omp section
  call work(1)
  !$omp section
  call work(4)
  !$omp end sections
  !$omp end parallel
EOC
twins region 11

main tasks <<'EOC'
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    work(2);
#pragma omp task
    work(3);
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
      work(4);
      work(1);
    }
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 8; i++) work(1);
  }
EOC
program tasks <<'EOC'
  integer :: i
  !$omp parallel
  !$omp single
  !$omp task
  call work(2)
  !$omp end task
  !$omp task
  call work(3)
  !$omp end task
  !$omp taskwait
  !$omp taskgroup
  !$omp task
  call work(4)
  !$omp end task
  call work(1)
  !$omp end taskgroup
  !$omp taskloop grainsize(2)
  do i = 1, 8
    call work(1)
  end do
  !$omp end single
  !$omp end parallel
EOC
twins tasks 9

cat >depends.c <<'EOC'
int main(void) {
  int a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a)
    work(1);
#pragma omp task depend(in : a) depend(out : b)
    work(2);
#pragma omp task depend(in : a)
    work(1);
#pragma omp task depend(inout : b)
    work(3);
#pragma omp taskwait
  }
  return a + b;
}
EOC
program depends <<'EOC'
  integer :: a, b
  !$omp parallel
  !$omp single
  !$omp task depend(out: a)
  call work(1)
  !$omp end task
  !$omp task depend(in: a) depend(out: b)
  call work(2)
  !$omp end task
  !$omp task depend(in: a)
  call work(1)
  !$omp end task
  !$omp task depend(inout: b)
  call work(3)
  !$omp end task
  !$omp taskwait
  !$omp end single
  !$omp end parallel
EOC
twins depends 6

# What excludes each other does not lengthen the span by itself, and is a row.
cat >locks.c <<'EOC'
#include <omp.h>
int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 8; i++) {
#pragma omp critical(mine)
    work(1);
    omp_set_lock(&lock);
    work(1);
    omp_unset_lock(&lock);
    if (omp_test_lock(&lock)) omp_unset_lock(&lock);
  }
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (int i = 0; i < 8; i++) {
#pragma omp ordered
    work(1);
  }
  return 0;
}
EOC
program locks <<'EOC'
  integer :: i
  integer(omp_lock_kind) :: lock
  call omp_init_lock(lock)
  !$omp parallel do schedule(dynamic, 1)
  do i = 1, 8
    !$omp critical (mine)
    call work(1)
    !$omp end critical (mine)
    call omp_set_lock(lock)
    call work(1)
    call omp_unset_lock(lock)
    if (omp_test_lock(lock)) call omp_unset_lock(lock)
  end do
  !$omp parallel do ordered schedule(dynamic, 1)
  do i = 1, 8
    !$omp ordered
    call work(1)
    !$omp end ordered
  end do
EOC
twins locks 3

# A region that divides its work by the numbers of threads is run by a team.
cat >team.c <<'EOC'
#include <omp.h>
int main(void) {
  omp_set_num_threads(4);
#pragma omp parallel
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < 16; i += all) work(1);
  }
#pragma omp parallel num_threads(2)
  for (int i = omp_get_thread_num(); i < 16; i += omp_get_num_threads()) work(1);
  return 0;
}
EOC
program team <<'EOC'
  integer :: i, me, all
  call omp_set_num_threads(4)
  !$omp parallel private(i, me, all)
  me = omp_get_thread_num()
  all = omp_get_num_threads()
  do i = me, 15, all
    call work(1)
  end do
  !$omp end parallel
  !$omp parallel num_threads(2) private(i)
  do i = omp_get_thread_num(), 15, omp_get_num_threads()
    call work(1)
  end do
  !$omp end parallel
EOC
twins team 12

# Arrays: the result of a workshare is as ever, and its loops are parallel.
program arrays <<'EOC'
  integer, allocatable :: a(:), b(:)
  integer :: total
  allocate (a(100000), b(100000))
  !$omp parallel workshare
  a(:) = 2
  b(:) = a(:) * 3 + 1
  total = sum(b)
  !$omp end parallel workshare
  where (b > 3) a = b
  print '(i0,1x,i0)', total, sum(a)
EOC
fortran arrays
echo '700000 700000' >wanted
same 'arrays: the output' wanted arrays.stdout
equal 'arrays: loops of a workshare' 2 "$(awk -F, '$4 == "loop" && $6 ~ /^omp (parallel )?workshare/' sites.csv | wc -l)"

# A reduction, atomic operations, and do concurrent, which gfortran runs serially.
program values <<'EOC'
  integer :: i, total, most, updates, a(1000)
  total = 0
  most = 0
  updates = 0
  !$omp parallel do reduction(+: total) reduction(max: most)
  do i = 1, 1000
    total = total + i
    most = max(most, i)
    !$omp atomic
    updates = updates + 1
  end do
  do concurrent (i = 1:1000)
    a(i) = 2 * i
  end do
  print '(i0,1x,i0,1x,i0,1x,i0)', total, most, updates, sum(a)
EOC
fortran values
echo '500500 1000 1000 1001000' >wanted
same 'values: the output' wanted values.stdout
equal 'values: the atomic operation' 1000 "$(field 'omp atomic (updates)' on_work_local_count)"
finish
