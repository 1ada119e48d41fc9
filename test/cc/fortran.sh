# What the tests of Fortran share.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/openmp/lib.sh"
command -v gfortran >/dev/null 2>&1 && gfortran --version >/dev/null 2>&1 || {
  echo '1..0 # SKIP there is no gfortran'
  exit 0
}

# Every program in Fortran has a module with the same function, whose work is 1000 iterations of a loop for a unit.
cat >unit.f90 <<'EOC'
module unit
  implicit none
  integer, volatile :: sink = 0
contains
  subroutine work(units)
    integer, intent(in) :: units
    integer :: i
    do i = 1, 1000 * units
      sink = sink + 1
    end do
  end subroutine
end module
EOC
