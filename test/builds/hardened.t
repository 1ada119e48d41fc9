#!/bin/sh
# Programs as distributions harden them, and the forms that binaries have there: they run, and the report finds names and
# lines.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cp "$programs/fib.c" fib.c
case $(uname -m) in
x86_64) pads=-fcf-protection=full mark='IBT, SHSTK' ;;
*) pads=-mbranch-protection=standard mark=BTI ;;
esac

# known OPTION...: whether this gcc, linker and C library have them.
known() {
  echo 'int main(void) { return 0; }' | gcc -O2 "$@" -x c - -o plain >said 2>&1 && [ ! -s said ] && ./plain
}
wanted=$(gcc -O2 -fcilkplus=serial fib.c -o serial && ./serial 20)
# works OPTION...: profiled, or in parallel; with LONG both.
works() {
  known "$@" || return 0
  ! in_turn 2 || profiled "$@"
  ! in_turn 2 || in_parallel "$@"
}
profiled() {
  rm -f fib.out
  cc -O2 -g -fcilkplus -fcilkprof=count "$@" fib.c -o fib >said 2>&1 && [ ! -s said ] || fail "$*: it is compiled" said
  equal "$*: profiled" "$wanted" "$(CILKPROF_OUT=fib.out ./fib 20 2>&1)"
  cilkprof-report -b --sites fib fib.out >got 2>&1
  holds "$*: the report has names and lines" grep -q 'spawn   fib.c:[1-9][0-9]* *fib -> fib' got
}
in_parallel() {
  cc -O2 -g -fcilkplus "$@" fib.c -o fib >said 2>&1 && [ ! -s said ] || fail "$*: it is compiled to run in parallel" said
  equal "$*: in parallel" "$wanted" "$(CILK_NWORKERS=2 ./fib 20 2>&1)"
}

works "$pads"
works -fhardened
# Levels above 2 came with gcc 12.
level=3
[ "$(gcc -dumpversion | cut -d. -f1)" -ge 12 ] || level=2
works -D_FORTIFY_SOURCE=$level -fstack-protector-strong -fstack-clash-protection -Wl,-z,relro,-z,now
works -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer
works -ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr
works -fharden-control-flow-redundancy
works -fharden-compares -fharden-conditional-branches
works -no-pie -fno-pie
works -static-pie
works -static
works -Wl,-z,pack-relative-relocs
works -gz=zlib
works -gz=zstd
works -gdwarf-4
works -gdwarf-5 -gsplit-dwarf
works -D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64
works -flto=auto
works -std=gnu23
works -std=gnu2x

# A program keeps its landing pads only where all that it links has them.
for archive in libcilkprof.a libcilkprof-whatif.a libcilkprof-parallel.a libcilkprof-parallel-c++.a libcilkprof-parallel-wraps.a \
  libcilkrts.a records.o records-workers.o; do
  file=$BUILD_DIR/lib/cilkprof/$archive
  case $archive in *.a) members=$(ar t "$file" | wc -l) ;; *) members=1 ;; esac
  equal "$archive: landing pads" "$members" "$(readelf -n "$file" 2>/dev/null | grep -c "feature: $mark\|feature: .*BTI")"
done
finish
