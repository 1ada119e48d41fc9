#!/bin/sh
# Memory that processors share: what sections use of it, by counters or by valgrind, and what that makes of speedups.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
HOME=$PWD XDG_CACHE_HOME=
export HOME XDG_CACHE_HOME
free=fork=0,join=0,iteration=0,lock=0,task=0,spawn=0,steal=0,burden=0
# A miss waits 32000 / (MB/s) ns, and four threads have half of the traffic of one, and 160 MB/s.
none=--overheads=$free,phi=32000:-1:0,psi4=linear:0.5:160

# A section that waits for memory half of its time, twice; one that does not; and a serial part: 2 + 2 + 4 + 2 ms.
cat >uses.txt <<'END'
mode clock
units 1000000000
command ./uses 7
node 1 0 - 0
child 500000 1 -
node 2 0 waits 0
child 0 4 0
node 1 0 - 0
child 1000000 1 -
node 2 0 computes 0
child 0 4 2
node 1 0 - 0
child 2000000 1 1
child 0 1 3
child 0 1 1
END
build uses
cp uses.txt counted.txt
printf '%s\n' 'counts 1 2 4000000 2000000 9000000 20000' 'counts 3 1 4000000 4000000 9000000 3999' >>counted.txt
sed -i 's/^command .*/command .\/counted/' counted.txt
build counted

"$report" $none --emulate=static,greedy -b --processors=1,4,8 counted counted.out >got
cat >wanted <<'END'
Predicted speedup

  Work:                   10.000 ms
  Span of the sections:   4.0000 ms
  Recorded:               3 sections, 12 tasks

  processors         1        4        8 
  static          1.00*    2.50*    2.50*
  greedy          1.00     2.50     2.50 

Predicted speedup, with memory

  Misses:                 counted by the processor

    per 1000     MB/s       1        4  section
      10.000      320    1.00     2.50  waits
       1.000       64    1.00     1.00  computes

  processors         1        4        8 
  static          1.00*    1.82*    1.82*
  greedy          1.00     1.82     1.82 

  Prediction: 1.82x on 8 processors with static (2.50x without memory contention).
  Limit: the serial part, 32% of processor time.  Then imbalance 32%, memory 14%.  Processors are
    idle outside of parallel sections.
  Memory: shared by 8 processors, it slows the section waits down 2.50x.
END
same 'by hand: a section takes (1 + 0.01 400) / (1 + 0.01 100) times as long' wanted got
"$report" $none --emulate=static -b --processors=4 counted counted.out >got
holds 'what limits it, with its share' grep -q 'Then memory 27%' got
"$report" $none --emulate=static -b --processors=3 counted counted.out >got
holds 'between two numbers of threads' grep -q '^ *10.000 *320 *2.00  waits' got
sed 's/^child 0 4 /child 0 40 /' counted.txt >wide.txt
build wide
"$report" $none --emulate=static -b --processors=2,8 wide wide.out >got
holds 'what is not known of many processors is not shown' grep -q '^  static *[0-9.]*\*\{0,1\} *- $' got
holds 'and said' grep -q 'Memory: not modelled for 8 processors: this machine was measured with up to 4.' got
"$report" $none --csv=emulation --processors=4,8 counted counted.out | tr -d '\r' | sed -n '1p; /^"static",/p' >got
cat >wanted <<'END'
schedule,processors,time,deviation,speedup,overhead,serial,imbalance,locked,lock,units_per_second,memory_time,memory_speedup,memory
"static",4,4000000,0,2.5,0,6000000,0,0,"",1000000000,5500000,1.818181818,6000000
"static",8,4000000,0,2.5,0,14000000,8000000,0,"",1000000000,5500000,1.818181818,6000000
END
same 'comma-separated values' wanted got
if command -v jq >/dev/null; then
  "$report" $none --format=json --processors=4 counted counted.out |
    jq -c '(.emulation[] | select(.schedule == "static") | [.time, (.with_memory | del(.seconds))]), .memory' >got
  cat >wanted <<'END'
[4000000,{"speedup":1.818181818,"time":5500000,"memory":6000000}]
[{"section":"waits","instructions":2000000,"misses":20000,"nanoseconds":4000000,"megabytes_per_second":320,"burden":[2.5]},{"section":"computes","instructions":4000000,"misses":3999,"nanoseconds":4000000,"megabytes_per_second":63.984,"burden":[1]}]
END
  same 'JSON' wanted got
fi
"$report" $none --plot=plot.svg --processors=4,8 counted counted.out >got
holds 'the plot has a line with memory' grep -q 'class="emulated memory".*>emulated: static, with memory, 1.82<' plot.svg
"$report" $none --html=page.html --processors=4,8 counted counted.out >got
sed -n '/id="emulation-memory"/,/<\/table>/s/^<tr><td class="left">static<.td>//p' page.html >row
echo '<td><b>1.82</b></td><td><b>1.82</b></td></tr>' >wanted
same 'the page' wanted row
"$report" --file-info counted counted.out >got
holds 'what was counted is shown' grep -q 'counted: *waits: 2 times, 4,000,000 ns, 2,000,000 instructions, 9,000,000 cycles, 20,000 misses' got
holds 'and that memory was not measured' grep -q 'memory: *not measured; --calibrate does' got
"$report" -s -o two.sum counted counted.out counted.out
"$report" $none -b --emulate=static --processors=4 counted two.sum >got
holds 'a sum has the counts of both' grep -q '^ *10.000 *320 *2.50  waits' got

# This machine's, in the file.
"$report" --emulate=static -b --processors=4 counted counted.out >got
holds 'memory that was not measured is not modelled' grep -q 'Memory: not modelled: measure this machine first, with cilkprof report --calibrate' got
mkdir -p .cache/cilkprof
printf '# measured\nline 64\nphi 32000:-1:0\npsi4 linear:0.5:160\npsi2 nonsense\n' >.cache/cilkprof/overheads
"$report" --overheads=$free --emulate=static -b --processors=4 counted counted.out >got
holds 'what was measured on this machine' grep -q '^ *10.000 *320 *2.50  waits' got
"$report" --file-info counted counted.out >got
holds 'which --file-info shows' grep -q 'memory: *line 64, phi 32000:-1:0, psi4 linear:0.5:160; measured by --calibrate' got
rm -r .cache

# Without counters: the commands.
"$report" --emulate=static --processors=2 uses uses.out >got
holds 'no counters: a line says so' grep -q 'Memory: not modelled: the run had no hardware counters' got
grep -A 2 '^cilkprof report --calibrate' got | sed 's/--LL=[0-9]*,[0-9]*,[0-9]* /--LL=CACHE /' >commands
cat >wanted <<END
cilkprof report --calibrate
CILKPROF_OUT=/dev/null valgrind --tool=callgrind --cache-sim=yes --LL=CACHE --combine-dumps=yes --dump-before=__cilkprof_section_begins --dump-before=__cilkprof_section_ended --callgrind-out-file=callgrind.out ./uses 7
cilkprof report --emulate --cachegrind=callgrind.out uses uses.out
END
same 'and the commands' wanted commands
sed 's/^child 0 1 1/child 0 1000 1/' uses.txt >often.txt
build often
"$report" --emulate=static --processors=2 often often.out >got
holds 'of many sections, those of the program' grep -q 'valgrind --tool=cachegrind --cache-sim=yes --LL=[0-9,]* --cachegrind-out-file=cachegrind.out ./uses 7$' got

# Files of valgrind's.
cat >cachegrind.out <<'END'
desc: I1 cache:         16384 B, 64 B, 4-way associative
desc: LL cache:         4194304 B, 64 B, 16-way associative
cmd: ./uses 7
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw 
fl=uses.c
fn=main
12 10000000 0 0 5 5 5 5 5 5
summary: 10000000 70 1000 4222566 525995 50000 4206456 524951 49000
END
"$report" $none -b --emulate=static --processors=4 --cachegrind=cachegrind.out uses uses.out >got
cat >wanted <<'END'
  Misses:                 simulated by cachegrind for the program, distributed by time

    per 1000     MB/s       4  section
      10.000      640    2.50  waits
      10.000      640    2.50  computes
END
sed -n '/Misses:/,/computes/p' got >rows
same 'misses of the program, shared out by time' wanted rows
cat >callgrind.out <<'END'
# callgrind format
version: 1
cmd:  ./uses 7
part: 1
desc: LL cache: 4194304 B, 64 B, 16-way associative
desc: Trigger: --dump-before=__cilkprof_section_begins
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
summary: 77777 1 1 1 1 1 7777 7777 7777
totals: 77777 1 1 1 1 1 7777 7777 7777
END
part() {
  printf 'part: 2\n\ndesc: Trigger: %s\n\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nsummary: %s\n\nfl=a\ntotals: %s\n' "$1" "$2" "$2" >>callgrind.out
}
part --dump-before=__cilkprof_section_ended '1000000 0 0 0 0 0 1000 3000 6000'
part --dump-before=__cilkprof_section_begins 4
part --dump-before=__cilkprof_section_ended 4000000
part --dump-before=__cilkprof_section_begins '1000 0 0 0 0 0 1000 1000 1000'
part --dump-before=__cilkprof_section_ended '1000000 0 0 0 0 0 0 10000'
part 'Program termination' '5 0 0 0 0 0 1000 1000 1000'
"$report" $none -b --emulate=static --processors=4 --cachegrind=callgrind.out uses uses.out >got
cat >wanted <<'END'
  Misses:                 simulated by callgrind

    per 1000     MB/s       4  section
      10.000      320    2.50  waits
       0.000        0    1.00  computes
END
sed -n '/Misses:/,/computes/p' got >rows
same 'misses of each section, by the parts of the file' wanted rows
"$report" $none -b --emulate=static --processors=4 --cachegrind=callgrind.out counted counted.out >again
holds 'a file goes before counters' grep -q 'simulated by callgrind' again

refuses 'parts of another program' 'its 3 sections are not those of the profile' --emulate --cachegrind=callgrind.out often often.out
part --dump-before=__cilkprof_section_begins 4
part --dump-before=__cilkprof_section_ended 4
refuses 'more sections than there are' 'its 4 sections are not those' --emulate --cachegrind=callgrind.out uses uses.out
refuses 'no such file' 'No such file' --emulate --cachegrind=/nowhere/cachegrind.out uses uses.out
refuses 'a profile' 'not a file of valgrind' --emulate --cachegrind=uses.out uses uses.out
: >empty
refuses 'an empty file' 'not a file of valgrind' --emulate --cachegrind=empty uses uses.out
sed '/^summary/d' cachegrind.out >bad
refuses 'a file that was cut' 'no totals at its end' --emulate --cachegrind=bad uses uses.out
sed 's/^events:.*/events: Ir/; s/^summary:.*/summary: 12/' cachegrind.out >bad
refuses 'no simulation of caches' 'run valgrind with --cache-sim=yes' --emulate --cachegrind=bad uses uses.out
sed 's/^events:.*/events: Cycles/' cachegrind.out >bad
refuses 'other events' 'line 4: it counts no instructions' --emulate --cachegrind=bad uses uses.out
sed 's/^summary: 1/summary: -1/' cachegrind.out >bad
refuses 'sums that are no numbers' 'line 8: these are not the sums of its 9 events' --emulate --cachegrind=bad uses uses.out
sed 's/^summary: /summary: 1 2 /' cachegrind.out >bad
refuses 'too many sums' 'not the sums of its 9 events' --emulate --cachegrind=bad uses uses.out
sed '/^events/d' cachegrind.out >bad
refuses 'sums of nothing' 'sums come before what was counted' --emulate --cachegrind=bad uses uses.out
sed '/^summary/d' cachegrind.out >fewer.bad
build quicksort
sed 's/^mode.*/mode count/; s/^units.*/units 0/' uses.txt >instructions.txt
build instructions
refuses 'a profile without times' 'how long sections take is not known' --emulate --cachegrind=cachegrind.out instructions instructions.out
refuses 'a bad file before anything of other programs is printed' 'no totals at its end' --format=json --cachegrind=fewer.bad uses uses.out
refuses 'a file for a profile without sections' 'no tree of tasks' --sites --cachegrind=cachegrind.out quicksort quicksort.out
refuses 'the file as the output' 'cachegrind.out' -o cachegrind.out --emulate --cachegrind=cachegrind.out uses uses.out
refuses 'a fit that is none' 'costs are named as in' --emulate --overheads=psi4=linear:1 uses uses.out

# Whatever a file holds, there is a report or one line.
cat >damage.awk <<'END'
BEGIN { srand(seed); RS = "\001" }
{
  text = $0
  for (i = 0; i < 3; i++) {
    at = int(rand() * length(text)) + 1
    what = int(rand() * 4)
    with = substr("0123456789 :-,\nIrDLmw", int(rand() * 21) + 1, 1)
    text = substr(text, 1, at - 1) (what == 0 ? "" : what == 1 ? with : with substr(text, at, 40)) substr(text, at + (what != 2))
  }
  printf "%s", rand() < 0.2 ? substr(text, 1, int(rand() * length(text))) : text
}
END
wrong=0 good=0
for seed in $(seq 1 80); do
  case $((seed % 2)) in 0) from=cachegrind.out ;; *) from=callgrind.out ;; esac
  awk -v seed="$seed" -f damage.awk "$from" >damaged
  "$report" $none -b --emulate=static --processors=4 --cachegrind=damaged uses uses.out >got 2>errors
  status=$?
  case $status in
  0) good=$((good + 1)) ;;
  1) [ "$(wc -l <errors)" = 1 ] && [ ! -s got ] || wrong=$((wrong + 1)) ;;
  *) wrong=$((wrong + 1)) && cp damaged "damaged.$seed" ;;
  esac
done
echo "$wrong wrong, $good good" >said
holds 'damaged files' test "$wrong" = 0
finish
