#!/bin/sh
# A profile knows its program: it is found by its build-id, and no other is taken for it.  So is what strip took out.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"
unset DEBUGINFOD_URLS DEBUGINFOD_PROGRESS DEBUGINFOD_VERBOSE

identity() {
  readelf -n "$1" | sed -n 's/.*Build ID: //p'
}
# debug_name PROGRAM: its place below a folder of debugging information.
debug_name() {
  identity "$1" | sed 's/^../.build-id\/&\//'
}

mkdir made there here other
cd made
build calls -g
cd ..
"$report" -b made/calls made/calls.out >whole
prints 'a profile alone: its program lies where it ran' -b made/calls.out <whole
cp made/calls.out cilkprof.out
prints 'no argument: the same of cilkprof.out' -b <whole
"$report" -b - <made/calls.out >got 2>errors
same 'standard input is a profile' whole got
"$report" -b --summary made/calls made/calls.out made/calls.out >twice
prints 'several profiles alone are added up' -b --summary made/calls.out made/calls.out <twice
holds 'with a program as ever' "$report" -b made/calls made/calls.out
"$report" -b -i made/calls made/calls.out >info
prints '--file-info' -b -i made/calls.out <info

(cd other && build quicksort)
refuses 'profiles of two programs are not' 'calls: its build-id .* is not that of the profiled program' made/calls.out \
  other/quicksort.out

# The program has moved.
mv made/calls here/calls
(cd here && "$report" -b ../made/calls.out) >got 2>&1
same 'it is in this folder' whole got
mv here/calls there/calls
cp made/calls.out there/calls.out
prints 'it is beside the profile' -b there/calls.out <whole
mv there/calls here/a.out
(cd here && "$report" -b ../made/calls.out) >got 2>&1
same 'it is a.out' whole got
mv here/a.out kept
id=$(identity kept)
refuses 'it is nowhere' \
  "made/calls: No such file or directory, and build-id $id of the program of made/calls.out is found nowhere" -b made/calls.out

# Another program of that name is not taken for it.
(cd other && build calls -O1 -Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567)
cp other/calls made/calls
refuses 'another build where it ran' "made/calls: it is another build now, and build-id $id .* name the program" made/calls.out
cp other/calls .
cp other/calls there/calls
refuses 'and here, and beside the profile' "made/calls: it is another build now, and build-id $id " there/calls.out
mv kept right
cp right calls
prints 'another where it ran, the right one here' -b made/calls.out <whole
"$report" -b --force made/calls.out >got 2>errors
same '--force with the right one: that' whole got
rm -f calls there/calls
"$report" -b --sites --force made/calls.out >got 2>errors
holds '--force: another is taken where it ran, and that is said' grep -q "its build-id 0123456789abcdef0123456789abcdef01234567 is not that of the profiled program, $id" errors
rm made/calls
cp right made/text
echo 'no program' >made/calls
refuses 'what lies there is no program' "made/calls: not an ELF program or library, and build-id $id" made/calls.out
rm made/calls

# In a folder of debugging information, as distributions have it.
place=$(debug_name right)
mkdir -p "debug/$(dirname "$place")"
cp right "debug/$place"
prints 'by its build-id' -b --debuginfo-path="$PWD/debug" made/calls.out <whole
cp other/calls "debug/$place"
refuses 'another in its place' "build-id $id" --debuginfo-path="$PWD/debug" made/calls.out
rm "debug/$place"
cp right "debug/$place.debug"
prints 'a whole program among the files of debuggers' -b --debuginfo-path="$PWD/debug" made/calls.out <whole
objcopy --only-keep-debug right "debug/$place.debug" 2>errors
refuses 'a file of debuggers alone is no program' "build-id $id" --debuginfo-path="$PWD/debug" made/calls.out

# What strip took out of it: symbols, and lines.
strip right -o stripped
"$report" -b -C --inline-file-names -p -q --sites right made/calls.out >lines 2>errors
holds 'there are lines to be found' grep -q 'calls.c:[0-9]' lines
refuses 'a stripped program' 'stripped: it has no symbols: it was stripped' stripped made/calls.out
prints 'its symbols and lines, by its build-id' --debuginfo-path="$PWD/debug" -b -C --inline-file-names -p -q --sites stripped \
  made/calls.out <lines
cp stripped here/calls
(cd here && "$report" --debuginfo-path="$OLDPWD/debug" -b -C --inline-file-names -p -q --sites ../made/calls.out) >got 2>&1
same 'both are found' lines got
rm here/calls
cp other/calls "debug/$place.debug"
refuses 'those of another build are not taken' 'no symbols' --debuginfo-path="$PWD/debug" stripped made/calls.out
objcopy --only-keep-debug right stripped.dbg
objcopy --add-gnu-debuglink=stripped.dbg stripped linked
prints 'by the name that the program has of it' -b -C --inline-file-names -p -q --sites linked made/calls.out <lines
mkdir .debug
mv stripped.dbg .debug
prints 'in the folder .debug' -b -C --inline-file-names -p -q --sites linked made/calls.out <lines
strip -g right -o symbols
objcopy --add-gnu-debuglink=.debug/stripped.dbg symbols
prints 'only its lines were taken' -b -C --inline-file-names -p -q --sites symbols made/calls.out <lines
for size in 0 60 1000 5000; do
  head -c $size .debug/stripped.dbg >damaged.dbg
  cp stripped cut
  objcopy --add-gnu-debuglink=damaged.dbg cut 2>errors
  refuses "a file of $size bytes in its place" 'cut: it has no symbols' cut made/calls.out
done

cp .debug/stripped.dbg damaged.dbg
cp stripped cut
objcopy --add-gnu-debuglink=damaged.dbg cut
objcopy --only-keep-debug other/calls damaged.dbg
refuses 'that of another program in its place' 'cut: it has no symbols' cut made/calls.out

# Shared libraries likewise.
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
function hidden
site call 1 library.c 7 1 entry - library.c
callee 1 hidden
on_work 1 30 30 30  1 30 30 30  1 30 30 30
on_span 1 30 30 30  1 30 30 30  1 30 30 30
EOF
$make_profile program both.txt 0 >both.c
$make_profile program both.txt 1 >library.c
${CC:-cc} -Wl,--build-id both.c -o both
${CC:-cc} -g -Wl,--build-id -fPIC -shared -fvisibility=hidden library.c -o library.so
$make_profile profile both.txt both library.so >both.out
"$report" -b --sites both.out >whole 2>errors
holds 'a program and a library' grep -q 'library.c:7  entry -> hidden$' whole
mkdir moved
mv library.so moved/
refuses 'the library is gone' 'library.so: No such file or directory; .*--force' both.out
cp both.out moved/
prints 'the library is beside the profile' -b --sites moved/both.out <whole
place=$(debug_name moved/library.so)
mkdir -p "debug/$(dirname "$place")"
cp moved/library.so "debug/$place"
prints 'by its build-id' -b --sites --debuginfo-path="$PWD/debug" both.out <whole
objcopy --only-keep-debug moved/library.so "debug/$place.debug" 2>errors
strip moved/library.so
"$report" -b --sites moved/both.out >got 2>errors
holds 'stripped: a function that only its symbols name' grep -q 'library.c:7  entry -> library.so+0x' got
prints 'its symbols, by its build-id' -b --sites --debuginfo-path="$PWD/debug" moved/both.out <whole

# Two builds, each profile with its own.
mkdir old new
(cd old && build quicksort)
(cd new && sed 's/408150528/204075264/g' "$TOP/test/report/quicksort.txt" >quicksort.txt && build quicksort -Wl,--build-id=0xfeedfacefeedface)
"$report" -b --diff old/quicksort:old/quicksort.out new/quicksort:new/quicksort.out | sed 1d >wanted
"$report" -b --diff old/quicksort.out new/quicksort.out 2>errors | sed 1d >got
same '--diff: each profile knows its program' wanted got
mkdir store
for build in old new; do
  place=$(debug_name $build/quicksort)
  mkdir -p "store/$(dirname "$place")"
  mv $build/quicksort "store/$place"
done
"$report" -b --diff --debuginfo-path="$PWD/store" old/quicksort.out new/quicksort.out 2>errors | sed 1d >got
same '--diff: both by their build-ids' wanted got
cp "store/$place" quicksort
refuses '--diff: not both of the same' 'old/quicksort: No such file or directory, and build-id' --diff old/quicksort.out new/quicksort.out

# From a server, if there is what asks it.
if ldconfig -p | grep -q 'libdebuginfod\.so\.1'; then
  id=$(identity right)
  mkdir -p "served/buildid/$id"
  cp stripped "served/buildid/$id/executable"
  cp .debug/stripped.dbg "served/buildid/$id/debuginfo"
  perl -MIO::Socket::INET -e '$| = 1; local $/;
    my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die;
    open my $port, ">", "port.new"; print $port $server->sockport, "\n"; close $port; rename "port.new", "port";
    while (my $client = $server->accept) {
      my ($path) = do { local $/ = "\r\n\r\n"; <$client> =~ /^GET (\S+)/ };
      my $file; my $there = open $file, "<:raw", "served$path"; my $body = $there ? <$file> : "";
      my $status = $there ? "200 OK" : "404 Not Found";
      print "GET $path $status\n";
      print $client "HTTP/1.0 $status\r\nContent-Length: ", length $body, "\r\n\r\n", $body;
      close $client;
    }' >served.log 2>&1 &
  server=$!
  for wait in 1 2 3 4 5 6 7 8 9 10; do [ -s port ] || sleep 1; done
  export DEBUGINFOD_CACHE_PATH="$PWD/cache"
  mv right away
  rm -rf .debug
  refuses 'no server is asked unless one is named' "build-id $id" -b made/calls.out
  same 'none was' /dev/null served.log
  export DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)/"
  prints 'program, symbols and lines from a server' -b -C --inline-file-names -p -q --sites made/calls.out <lines
  holds 'it was asked for the program' grep -q "GET /buildid/$id/executable.* 200" served.log
  holds 'and for its debugging information' grep -q "GET /buildid/$id/debuginfo.* 200" served.log
  rm -rf cache
  cp other/calls "served/buildid/$id/executable"
  refuses 'a server that has another' "build-id $id" -b made/calls.out
  rm -rf cache "served/buildid"
  refuses 'a server that has none' "build-id $id" -b made/calls.out
  kill $server
else
  pass 'from a server # SKIP libdebuginfod.so.1 is not installed (libdebuginfod1)'
fi
finish
