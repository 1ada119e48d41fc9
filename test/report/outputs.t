#!/bin/sh
# The files that the report writes: what it never overwrites, and that nothing is lost when it fails.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls
set -- quicksort quicksort.out
cp "$TOP/test/programs/qsort.c" qsort.c

# What must stay as it is.
mkdir before
cp quicksort.out copy.prof
cp quicksort.out cilkprof.out.1234.live
cp quicksort another
printf '1 0.8\n2 0.42\n' >trials
ln -s quicksort link
ln -s qsort.c notes
echo 'main: quicksort.o' >map
cp ./* before 2>/dev/null
# stay NAME: all of it is as it was, and nothing is left that was half written.
stay() {
  (cd before && for file in *; do cmp "$file" "../$file"; done; ls -A .. | grep '^\.cilkprof') >changed 2>&1
  same "$1" /dev/null changed
}

for file in quicksort another link; do
  refuses "-o $file: a program" "^cilkprof-report: $file: it is an executable or object file" -p -o $file "$@"
  refuses "--html=$file: a program" 'add --force$' --html=$file "$@"
done
for file in quicksort.out copy.prof cilkprof.out.1234.live; do
  refuses "-o $file: a profile" 'it is a profile and is not overwritten' -o $file "$@"
  refuses "-s -o $file: a profile" 'it is a profile' -s -o $file "$@"
  refuses "--format=csv -o $file" 'it is a profile' --format=csv -o $file "$@"
  refuses "--diff -o $file" 'it is a profile' --diff -o $file quicksort.out quicksort.out
done
refuses 'a source' 'qsort.c: it is a source file' -o qsort.c "$@"
refuses 'a source, by a link' 'notes: it is a source file' --html=notes "$@"
refuses 'the trials' 'trials: it is an input of this report' --plot=new.svg --trials=trials -o trials "$@"
refuses 'the trials, by another name' './trials: it is an input' --html=./trials --trials=trials "$@"
refuses 'the map' 'map: it is an input' -R map -o map "$@"
refuses 'standard input' 'it is a profile' -o copy.prof quicksort - <copy.prof
stay 'all of these are still there'

# A source by what the program says of it, whatever it is called.
sed 's/qsort\.c/qsort.cilk/' quicksort.txt >odd.txt
build odd
cp qsort.c qsort.cilk
refuses 'a source of the program that is called otherwise' 'qsort.cilk: it is an input of this report' -p -o qsort.cilk odd odd.out
refuses 'a page in its place' 'qsort.cilk: it is an input of this report' --html=./qsort.cilk odd odd.out
holds 'to another program it is a file like others' "$report" -p -o qsort.cilk calls calls.out

cp another forced
holds '--force' "$report" --force -p -o forced "$@"
holds 'overwrites it' grep -q 'Flat profile' forced
holds 'what may be overwritten is' sh -c '"$0" -p -o text "$@" && "$0" --summary -o text "$@" && grep -q Parallelism text' "$report" "$@"

# Sums are carried on.
holds 'a sum' "$report" -s -o all.sum "$@"
holds 'to which a profile is added' "$report" -s -o all.sum "$@" all.sum
holds 'is still a profile' "$report" --summary quicksort all.sum
refuses 'but it is no place for another output' 'all.sum: it is a profile' -p -o all.sum "$@"

# Nothing is lost when something fails half way.
echo old >old
refuses 'another output fails' 'nowhere/plot.svg: No such file' -i --plot=nowhere/plot.svg -o old "$@"
refuses 'two outputs to one file' 'old: this report already writes something else' -p --html=old -o ./old "$@"
refuses 'a sum and a section to one file' 'cilkprof.sum: it is a profile' -s -p -o cilkprof.sum "$@"
echo old >wanted
same 'the old file is still there' wanted old
holds 'and no new one, nor a part of it' test ! -e nowhere -a "$(ls -A | grep -c '^\.cilkprof')" = 0
if command -v prlimit >/dev/null; then
  prlimit --fsize=4096 sh -c 'trap "" XFSZ; "$0" --html=old "$@"' "$report" "$@" >got 2>errors
  holds 'a page that does not fit' test $? = 1 -a "$(wc -l <errors)" = 1
  same 'leaves the old file' wanted old
  holds 'and nothing else' test "$(ls -A | grep -c '^\.cilkprof')" = 0
fi
mkfifo slow
"$report" -i -p -o old -R slow "$@" &
process=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  if ls -A | grep -q '^\.cilkprof'; then break; fi
  sleep 0.2
done
kill $process
wait $process 2>/dev/null
same 'a report that is interrupted leaves the old file' wanted old
holds 'and nothing else: it is cleaned up' test "$(ls -A | grep -c '^\.cilkprof')" = 0

# Links, permissions, devices.
echo old >target
chmod 640 target
ln -s target linked
ln -s fresh dangling
holds 'through a link' "$report" -p -o linked "$@"
holds 'the link stays, as do the permissions of the file' test -h linked -a "$(stat -c %a target)" = 640
holds 'the file is new' grep -q 'Flat profile' target
holds 'through a link to nothing' sh -c '"$0" -p -o dangling "$@" && test -h dangling && test -s fresh' "$report" "$@"
(umask 027 && "$report" -p -o masked "$@")
holds 'a new file has the permissions that it is to have' test "$(stat -c %a masked)" = 640
if [ "$(id -u)" = 0 ]; then
  ln -s hidden theirs && chown -h 65534 theirs
  refuses 'through a link of another user' 'theirs: it is a symbolic link of another user' -p -o theirs "$@"
  holds 'nothing was written' test ! -e hidden
  holds 'but with --force' sh -c '"$0" -p --force -o theirs "$@" && test -s hidden' "$report" "$@"
  if mknod disk b 7 250 2>/dev/null; then refuses 'a disk' 'disk: it is a block device' -p -o disk "$@"; fi
fi
holds 'a device' "$report" -p -o /dev/null --html=/dev/null "$@"
mkfifo pipe
timeout 20 cat pipe >got &
holds 'a pipe' timeout 60 "$report" -p -o pipe "$@"
wait
holds 'gets all of it' grep -q 'Flat profile' got
chmod 444 target
mkdir closed
echo old >closed/file
chmod 555 closed
if [ ! -w target ]; then
  refuses 'a file that may not be written' 'target: Permission denied' -p -o target "$@"
  refuses 'a folder that may not be written' 'closed/page.html: Permission denied' --html=closed/page.html "$@"
  holds 'a file that may, in a folder that may not' "$report" -p -o closed/file "$@"
fi
refuses 'an empty name' 'No such file' --html= "$@"

# Standard output by its name, and the names of files that are not named.
"$report" -b -p "$@" >wanted
for name in - /dev/stdout; do
  "$report" -b -p -o $name "$@" >got
  same "-o $name" wanted got
done
(echo first; "$report" -b -p -o /dev/stdout "$@"; echo last) >got
(echo first; cat wanted; echo last) >all
same '-o /dev/stdout in the middle of a file' all got
holds '--html=-' sh -c '"$0" --html=- "$@" | grep -q "</html>"' "$report" "$@"
holds '--plot=-' sh -c '"$0" --plot=- "$@" | grep -q "</svg>"' "$report" "$@"
holds '-s -o -' sh -c '"$0" -s -o - "$@" | "$0" --summary quicksort - | grep -q Parallelism' "$report" "$@"
holds 'none of them is a file' test ! -e -
holds 'a word after --html is the program' sh -c '"$0" --html "$@" && grep -q "</html>" cilkprof.html' "$report" "$@"
holds 'and after --plot' sh -c '"$0" --plot "$@" && grep -q "</svg>" cilkprof.svg' "$report" "$@"
refuses 'a page that would be the program' 'page.html: that would be the program; to write to it, use --html=page.html' --html page.html "$@"
refuses 'a plot that would be' 'use --plot=plot.png' --plot plot.png "$@"
stay 'all that must be is still there'

# Two sources of one name: the second would replace what was written of the first.
mkdir one two
cp qsort.c one/same.c
cp qsort.c two/same.c
sed 's/qsort\.c/one\/same.c/' quicksort.txt | awk '/^site/ && !done { sub(/one/, "two"); done = 1 } { print }' >twice.txt
build twice
"$report" -A -y twice twice.out >got 2>errors
holds '-y: one of two sources of one name' test $? = 0 -a -s same.c-ann
holds 'the other is told' grep -q 'same.c: not annotated: same.c-ann already belongs to another source' errors

# There is no other way to write a file; temporary ones, which programs are made of, are in a folder of their own.
(cd "$TOP" && grep -rnE '\b(fopen|freopen|creat|rename|mkstemp)\(|O_CREAT|O_TRUNC' cilkprof-report --include='*.c') |
  grep -vE 'support/output\.c|emulation/outside\.c|fopen\([^)]*, "re?"\)' >said
same 'only one file of the report creates files that stay' /dev/null said
finish
