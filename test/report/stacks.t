#!/bin/sh
# Exports of calling contexts, each read by its real consumer: flamegraph.pl, pprof, and jq in the place of speedscope.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build tree -g
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl

cat >work <<'END'
main 145
main;build 100
main;build;leaf 100
main;build;build 200
main;build;build;leaf 200
main;leaf 250
main;tiny 5
END
cat >span <<'END'
main 145
main;build 50
main;build;leaf 100
main;build;build 50
main;leaf 50
END
cat >calls <<'END'
main 1
main;build 1
main;build;leaf 10
main;build;build 2
main;build;build;leaf 20
main;leaf 5
main;tiny 1
END
prints 'collapsed: work' --format=collapsed tree tree.out <work
prints 'collapsed: span, the critical path' --format=collapsed --metric=span tree tree.out <span
prints 'collapsed: calls' --format=collapsed --metric=calls tree tree.out <calls
if [ -r $flamegraph ]; then
  "$report" --format=collapsed --metric=span tree tree.out | perl $flamegraph --countname instructions >flames.svg
  grep -o '<title>[^<]*' flames.svg | sort >got
  cat >wanted <<'END'
<title>all (395 instructions, 100%)
<title>build (200 instructions, 50.63%)
<title>build (50 instructions, 12.66%)
<title>leaf (100 instructions, 25.32%)
<title>leaf (50 instructions, 12.66%)
<title>main (395 instructions, 100.00%)
END
  same 'flamegraph.pl draws what the contexts are' wanted got
else
  pass 'flamegraph.pl # SKIP it is not installed (libdevel-nytprof-perl)'
fi

# The schema of speedscope says: frames with names; profiles of type sampled whose samples and weights are as many, whose
# samples are lists of frames, and whose values go from the start to the end.
"$report" --format=speedscope --metric=span tree tree.out >got.speedscope
cat >shape.jq <<'END'
(.shared.frames | length) as $frames |
.["$schema"] == "https://www.speedscope.app/file-format-schema.json" and
all(.shared.frames[]; (.name | type) == "string" and (.line // 1 | type) == "number" and (.file // "" | type) == "string") and
(.profiles | length == 3) and .activeProfileIndex == 1 and
all(.profiles[]; .type == "sampled" and (.unit == "none" or .unit == "nanoseconds") and (.name | type) == "string" and
  (.samples | length) == (.weights | length) and .startValue == 0 and .endValue == (.weights | add) and
  all(.samples[][]; . >= 0 and . < $frames))
END
holds 'speedscope: the shape' jq -e -f shape.jq got.speedscope
jq -r '.shared.frames as $f | .profiles[] | .name, ([.samples, .weights] | transpose[] | "  " + ([.[0][] | $f[.].name] | join(";")) + " \(.[1])")' \
  got.speedscope >got
{
  echo work
  sed 's/^/  /' work
  echo 'span: the critical path'
  sed 's/^/  /' span
  echo calls
  sed 's/^/  /' calls
} >wanted
same 'speedscope: a profile of every metric' wanted got
holds 'speedscope: where functions are' jq -e '.shared.frames[1] | .line == 3 and (.file | endswith("tree.c"))' got.speedscope

# The fields of a pprof profile that are written, by its documentation.
cat >profile.proto <<'END'
syntax = "proto3";
message Profile {
  repeated ValueType sample_type = 1; repeated Sample sample = 2; repeated Mapping mapping = 3;
  repeated Location location = 4; repeated Function function = 5; repeated string string_table = 6;
  int64 time_nanos = 9; int64 duration_nanos = 10; int64 default_sample_type = 14;
}
message ValueType { int64 type = 1; int64 unit = 2; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; }
message Mapping {
  uint64 id = 1; int64 filename = 5; int64 build_id = 6;
  bool has_functions = 7; bool has_filenames = 8; bool has_line_numbers = 9;
}
message Location { uint64 id = 1; uint64 mapping_id = 2; repeated Line line = 4; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4; int64 start_line = 5; }
END
"$report" --format=pprof --metric=span -o tree.pb.gz tree tree.out
holds 'pprof: a gzip file' gzip -t tree.pb.gz
gzip -dc tree.pb.gz >tree.pb
holds 'pprof: compressed' test "$(wc -c <tree.pb.gz)" -lt "$(wc -c <tree.pb)"
"$report" --format=pprof --metric=span -o again.pb.gz tree tree.out
same 'pprof: equal profiles make equal files' tree.pb.gz again.pb.gz
if command -v protoc >/dev/null; then
  protoc --decode=Profile profile.proto <tree.pb >decoded 2>errors
  holds 'pprof: protoc decodes it' test $? = 0 -a ! -s errors
  holds 'pprof: every field is known' sh -c '! grep -q "^ *[0-9]" decoded'
  # Samples as their stacks, the innermost first, with lines; the strings are in the order of their numbers.
  perl -e '
    my (@strings, %function, %location, @samples, @types, @path, $default, %now);
    while (<>) {
      if (/^\s*(\w+) \{/) { push @path, $1; %now = () if @path == 1; next }
      if (/^\s*\}/) {
        my $kind = pop @path;
        if ($kind eq "sample") { push @samples, {%now} } elsif ($kind eq "sample_type") { push @types, {%now} }
        elsif ($kind eq "location") { $location{$now{id}[0]} = {%now} } elsif ($kind eq "function") { $function{$now{id}[0]} = {%now} }
        next;
      }
      /^\s*(\w+): (.*)/ or die;
      if ($1 eq "string_table") { push @strings, $2 =~ s/^"|"$//gr } elsif ($1 eq "default_sample_type") { $default = $2 }
      else { push @{$now{$1}}, $2 }
    }
    print "first string: $strings[0]\n", join(", ", map { "$strings[$_->{type}[0]]/$strings[$_->{unit}[0]]" } @types), "\n", "shown: $strings[$default]\n";
    for (@samples) {
      print join(" ", @{$_->{value}}), ":", (map { my $l = $location{$_}; " " . $strings[$function{$l->{function_id}[0]}{name}[0]] . ":$l->{line}[0]" } @{$_->{location_id}}), "\n";
    }' decoded >got 2>&1
  cat >wanted <<'END'
first string: 
work/instructions, span/instructions, calls/count
shown: span
145 145 1: main:40
100 50 1: build:3 main:42
100 100 10: leaf:5 build:21 main:42
200 50 2: build:3 build:22 main:42
200 0 20: leaf:5 build:21 build:22 main:42
250 50 5: leaf:5 main:43
5 0 1: tiny:7 main:44
END
  same 'pprof: stacks, lines and values' wanted got
else
  pass 'pprof, decoded # SKIP protoc is not installed (protobuf-compiler)'
fi
if command -v go >/dev/null; then
  HOME=$PWD PPROF_TMPDIR=$PWD go tool pprof -top tree.pb.gz 2>errors | sed -n '/^Type/p; /flat%/,$p' | sed 's/  */ /g; s/instructions//g' >got
  cat >wanted <<'END'
Type: span
 flat flat% sum% cum cum%
 150 37.97% 37.97% 150 37.97% leaf
 145 36.71% 74.68% 395 100% main
 100 25.32% 100% 200 50.63% build
END
  sed -i 's/^\([0-9]\)/ \1/' got
  same 'pprof: go tool pprof shows the critical path' wanted got
  "$report" --format=pprof --metric=work -o twice.pb.gz tree tree.out tree.out
  HOME=$PWD PPROF_TMPDIR=$PWD go tool pprof -sample_index=work -diff_base tree.pb.gz -top twice.pb.gz 2>errors | grep -q '1000instructions, 100% of 1000instructions'
  holds 'pprof: and the difference of two' test $? = 0
else
  pass 'pprof, go tool # SKIP go is not installed (golang-go)'
fi

# Times are nanoseconds.
sed 's/^mode count/mode clock\nunits 500000000/' tree.txt >timed.txt
$make_profile profile timed.txt tree >timed.out
"$report" --format=collapsed tree timed.out >got
holds 'collapsed: nanoseconds' grep -qx 'main;leaf 500' got
"$report" --format=speedscope tree timed.out | jq -c '[.profiles[] | .unit, .endValue]' >got
holds 'speedscope: nanoseconds' grep -qxF '["nanoseconds",2000,"nanoseconds",790,"none",40]' got

# A real program, where all of it must add up.
PATH=$BUILD_DIR/lib/cilkprof/bin:$PATH
cc -fcilkplus -O1 -g -fcilkprof=count "$TOP/test/programs/qsort.c" -o qsort && CILKPROF_CONTEXTS=1 CILKPROF_OUT=qsort.out ./qsort 20000 >/dev/null
"$report" --format=json qsort qsort.out >qsort.json
for metric in work span; do
  equal_sum=$("$report" --format=collapsed --metric=$metric qsort qsort.out | awk '{ sum += $NF } END { printf "%d", sum }')
  holds "a real program: the $metric of its stacks is that of the program" jq -e ".totals.$metric == $equal_sum" qsort.json
  "$report" --format=speedscope --metric=$metric qsort qsort.out | jq '.profiles[.activeProfileIndex].endValue' >got
  holds "a real program: speedscope, $metric" test "$(cat got)" = "$equal_sum"
done

finish
