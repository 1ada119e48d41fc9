#!/bin/sh
# A profile is reported with the program that made it, or not at all.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls
identity() {
  readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

mkdir other bare
(cd other && build calls -Wl,--build-id=0xfedcba9876543210)
refuses 'another build: both build-ids are named' \
  "calls: its build-id $(identity other/calls) is not that of the profiled program, $(identity calls); .*--force" \
  other/calls calls.out
"$report" -b calls calls.out >wanted
"$report" -b --force other/calls calls.out >got 2>errors
same '--force reports it all the same' wanted got
holds '--force: and says that it is another' grep -q \
  "calls: its build-id $(identity other/calls) is not that of the profiled program, $(identity calls): .* may be wrong" errors
echo 'int main(void) { return 0; }' >none.c
${CC:-cc} -Wl,--build-id none.c -o none
"$report" -b --force --sites --verdict none calls.out >got 2>errors
holds '--force: without descriptions there are addresses' grep -q 'call    calls+0x[0-9a-f]* *<unknown> -> calls+0x[0-9a-f]*$' got
holds '--force: no lines behind them' sh -c '! grep -q "+0x[0-9a-f]*:" got'
holds '--force: the program is still entered from outside' \
  test "$(grep -c '1  entry   calls+0x[0-9a-f]* *<spontaneous> -> calls+0x[0-9a-f]*$' got)" = 1
"$report" -b --force -p none calls.out >got 2>errors
holds '--force: each call site counts by itself' grep -q '^  8.00 .* 16.31 *2.04  calls+0x[0-9a-f]*$' got
cp calls copy
"$report" -b copy calls.out >got
same 'a copy of the program is the program' wanted got

strip -o stripped calls
"$report" -b --force --sites stripped calls.out >got
holds 'a stripped program with --force: names of call sites' grep -q 'even -> odd' got
holds 'a stripped program with --force: addresses of other callees' grep -q 'main -> calls+0x[0-9a-f]*$' got

# Programs without build-id are told by path and time.
(cd bare && build calls -Wl,--build-id=none && mv calls.out ../bare.out)
"$report" -b bare/calls bare.out >got
same 'without build-id the unchanged file is the program' wanted got
cp bare/calls elsewhere
refuses 'without build-id a file at another path is not' 'elsewhere: it has no build-id' elsewhere bare.out
holds '--force' "$report" --force elsewhere bare.out
touch -d 2200-01-01 bare/calls
refuses 'without build-id a file that was changed after the run is not' 'calls: it has no build-id' bare/calls bare.out
refuses 'a program with build-id for a profile without' "build-id $(identity calls) is not .*, none" calls bare.out
refuses 'a program without build-id for a profile with one' "build-id none is not .*, $(identity calls)" elsewhere calls.out

# The same build-id, but other sites: it was set by hand.
build calls -Wl,--build-id=0x12345678
cp calls.out full.out
sed '/^site call 2/,$d' calls.txt >fewer.txt
build fewer -Wl,--build-id=0x12345678
refuses 'a site without description' 'site .* is described at 0x.* of .*/calls, where no description is' fewer full.out

# A shared library with sites of its own.
cat >both.txt <<'EOF'
command ./both
totals 60 0 0
site outside 8 main.c 1 1 - main main.c
on_work 1 60 60 60  1 60 60 60  1 10 10 10
on_span 1 60 60 60  1 60 60 60  1 10 10 10
site call 8 main.c 3 1 main entry main.c
on_work 1 50 50 50  1 50 50 50  1 20 20 20
on_span 1 50 50 50  1 50 50 50  1 20 20 20
object 1
function exported
site call 1 library.c 7 1 entry - library.c
callee 1 exported
on_work 1 30 30 30  1 30 30 30  1 30 30 30
on_span 1 30 30 30  1 30 30 30  1 30 30 30
EOF
$make_profile program both.txt 0 >both.c
$make_profile program both.txt 1 >library.c
${CC:-cc} -Wl,--build-id both.c -o both
${CC:-cc} -Wl,--build-id -fPIC -shared library.c -o library.so
$make_profile profile both.txt both library.so >both.out
"$report" -b --sites both both.out >got
holds 'a library is found at its path' grep -q 'library.c:7  entry -> exported$' got
strip library.so
"$report" -b --sites both both.out >got
holds 'a stripped library has its dynamic symbols' grep -q 'library.c:7  entry -> exported$' got
mv library.so away.so
refuses 'a library that is gone' 'library.so: No such file or directory; .*--force' both both.out
"$report" -b --sites --force both both.out >got 2>errors
holds 'a library that is gone, with --force: the rest is reported' grep -q 'main.c:3 .*main -> entry$' got
holds 'a library that is gone, with --force: its sites are addresses' grep -q 'library.so+0x.*<unknown> -> ' got
${CC:-cc} -Wl,--build-id -fPIC -shared -DCHANGED -O2 -g library.c -o library.so
refuses 'a library of another build' 'library.so: its build-id .* is not that of the profiled library' both both.out

# A program whose call sites are all in its libraries.
cat >plain.c <<'EOF'
void start(int n);
int main(void) { start(12); return 0; }
EOF
cat >sites.c <<'EOF'
#include <cilk/cilk.h>
static volatile long sink;
static long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}
void start(int n) { sink = fib(n); }
EOF
mkdir empty
"$BUILD_DIR/bin/cilkprof-cc" -O1 -fcilkplus -fcilkprof=count -fPIC -shared sites.c -o libsites.so
${CC:-cc} -Wl,--build-id plain.c -o plain ./libsites.so
./plain
"$report" -b --sites plain cilkprof.out >got 2>errors
holds 'a program without call sites of its own' grep -q 'spawn   sites.c:6 .*fib -> fib$' got
(cd empty && "$report" -b --sites ../plain ../cilkprof.out >../elsewhere.txt 2>../errors)
same 'its library was loaded by a relative name: it is found from elsewhere' got elsewhere.txt
holds 'the profile names the program' "$report" --diff cilkprof.out cilkprof.out
strip plain
"$report" -b --sites plain cilkprof.out >stripped.txt 2>errors
same 'its symbols are not needed' got stripped.txt
"$report" -b --sites libsites.so cilkprof.out >library.txt 2>errors
same 'the library may be named instead' got library.txt

# Several objects with call sites, each of which has a process that reads its debugging information.
cat >half.c <<'EOF'
#include <cilk/cilk.h>
static __attribute__((noinline)) int leaf(int n) { return n + 1; }
int NAME(int n) { int a = cilk_spawn leaf(n); int b = leaf(n + 1); cilk_sync; return a - b; }
EOF
echo 'int one(int), two(int); int main(void) { return one(1) - two(1); }' >halves.c
for half in one two; do
  "$BUILD_DIR/bin/cilkprof-cc" -g -fcilkplus -fcilkprof -fPIC -shared -DNAME=$half half.c -o lib$half.so
done
"$BUILD_DIR/bin/cilkprof-cc" -g -fcilkplus -fcilkprof halves.c -o halves ./libone.so ./libtwo.so
CILKPROF_OUT=halves.out ./halves
for option in -A -C --html=page.html --inline-file-names --format=callgrind --format=json; do
  holds "two libraries: $option ends" timeout 60 "$report" -b $option halves halves.out
done

finish
