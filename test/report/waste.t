#!/bin/sh
# What parallel runs wasted: sections, contexts, classes of time, sums.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
make_samples=$BUILD_DIR/test/report/make-samples

sampled waste
cat >wanted.waste <<'END'
What the parallel run wasted

  Serial bottleneck: serial (waste.c:30) runs alone while the other processor is idle, for 23 % of the processors' time.  Run parts of it in parallel, or overlap it with other work.

  Command:                waste
  Processors:             2, Cilk workers: 2
  Sampled:                1,117 samples by perf, at 745 Hz (1,000 requested); shares may be off by 3 %
  Elapsed:                1.000 s
  Effort:                    1.597 s  79.85 % of the processors' 2.000 s
    Work:                    1.017 s  63.68 % of the effort
    Idleness:               455.0 ms  28.49 %
    Overhead:               70.00 ms   4.38 %
    Waiting for locks:      55.00 ms   3.44 %
    Not unwound:            15.00 ms   0.94 %, in the above
    Of unknown tasks:       7.000 ms   0.44 %, in the above
  Blocked or preempted:     403.0 ms  20.15 %

  Too little parallelism:   455.0 ms  22.75 %, mostly in serial
  Grain:                    70.00 ms   3.50 %, mostly in work
  Work inflation:         unknown without samples of one worker (-j 1)
  Lock contention:          55.00 ms   2.75 %, mostly in work

         --------- of that ---------
% effort   work   idle   over   wait  judgement       function or loop
   98.62  63.49  28.57   4.44   3.49  smaller pieces  main
   50.09  50.00  50.00   0.00   0.00  smaller pieces  serial
   39.89  81.16   2.35   7.85   8.63  parallel        work
    3.44   0.00   0.00   0.00 100.00  lock            pthread_mutex_lock_slow
    8.77  71.43  28.57   0.00   0.00  smaller pieces  cilk_for waste.c:34
   13.15  95.24   4.76   0.00   0.00  parallel        inner
   13.15  95.24   4.76   0.00   0.00  parallel        leaf

  2 functions with less than 1 % of the effort not shown; see --top-down=0.
END
cat >wanted.top-down <<'END'
Top-down: logical call paths of the parallel run

------- work -------- ----- idleness ------ ----- overhead ------ ------ waiting ------
   time  share effort    time  share effort    time  share effort    time  share effort  function (place of the call)
 1.000s  98.33  62.62 450.0ms  98.90  28.18 70.00ms 100.00   4.38 55.00ms 100.00   3.44  main
400.0ms  39.33  25.05 400.0ms  87.91  25.05       0   0.00   0.00       0   0.00   0.00    serial (waste.c:41)
500.0ms  49.16  31.31 10.00ms   2.20   0.63 50.00ms  71.43   3.13 55.00ms 100.00   3.44    work (waste.c:42)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00      work (waste.c:27)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00        work (waste.c:27)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00          inner (waste.c:28)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00            leaf (waste.c:23)
      0   0.00   0.00       0   0.00   0.00       0   0.00   0.00 55.00ms 100.00   3.44      pthread_mutex_lock_slow (waste.c:27)
100.0ms   9.83   6.26 40.00ms   8.79   2.50       0   0.00   0.00       0   0.00   0.00    cilk_for waste.c:34
17.00ms   1.67   1.06 5.000ms   1.10   0.31       0   0.00   0.00       0   0.00   0.00  (2 below 1 % each not shown)
END
cat >wanted.bottom-up <<'END'
Bottom-up: the functions of the parallel run, and their callers

------- work -------- ----- idleness ------ ----- overhead ------ ------ waiting ------
   time  share effort    time  share effort    time  share effort    time  share effort  function, its callers (place of the call)
400.0ms  39.33  25.05 400.0ms  87.91  25.05       0   0.00   0.00       0   0.00   0.00  serial
400.0ms  39.33  25.05 400.0ms  87.91  25.05       0   0.00   0.00       0   0.00   0.00    main (waste.c:41)
100.0ms   9.83   6.26 40.00ms   8.79   2.50       0   0.00   0.00       0   0.00   0.00  cilk_for waste.c:34
100.0ms   9.83   6.26 40.00ms   8.79   2.50       0   0.00   0.00       0   0.00   0.00    main (waste.c:43)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00  leaf
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00    inner (waste.c:23)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00      work (waste.c:28)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00        work (waste.c:27)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00          work (waste.c:27)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00            main (waste.c:42)
317.0ms  31.17  19.85 5.000ms   1.10   0.31 50.00ms  71.43   3.13       0   0.00   0.00  work
300.0ms  29.50  18.79       0   0.00   0.00 50.00ms  71.43   3.13       0   0.00   0.00    main (waste.c:42)
      0   0.00   0.00       0   0.00   0.00       0   0.00   0.00 55.00ms 100.00   3.44  pthread_mutex_lock_slow
      0   0.00   0.00       0   0.00   0.00       0   0.00   0.00 55.00ms 100.00   3.44    work (waste.c:27)
      0   0.00   0.00       0   0.00   0.00       0   0.00   0.00 55.00ms 100.00   3.44      main (waste.c:42)
      0   0.00   0.00       0   0.00   0.00 20.00ms  28.57   1.25       0   0.00   0.00  main
END
for section in waste top-down bottom-up; do
  prints "--$section" -b --$section waste waste.out <wanted.$section
done
{ cat wanted.waste; printf '\f\n'; cat wanted.top-down; printf '\f\n'; cat wanted.bottom-up; } >all
prints 'they are the report of samples' -b waste waste.out <all
prints 'whose program is found' -b waste.out <all
mkdir elsewhere && mv waste elsewhere
refuses 'unless it is gone' 'is found nowhere else' waste.out
prints 'it may be named' -b elsewhere/waste waste.out <all
mv elsewhere/waste .
"$report" --waste --top-down --bottom-up waste.out >got
holds 'they are explained' grep -q '^ % effort   the function.s or loop.s share' got

prints 'recursion is folded on request, and nothing is left out with 0' -b --fold-recursion --top-down=0 waste.out <<'END'
Top-down: logical call paths of the parallel run

------- work -------- ----- idleness ------ ----- overhead ------ ------ waiting ------
   time  share effort    time  share effort    time  share effort    time  share effort  function (place of the call)
 1.000s  98.33  62.62 450.0ms  98.90  28.18 70.00ms 100.00   4.38 55.00ms 100.00   3.44  main
400.0ms  39.33  25.05 400.0ms  87.91  25.05       0   0.00   0.00       0   0.00   0.00    serial (waste.c:41)
500.0ms  49.16  31.31 10.00ms   2.20   0.63 50.00ms  71.43   3.13 55.00ms 100.00   3.44    work (waste.c:42)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00      inner (waste.c:28)
200.0ms  19.67  12.52 10.00ms   2.20   0.63       0   0.00   0.00       0   0.00   0.00        leaf (waste.c:23)
      0   0.00   0.00       0   0.00   0.00       0   0.00   0.00 55.00ms 100.00   3.44      pthread_mutex_lock_slow (waste.c:27)
100.0ms   9.83   6.26 40.00ms   8.79   2.50       0   0.00   0.00       0   0.00   0.00    cilk_for waste.c:34
10.00ms   0.98   0.63 5.000ms   1.10   0.31       0   0.00   0.00       0   0.00   0.00  <not unwound>
10.00ms   0.98   0.63 5.000ms   1.10   0.31       0   0.00   0.00       0   0.00   0.00    work
7.000ms   0.69   0.44       0   0.00   0.00       0   0.00   0.00       0   0.00   0.00  <task of unknown origin>
7.000ms   0.69   0.44       0   0.00   0.00       0   0.00   0.00       0   0.00   0.00    work
END
for wrong in x -1 101 ''; do
  refuses "--bottom-up=$wrong" 'not a percentage from 0 to 100' --bottom-up="$wrong" waste.out
done
"$report" -b --bottom-up=20 waste.out >got
holds 'a share hides what has less' test "$(grep -c '^ *[0-9.]*m\?s ' got)" = 4
holds 'and says so' grep -q '4 functions below 20 % each not shown' got

# What a profile has not.
for option in -p -q --summary --verdict --sites --contexts --critical-path '--gate=work < 3' --plot; do
  refuses "$option of samples alone" 'samples of a parallel run, but no work and span; make a profile too: cilkprof cc' "$option" waste.out
done
refuses '--diff of samples' 'but no work and span to compare' --diff waste.out waste.out
build tree
for option in --waste --top-down --bottom-up; do
  refuses "$option without samples" 'it has no samples of a parallel run' $option tree.out
done

"$report" -i waste.out >got
holds 'what the file is' grep -q 'samples: *1,117, 0 of idle threads' got
holds 'without what it has not' sh -c '! grep -q "burden\|unit:" got'

# Another program.
refuses 'another program' 'is not that of the profiled program' tree waste.out
"$report" -b --force tree waste.out >got 2>errors
holds 'is taken with --force' grep -q 'What the parallel run wasted' got

# Sums.
"$report" -s waste.out waste.out
"$report" -b --waste --top-down cilkprof.sum >sum
"$report" -b --waste --top-down waste.out waste.out >added
same 'the sum of two is as both' added sum
sed 's/path/& /' wanted.top-down | awk 'NR > 4 { $1 = $4 = $7 = $10 = ""; print }' >wanted
"$report" -b --top-down cilkprof.sum | awk 'NR > 4 { $1 = $4 = $7 = $10 = ""; print }' >got
same 'all shares stay' wanted got
holds 'times are added up' grep -q 'Elapsed: *2.000 s in 2 runs' sum
"$report" -i cilkprof.sum >got
holds 'equal paths are one' grep -q '	21 stack records' got
sed 's/cilk 2 2/cilk 2 4/' waste.txt >four.txt
$make_samples four.txt waste >four.out
refuses 'runs with other workers are not added up' 'ran with 4 workers on 2 processors.*cannot be added' -s waste.out four.out
refuses 'nor reported together' 'ran with 4 workers on 2 processors.*cannot be added' waste.out four.out
build quicksort
"$report" -s -o both.sum quicksort.out waste.out
sed 's/Command: .*/Command:                .\/qsort 10000000/; s/\(Work inflation: *\)unknown.*/\1         0   0.00 %/' wanted.waste >wanted.both
"$report" -b --waste both.sum >both
sed '/^$/N; /\nWhy it was/,$d' both >got
same 'work and span, and samples, in one file' wanted.both got
"$report" -b --summary both.sum >got
"$report" -b --summary quicksort.out >wanted
same 'both are as they were' wanted got
"$report" -b --contexts=50 --waste both.sum | sed '1,/^\f/d' >got
same 'a percentage for the calling contexts hides no row of the waste' both got

# Whose time it is: the library's that the runtime calls, the user's, and that of a runtime which is a library.
cat >libgomp.c <<'END'
void GOMP_wait(void) { __asm__ volatile("at_gomp: nop"); }
void GOMP_task(void) { __asm__ volatile("nop"); }
END
gcc -g -shared -fPIC libgomp.c -o libgomp.so.1
libc=$(ldd waste | sed -n 's/.*=> \(.*libc\.so[^ ]*\) .*/\1/p')
cat >library.txt <<'END'
sampling cilk 2 2 1000 1000 1500
path 100 0 0 1:abort at_main_work at_steal 1:malloc
path 50 0 0 1:abort at_main_work at_work_call 1:malloc
path 20 0 0 1:abort at_main_work at_work_call 2:at_gomp
path 10 0 0 1:abort at_main_work at_work_call 1:qsort at_leaf
path 5 0 0 1:abort at_steal 1:malloc
path 3 0 0 1:abort
path 6 0 0 1:abort at_main_work .plt
path 2 0 0 1:abort at_main_work 1:free
END
$make_samples library.txt waste "$libc" libgomp.so.1 >library.out
"$report" -b --top-down=0 library.out >text
awk 'NR > 4 { print $1, $7, $13 }' text >got
cat >wanted <<'END'
68.00ms 120.0ms main
60.00ms 20.00ms work
50.00ms 0 malloc
10.00ms 0 qsort
10.00ms 0 work
10.00ms 0 inner
10.00ms 0 leaf
2.000ms 0 free
0 5.000ms <runtime>
3.000ms 0 abort
END
same 'libraries: of the runtime, and of the user' wanted got

# What the compiler put into a function for its spawns is tagged as an inlined function of that name.
cat >tags.c <<'END'
static inline __attribute__((always_inline)) void cilk_spawn(void) { __asm__ volatile("at_tag: nop"); }
__attribute__((noinline)) void work(void) { cilk_spawn(); __asm__ volatile("at_own: nop"); }
int main(void) { __asm__ volatile("at_main: nop"); work(); return 0; }
END
printf 'sampling cilk 2 2 1000 1000 1500\npath 30 0 0 at_main at_tag\npath 70 0 0 at_main at_own\n' >tags.txt
sampled tags
"$report" -b --top-down=0 tags.out | awk 'NR > 4 { print $1, $7, $13 }' >got
printf '70.00ms 30.00ms main\n70.00ms 30.00ms work\n' >wanted
same 'what the compiler put in for spawns is overhead' wanted got

# OpenMP, and C++.
cat >names.cc <<'END'
namespace shapes {
template <typename T> struct box {
  __attribute__((noinline)) void fill(T) { __asm__ volatile("at_fill: nop"); }
};
__attribute__((noinline)) void outlined() __asm__("main._omp_fn.3");
__attribute__((noinline)) void outlined() { __asm__ volatile("at_region: nop"); }
}
int main() { __asm__ volatile("at_main: nop"); shapes::outlined(); shapes::box<int>().fill(3); return 0; }
END
g++ -g -O1 -Wl,--build-id names.cc -o names || give_up 'the program is compiled'
printf 'sampling openmp 2 2 1000 1000 1500\npath 100 0 0 at_main at_region at_fill\n' >names.txt
$make_samples names.txt names >names.out
"$report" -b --top-down names.out | awk 'NR > 4 { $1 = $2 = $3 = $4 = $5 = $6 = $7 = $8 = $9 = $10 = $11 = $12 = ""; print }' |
  sed 's/^ *//' >got
printf '%s\n' main 'parallel names.cc:6 (names.cc:8)' 'shapes::box::fill (names.cc:6)' >wanted
same 'regions of OpenMP, and names of C++' wanted got
printf 'sampling openmp 2 2 1000 1000 1500\npath 100 0 0 at_main 1:GOMP_task at_region\n' >names.txt
$make_samples names.txt names libgomp.so.1 >task.out
"$report" -b --top-down task.out >got
holds 'tasks of OpenMP' grep -q ' task names.cc:6 ' got
"$report" -b --top-down --no-demangle --waste names.out >got
holds 'as the linker knows them' grep -q '_ZN6shapes3boxIiE4fillEi' got

# What a compiler of OpenMP makes of a loop: a function in a function, declared nowhere.
cat >openmp.c <<'END'
static inline __attribute__((always_inline)) void leaf(void) { __asm__ volatile("at_leaf: nop"); }
int main(void) {
  __asm__ volatile("at_main: nop");
#pragma omp parallel for
  for (int i = 0; i < 10; i++) {
    leaf();
    __asm__ volatile("");
  }
  return 0;
}
END
gcc -fopenmp -g -O1 -Wl,--build-id openmp.c -o openmp || give_up 'the program is compiled'
printf 'sampling openmp 2 2 1000 1000 1500\npath 100 0 0 at_main at_leaf\n' >openmp.txt
$make_samples openmp.txt openmp >openmp.out
"$report" -b --top-down openmp.out | awk 'NR > 4 { print $13, $14, $15 }' | sed 's/ *$//' >got
printf '%s\n' main 'parallel openmp.c:4 (openmp.c:3)' 'leaf (openmp.c:6)' >wanted
same 'a loop that a compiler made a function' wanted got
if command -v clang >/dev/null && clang -fopenmp -g -O1 -Wl,--build-id openmp.c -o openmp 2>errors; then
  $make_samples openmp.txt openmp >openmp.out
  "$report" -b --top-down openmp.out | awk 'NR > 4 { print $13, $14, $15 }' | sed 's/ *$//; 2s/ (.*//' >got
  sed -i '2s/ (.*//' wanted
  same 'or another compiler' wanted got
else
  pass 'or another compiler # SKIP no clang with OpenMP'
fi

# Without symbols, without debugging information.
cp waste whole
strip -g waste
"$report" -b --top-down waste waste.out | grep -o 'serial.*' >got
echo 'serial' >wanted
same 'without lines' wanted got
strip waste
"$report" -b --waste waste waste.out >got
holds 'without symbols all of it is still there' grep -q 'Effort: *1.597 s' got
mv whole waste

# A run that was over before the first sample.
echo 'sampling cilk 2 2 1000 1 1' >empty.txt
$make_samples empty.txt waste >empty.out
"$report" -b empty.out >got 2>errors
holds 'a run without samples' grep -q '^  0 samples: too few to judge' got
for format in csv json callgrind collapsed flamegraph speedscope pprof; do
  holds "$format of a run without samples" "$report" --format=$format -o out empty.out
done
holds 'a page of a run without samples' "$report" --html=out.html empty.out

# A damaged file.
size=$(wc -c <waste.out)
head -c $((size * 2 / 3)) waste.out >cut.out
refuses 'one that was cut short' 'is truncated' cut.out
"$report" -b --recover --waste cut.out >got 2>errors
holds 'is recovered as far as it goes' grep -q 'Effort:' got
holds 'and that is said' grep -q 'its end is missing' errors
finish
