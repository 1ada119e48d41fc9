#!/bin/sh
# The speedup plot: gnuplot's data and script, trials, the picture without gnuplot, and what is never overwritten.
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
for line in '2' 'x 1' '2 0' '0 1' '2 1 3 4 5' '2 1 x' '2 1 -1' '2 1 1 nan' '2x 1' '2 1x' '-1 1' '2 nan' '2 1e999' 'copies 2' 'copies 1 x' 'copy 2 1'; do
  echo "$line" >bad
  refuses "a trial $line" 'bad: line 1 is not' --plot=tried.gp --trials=bad quicksort quicksort.out
done
: >bad
refuses 'no trials' 'bad: it has no lines' --plot=tried.gp --trials=bad quicksort quicksort.out
refuses 'no file of trials' 'nowhere: No such file' --plot=tried.gp --trials=nowhere quicksort quicksort.out
refuses 'no rows of trials without them' '--csv=trials: name the file' --csv=trials quicksort quicksort.out
refuses 'another kind of picture' 'a file whose name ends in .svg, .png or .gp' --plot=plot.jpg quicksort quicksort.out
refuses 'a folder that is not there' 'No such file' --plot=nowhere/plot.gp quicksort quicksort.out

echo mine >mine.dat
echo mine >mine.gp
refuses 'data that somebody else made' 'mine.dat: it exists and was not written by' --plot=mine.png quicksort quicksort.out
rm mine.dat
refuses 'a script that somebody else made' 'mine.gp: it exists and was not written by' --plot=mine.png quicksort quicksort.out
holds 'they are still there' grep -q mine mine.gp
rm -f mine.dat
holds 'what is named is replaced' "$report" --plot=mine.gp quicksort quicksort.out
holds 'and what was made before' "$report" --plot=speedup.gp quicksort quicksort.out

refuses 'a name that gnuplot cannot read' 'with quotes' "--plot=it's.png" quicksort quicksort.out
mkdir empty
PATH=$PWD/empty "$report" --plot=none.png quicksort quicksort.out >got 2>errors
holds 'gnuplot is missing: one line, status 1' test $? = 1 -a ! -s got -a "$(wc -l <errors)" = 1
holds 'it says what to do' grep -q 'none.png: gnuplot is not installed; install it and run: gnuplot none.gp' errors
holds 'script and data are there' test -s none.gp -a -s none.dat

# An SVG needs no gnuplot.
printf '1 0.8\n2 0.42\n' >trials
PATH=$PWD/empty "$report" --plot="it's.svg" --processors=4 --trials=trials quicksort quicksort.out >got 2>&1
holds 'an SVG without gnuplot' test $? = 0 -a ! -s got
holds 'and without other files' test "$(echo it*)" = "it's.svg"
mv "it's.svg" picture.svg
holds 'it has the title and all curves' sh -c 'grep -q "</svg>" picture.svg &&
  for text in "./qsort 10000000" "class=.expected" linear "span law: 5.54" "lower bound" "up to 16 processors" ">16</text>"; do
    grep -q -- "$text" picture.svg || { echo "$text"; exit 1; }; done'
holds 'and the trials' test "$(grep -c 'class="trial"' picture.svg)" = 2
# ticks FILE: the numbers below and beside the plot.
ticks() {
  grep -o 'class="tick"[^<]*' "$1" | sed 's/.*text-anchor="\(.*\)">/\1 /' | awk '{ ticks[$1] = ticks[$1] " " $2 } END { print ticks["middle"] ";" ticks["end"] }'
}
ticks picture.svg >got
"$report" --plot=wide.svg --processors=32 quicksort quicksort.out && ticks wide.svg >>got
"$report" --plot=wider.svg --processors=128 quicksort quicksort.out && ticks wider.svg >>got
"$report" --plot=wide.svg --processors=1000000 quicksort quicksort.out && ticks wide.svg >>got
cat >wanted <<'END'
 0 2 4 6 8 10 12 14 16; 0 2 4 6 8 10 12 14 16
 0 5 10 15 20 25 30; 0 5 10 15 20 25 30
 1 2 4 8 16 32 64 128; 0.5 1 2 4 8 16 32 64 128
 1 4 16 64 256 1024 4096 16384 65536 262144; 0.5 4 32 256 2048 16384 131072
END
same 'up to as many processors as are asked for, in powers of two beyond 32' wanted got
# The span law at 5.54 of 0.5 to 128: log 11.08 / log 256 of the 340 points between 356 and 16.
awk 'BEGIN { printf "%.1f\n", 356 - 340 * log(791518060 / 142902681 / 0.5) / log(128 / 0.5) }' >wanted
grep -o 'class="law"[^>]* y1="[0-9.]*"' wider.svg | sed 's/.*y1="//; s/"//' >got
same 'the span law is where it should be' wanted got
printf '1 0.8\n2 80\n' >slow
"$report" --plot=slow.svg --trials=slow --processors=64 quicksort quicksort.out && ticks slow.svg >got
echo ' 1 2 4 8 16 32 64; 0.015625 0.0625 0.25 1 4 16 64' >wanted
same 'programs that are slower are shown, as far as there is room' wanted got
"$report" --html=page.html --processors=128 quicksort quicksort.out && ticks page.html >got
ticks wider.svg >wanted
same 'the page has the same plot' wanted got

# Names cannot run commands: gnuplot does that for backquotes.
sed 's/^command.*/command .\/`touch${IFS}hit` it'"''"'s "$(touch\\040hit)"/' quicksort.txt >hostile.txt
build hostile
sed 's/^command.*/command .\/<b>\&amp; ]]> "x"/' quicksort.txt >markup.txt
build markup
"$report" --plot=markup.svg markup markup.out
holds 'nor are they markup' sh -c 'grep -q "&#60;b&#62;&#38;amp; \]\]&#62;" markup.svg && ! grep -q "<b>" markup.svg'
if command -v xmllint >/dev/null; then
  "$report" --plot=hostile.svg hostile hostile.out
  holds 'all pictures are XML' xmllint --noout picture.svg wider.svg markup.svg hostile.svg
fi
if command -v gnuplot >/dev/null; then
  holds 'gnuplot draws a PNG' "$report" --plot=picture.png --trials=trials quicksort quicksort.out
  holds 'it is one' sh -c 'head -c 4 picture.png | grep -q PNG'
  holds 'a name that looks like an option' "$report" --plot=-e.png quicksort quicksort.out
  rm picture.png
  holds 'its script draws it too' sh -c 'gnuplot picture.gp && head -c 4 picture.png | grep -q PNG'
  holds 'a hostile command line is a title' "$report" --plot=hostile.png hostile hostile.out
  holds 'it runs nothing' test ! -e hit
  printf '#!/bin/sh\nexit 1\n' >empty/gnuplot
  chmod +x empty/gnuplot
  PATH=$PWD/empty:$PATH "$report" --plot=picture.png quicksort quicksort.out 2>errors
  holds 'gnuplot that fails' test $? = 1 -a "$(wc -l <errors)" = 1
  holds 'leaves the picture that was there' sh -c 'head -c 4 picture.png | grep -q PNG'
fi
finish
