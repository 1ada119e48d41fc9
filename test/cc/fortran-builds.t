#!/bin/sh
# Fortran: names and lines in a profile, link-time optimisation, modes, what is refused, and the commands.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/cc/fortran.sh"

# Names, in modules, outside of them and contained; fixed form; the preprocessor; lines of calls.
cat >names.f90 <<'EOC'
module solver
contains
  subroutine sweep(n)
    integer, intent(in) :: n
    integer :: i
    !$omp parallel do schedule(dynamic, 1)
    do i = 1, n
      call norm(i)
    end do
  end subroutine
end module
program names
  use solver
  integer :: n
  n = 3
  call next(n)
  call sweep(n)
  call inner
contains
  subroutine next(n)
    integer, intent(out) :: n
    n = 4
  end subroutine
  subroutine inner
    call norm(1)
    call norm(2)
  end subroutine
end program
EOC
cat >norm.F <<'EOC'
#ifdef __cilkprof__
      subroutine norm(i)
      use unit
      integer i
c     a comment
c$omp parallel do schedule(dynamic,1)
      do 10 j = 1, 2
        call work(1)
10    continue
      end
#endif
EOC
gfortran -O2 -g -fno-inline -fopenmp -fcilkprof=count unit.f90 norm.F names.f90 -o names >said 2>&1 || give_up 'names compile' said
profile names
awk -F, 'NR > 1 { print $1 ":" $2, $4, $5 " -> " $6, $15 }' sites.csv | sort >got
cat >wanted <<'EOC'
names.f90:12 entry <spontaneous> -> main program 1
names.f90:16 call main program -> next 1
names.f90:17 call main program -> solver::sweep 1
names.f90:18 call main program -> inner 1
names.f90:25 call inner -> norm 1
names.f90:26 call inner -> norm 1
names.f90:6 loop solver::sweep -> omp parallel do names.f90:6 1
names.f90:8 call solver::sweep -> norm 4
norm.F:6 loop norm -> omp parallel do norm.F:6 6
norm.F:8 call norm -> unit::work 12
EOC
same 'names and lines' wanted got
cilkprof-report -A names names.prof >annotated 2>&1
holds 'annotated source' grep -q '^ *4 .*-> *call norm(i)' annotated

# Constructs in contained procedures, which have variables of the program around them and call others of these.
cat >contained.f90 <<'EOC'
program contained
  implicit none
  integer, allocatable :: a(:)
  integer :: n, total
  n = 1000
  allocate (a(n))
  call fill(2)
  total = 0
  call add
  print '(i0)', total
contains
  subroutine fill(k)
    integer, intent(in) :: k
    integer :: i
    !$omp parallel do
    do i = 1, n
      a(i) = k * i
    end do
  end subroutine
  subroutine add
    integer :: i
    !$omp parallel do reduction(+: total)
    do i = 1, size(a)
      total = total + twice(a(i))
    end do
  end subroutine
  integer function twice(x)
    integer, intent(in) :: x
    twice = 2 * x
  end function
end program
EOC
gfortran -O2 -g -fno-inline -fopenmp -fcilkprof=count contained.f90 -o contained >said 2>&1 || give_up 'contained compiles' said
profile contained
equal 'contained procedures: the output' 2002000 "$(cat contained.stdout)"
awk -F, 'NR > 1 { print $1 ":" $2, $4, $5 " -> " $6, $15 }' sites.csv | sort >got
cat >contained.wanted <<'EOC'
contained.f90:1 entry <spontaneous> -> main program 1
contained.f90:15 loop fill -> omp parallel do contained.f90:15 1
contained.f90:22 loop add -> omp parallel do contained.f90:22 1
contained.f90:24 call add -> twice 1000
contained.f90:7 call main program -> fill 1
contained.f90:9 call main program -> add 1
EOC
same 'contained procedures: names and lines' contained.wanted got

# joined WHAT OPTION...: the same program has the same names and lines with these options and link-time optimisation.
joined() {
  what=$1
  shift
  gfortran -flto -g -fno-inline -fopenmp -fcilkprof=count "$@" -o names >said 2>&1 || give_up "$what" said
  profile names
  awk -F, 'NR > 1 { print $1 ":" $2, $4, $5 " -> " $6, $15 }' sites.csv | sort >got
  same "$what" wanted got
}
joined 'units of Fortran, joined at the link' -O2 unit.f90 norm.F names.f90
joined 'units of Fortran, joined without optimisation' -O0 unit.f90 norm.F names.f90
echo 'void of_c(void) {}' >of-c.c
gcc -O2 -flto -fcilkprof=count -c of-c.c
joined 'units of Fortran and C, joined at the link' -O2 unit.f90 norm.F names.f90 of-c.o
gcc -O2 -flto -c of-c.c
joined 'units of Fortran, joined with one of C that is not instrumented' -O2 unit.f90 norm.F names.f90 of-c.o
gfortran -O2 -flto -fopenmp -fcilkprof=count -c unit.f90 names.f90
gfortran -O2 -flto -fopenmp unit.o names.o -o names >refused 2>&1
holds 'a link without -fcilkprof is refused' grep -q 'objects compiled with -fcilkprof must be linked with -fcilkprof' refused

# A program that runs in parallel is sampled, and has the same names.
cat >sampled.f90 <<'EOC'
module solver
contains
  subroutine sweep(a)
    real(8), intent(inout) :: a(:)
    integer :: i, k
    !$omp parallel do private(k)
    do i = 1, size(a)
      do k = 1, 400
        a(i) = a(i) * 1.0000001d0 + sin(a(i))
      end do
    end do
  end subroutine
end module
program sampled
  use solver
  real(8) :: a(20000)
  a = 1
  call sweep(a)
end program
EOC
if [ -z "$RUN" ]; then # the launcher is for programs of this machine
  gfortran -O2 -g -fopenmp sampled.f90 -o sampled >said 2>&1 || give_up 'gfortran sampled.f90' said
  holds 'a parallel run is sampled' cilkprof run -j2 -o sampled.prof ./sampled
  cilkprof-report --wide sampled sampled.prof >report 2>&1
  holds 'its functions have names of Fortran' grep -q '^ .*  solver::sweep$' report
fi

# Without OpenMP, and in the other modes; the end of a program by stop.
cat >serial.f90 <<'EOC'
program serial
  use unit
  call work(50)
  stop 3
end program
EOC
for mode in count hybrid clock whatif; do
  gfortran -O2 -fcilkprof=$mode unit.f90 serial.f90 -o serial >said 2>&1 || give_up "serial, $mode" said
  profile serial
  equal "serial, $mode: the status" 3 "$status"
  equal "serial, $mode: a call" 1 "$(field unit::work on_work_local_count)"
done

# Every thread of a team has its own copy of a threadprivate variable.
cat >private.f90 <<'EOC'
program private
  use omp_lib
  integer, save :: mine
  !$omp threadprivate(mine)
  integer :: got(0:3)
  !$omp parallel num_threads(4)
  mine = 4 + omp_get_thread_num()
  !$omp barrier
  got(omp_get_thread_num()) = mine
  !$omp end parallel
  print '(4i2)', got
end program
EOC
gfortran -O2 -fopenmp -fcilkprof private.f90 -o private >said 2>&1 || give_up 'private' said
profile private
equal 'threadprivate: its values' ' 4 5 6 7' "$(cat private.stdout)"

# What is not followed is refused.
cat >empty.f90 <<'EOC'
end
EOC
gfortran -fcilkprof -fcilkprof-callbacks empty.f90 -o empty >refused 2>&1
holds 'callbacks are refused' grep -qi 'error: .*-fcilkprof-callbacks.* not for Fortran' refused
gfortran -fcilkplus -c empty.f90 >refused 2>&1
holds 'Cilk is refused' grep -qi 'error: .*Fortran has no keywords of Cilk' refused

# The command, and what there is beside it.
if [ -z "$RUN" ]; then
  cilkprof-fortran -O2 -fopenmp unit.f90 norm.F names.f90 -o names >said 2>&1 || give_up 'cilkprof-fortran' said
  profile names
  holds 'cilkprof-fortran instruments' grep -q 'omp parallel do' sites.csv
  holds 'cilkprof-fortran --version' sh -c 'cilkprof-fortran --version | grep -q "^cilkprof "'
  holds 'cilkprof fortran' cilkprof fortran -O2 -fopenmp unit.f90 norm.F names.f90 -o names

  # A system that has it with a version alone.
  major=$(gcc -dumpversion | cut -d. -f1)
  mkdir versioned
  for tool in sh cat cksum head ld as readlink sed tr; do ln -s "$(command -v $tool)" versioned; done
  ln -s "/usr/bin/gfortran-$major" versioned
  holds 'cilkprof fortran finds gfortran with its version' \
    env PATH="$PWD/versioned" "$BUILD_DIR/bin/cilkprof" fortran -O2 -fopenmp unit.f90 norm.F names.f90 -o versioned/names
  rm "versioned/gfortran-$major"
  PATH=$PWD/versioned "$BUILD_DIR/bin/cilkprof" fortran -O2 unit.f90 -o names >refused 2>&1
  equal 'and says if there is none' 'cilkprof-cc: gfortran: not found in PATH' "$(cat refused)"
fi
finish
