#!/bin/sh
# The speedup plot: its data and script, trials, gnuplot, and what is never overwritten.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls

holds 'a script and its data' "$report" --plot=speedup.gp --processors=4 quicksort quicksort.out
holds 'nothing else is written' test "$(echo speedup.*)" = 'speedup.dat speedup.gp'
sed '1,2d;/^$/,$d' speedup.dat >got
# Upper bound min(P, 791518060 / 142902681), lower bound 791518060 / (791518060 / P + 1.7 * 143010681).
awk 'BEGIN { for (p = 1; p <= 16; p++)
  printf "%d %.6g %.6g\n", p, (p < 5.538861 ? p : 791518060 / 142902681), 791518060 / (791518060 / p + 1.7 * 143010681) }' >wanted
same 'the bounds are those of the paper' wanted got
holds 'the span law is drawn' grep -q 'parallelism = 5.53886' speedup.gp
"$report" --plot=wide.gp --processors=40 quicksort quicksort.out
holds 'as many processors as are asked for' grep -q '^40 5.53886 ' wide.dat

printf '# processors and seconds\n1 0.8\n 2 0.42 # twice\n\n4\t0.25\n2 0.4\n' >trials
"$report" --plot=tried.gp --trials=trials quicksort quicksort.out
sed -n '/measured speedup/,$p' tried.dat | sed 1d >got
printf '%s\n' '1 1 0.8' '2 1.90476 0.42' '4 3.2 0.25' '2 2 0.4' >wanted
same 'trials against the run on one processor' wanted got
printf '2 0.4\n' >trials
"$report" --plot=tried.gp --trials=trials quicksort quicksort.out
holds 'without one against the work' grep -q '^2 1.9788 0.4$' tried.dat
refuses 'but not of counted instructions' 'trials: it needs a line for one processor' \
  --plot=tried.gp --trials=trials calls calls.out
for line in '2' 'x 1' '2 0' '0 1' '2 1 3' '-1 1' '2 nan' '2 1e999'; do
  echo "$line" >bad
  refuses "a trial $line" 'bad: line 1 is not' --plot=tried.gp --trials=bad quicksort quicksort.out
done
: >bad
refuses 'no trials' 'bad: it has no lines' --plot=tried.gp --trials=bad quicksort quicksort.out
refuses 'no file of trials' 'nowhere: No such file' --plot=tried.gp --trials=nowhere quicksort quicksort.out
refuses 'trials without a plot' 'they are for --plot and --html' --trials=trials quicksort quicksort.out
refuses 'another kind of picture' 'must end in .svg, .png or .gp' --plot=plot.jpg quicksort quicksort.out
refuses 'a folder that is not there' 'No such file' --plot=nowhere/plot.gp quicksort quicksort.out

echo mine >mine.dat
echo mine >mine.gp
refuses 'data that somebody else made' 'mine.dat: it exists and was not made by' --plot=mine.svg quicksort quicksort.out
rm mine.dat
refuses 'a script that somebody else made' 'mine.gp: it exists and was not made by' --plot=mine.svg quicksort quicksort.out
holds 'they are still there' grep -q mine mine.gp
rm -f mine.dat
holds 'what is named is replaced' "$report" --plot=mine.gp quicksort quicksort.out
holds 'and what was made before' "$report" --plot=speedup.gp quicksort quicksort.out

refuses 'a name that gnuplot cannot read' 'with quotes' "--plot=it's.svg" quicksort quicksort.out
mkdir empty
PATH=$PWD/empty "$report" --plot=none.svg quicksort quicksort.out >got 2>errors
holds 'gnuplot is missing: one line, status 1' test $? = 1 -a ! -s got -a "$(wc -l <errors)" = 1
holds 'it says what to do' grep -q 'none.svg: gnuplot is not installed; install it and run: gnuplot none.gp' errors
holds 'script and data are there' test -s none.gp -a -s none.dat

# Names cannot run commands: gnuplot does that for backquotes.
sed 's/^command.*/command .\/`touch${IFS}hit` it'"''"'s "$(touch\\040hit)"/' quicksort.txt >hostile.txt
build hostile
if command -v gnuplot >/dev/null; then
  printf '1 0.8\n2 0.42\n' >trials
  holds 'gnuplot draws an SVG' "$report" --plot=picture.svg --trials=trials quicksort quicksort.out
  holds 'it is one, with the title and all curves' sh -c 'grep -q "</svg>" picture.svg &&
    for text in "./qsort 10000000" expected linear "span law: parallelism 5.54" "burdened span" measured; do
      grep -q -- "$text" picture.svg || exit 1; done'
  holds 'and a PNG' "$report" --plot=picture.png quicksort quicksort.out
  holds 'it is one' sh -c 'head -c 4 picture.png | grep -q PNG'
  holds 'the name is cilkprof.svg unless it is given' sh -c '"$0" --plot quicksort quicksort.out && test -s cilkprof.svg' "$report"
  holds 'a hostile command line is a title' "$report" --plot=hostile.svg hostile hostile.out
  holds 'it runs nothing' test ! -e hit
  printf '#!/bin/sh\nexit 1\n' >empty/gnuplot
  chmod +x empty/gnuplot
  PATH=$PWD/empty:$PATH "$report" --plot=picture.svg quicksort quicksort.out 2>errors
  holds 'gnuplot that fails' test $? = 1 -a "$(wc -l <errors)" = 1
fi
finish
