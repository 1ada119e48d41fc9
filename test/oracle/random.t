#!/bin/sh
# Random programs: in count mode the engine and the oracle agree on every field of every site.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

first=0
while [ $first -lt 120 ]; do # make check-long has thousands
  holds "seeds $first to $((first + 39))" "$TOP/test/oracle/run" $first $((first + 39))
  first=$((first + 40))
done

# The tests can fail: with an oracle that contradicts, every seed is named, with the command that repeats it.
mkdir -p contradicts/test/oracle
for part in bin lib stress; do ln -s "$BUILD_DIR/$part" contradicts/; done
for part in generate library.o tracer.o; do ln -s "$BUILD_DIR/test/oracle/$part" contradicts/test/oracle/; done
printf '#!/bin/sh\necho "program: work: oracle 1, engine 2"\nexit 1\n' >contradicts/test/oracle/oracle
chmod +x contradicts/test/oracle/oracle
BUILD_DIR=$PWD/contradicts "$TOP/test/oracle/run" 15 16 >said
equal 'seeds that differ: the exit status' 1 $?
cat >wanted <<'END'
seed 15 differs; to repeat it: test/oracle/run 15 15
  program: work: oracle 1, engine 2
seed 16 differs; to repeat it: test/oracle/run 16 16
  program: work: oracle 1, engine 2
seeds 15 to 16: 2 differ
END
sort said >got
sort wanted >sorted
same 'what is said of them' sorted got
finish
