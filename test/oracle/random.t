#!/bin/sh
# Random programs: in count mode the engine and the oracle agree on every field of every site.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# Programs that differ in their level, engine, mode and form of events: most of the time is the compiler's, so that there are
# few of them, and many runs of each.  make check-long has thousands.
for program in 0 11 28 33 44 55; do
  first=$((16 * program))
  PROGRAM_RUNS=16 holds "seeds $first to $((first + 15))" "$TOP/test/oracle/run" $first $((first + 15))
done

# The tests can fail: with an oracle that contradicts, every seed is named, with the command that repeats it.
mkdir -p contradicts/test/oracle
for part in bin lib stress; do ln -s "$BUILD_DIR/$part" contradicts/; done
for part in generate library.o tracer.o; do ln -s "$BUILD_DIR/test/oracle/$part" contradicts/test/oracle/; done
printf '#!/bin/sh\necho "program: work: oracle 1, engine 2"\nexit 1\n' >contradicts/test/oracle/oracle
chmod +x contradicts/test/oracle/oracle
BUILD_DIR=$PWD/contradicts "$TOP/test/oracle/run" 231 232 >said
equal 'seeds that differ: the exit status' 1 $?
cat >wanted <<'END'
seed 231 differs; to repeat it: test/oracle/run 231 231
  program: work: oracle 1, engine 2
seed 232 differs; to repeat it: test/oracle/run 232 232
  program: work: oracle 1, engine 2
seeds 231 to 232: 2 differ
END
sort said >got
sort wanted >sorted
same 'what is said of them' sorted got
finish
