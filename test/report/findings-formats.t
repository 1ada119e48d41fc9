#!/bin/sh
# The verdict for other tools: annotations of a workflow, SARIF, and a page of Markdown.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
cp "$TOP/test/programs/qsort.c" qsort.c
at='--processors=8 quicksort quicksort.out'

# Annotations: of the findings, or of the rules that are broken.
"$report" --format=github $at >got
grep -v '^::\(warning\|notice\) \(file=[^:,]*,\(line=[0-9]*,\)\{0,1\}\)\{0,1\}title=cilkprof%3A [^:]*::.' got >wanted
same 'every line is a workflow command' /dev/null wanted
grep -o '^::.*Serial bottleneck::.partition. takes 99.3%25' got >found
echo "::warning file=qsort.c,line=20,title=cilkprof%3A Serial bottleneck::'partition' takes 99.3%25" >wanted
same 'a finding at its line' wanted found
# gate RULES: its output, errors and status.
gate() {
  "$report" --gate "$1" --format=github $at >got 2>errors
  echo $? >status
}
gate 'parallelism >= 100'
same 'a broken rule: the status' - status <<END
3
END
grep -o "^::error file=qsort.c,line=20,title=cilkprof%3A parallelism >= 100::failed, it is 5.5[0-9]*.  Serial bottleneck: 'partition'" got | wc -l >found
same 'an annotation where the verdict blames the code' - found <<END
1
END
grep -c '' got >found
same 'and no other' - found <<END
1
END
grep -q '^cilkprof-report: gate: parallelism >= 100: failed, it is 5.5' errors
holds 'the line of every gate' test $? = 0
gate 'calls(qsort.c:20) < 5; parallelism > 1; span(pqsort) < 1 ms'
sed 's/::failed, it is .*/::failed/' got >found
same 'a rule about a place has that place' - found <<END
::error file=qsort.c,line=20,title=cilkprof%3A calls(qsort.c%3A20) < 5::failed
::error file=qsort.c,title=cilkprof%3A span(pqsort) < 1 ms::failed
END
gate 'parallelism > 1'
cat got errors >said
same 'a gate that is passed says nothing' /dev/null said

# From another folder the paths are those that are found there.
mkdir -p build/deep
(cd build/deep && "$report" --format=github -I../.. --processors=8 ../../quicksort ../../quicksort.out) >got
holds 'a source above the current folder has its whole path' grep -q "^::warning file=$PWD/qsort.c,line=20," got
"$report" --format=github -I"$PWD" $at >got
holds 'one below it a relative one' grep -q '^::warning file=qsort.c,line=20,' got

# SARIF 2.1.0.
"$report" --format=sarif $at >got
perl -MJSON::PP -0777 -ne '
  my $d = decode_json $_; my $r = $d->{runs}[0]; my @rules = @{$r->{tool}{driver}{rules}};
  print "$d->{version} $r->{tool}{driver}{name} ", scalar @{$d->{runs}}, "\n";
  for (@{$r->{results}}) {
    die "index" if $rules[$_->{ruleIndex}]{id} ne $_->{ruleId};
    die "level" if $_->{level} !~ /^(none|note|warning)$/ || ($_->{level} eq "none") != (($_->{kind} || "fail") ne "fail");
    die "text" if $_->{message}{text} eq "";
  }
  my ($b) = grep { $_->{ruleId} eq "serial-bottleneck" } @{$r->{results}};
  my $p = $b->{locations}[0]{physicalLocation};
  print "$b->{level} $p->{artifactLocation}{uri} $p->{region}{startLine} $b->{locations}[0]{logicalLocations}[0]{fullyQualifiedName}\n";
  my %seen; $seen{$_->{id}}++ && die "twice" for @rules;' got >found 2>&1
same 'SARIF: its parts fit, a finding has its line' - found <<END
2.1.0 cilkprof 1
warning qsort.c 20 partition
END
"$report" --format=json $at >whole
perl -MJSON::PP -0777 -e 'local @ARGV = ("whole"); my $w = decode_json <>; @ARGV = ("got"); my $s = decode_json <>;
  print join(" ", map { $_->{code} } @{$w->{verdict}{findings}}), "\n", join(" ", map { $_->{ruleId} } @{$s->{runs}[0]{results}}), "\n"' |
  uniq | wc -l >found
same 'its results are the findings of the verdict' - found <<END
1
END

# Markdown.
"$report" --format=markdown $at >got
holds 'Markdown: the command' grep -qx '# cilkprof: `./qsort 10000000`' got
"$report" --verdict --processors=8 quicksort quicksort.out | sed -n 's/^  \([A-Z][^:]*\):.*/\1/p' >wanted
sed -n 's/^- \*\*\([^:]*\):\*\* .*/\1/p' got >found
same 'its verdict is that of the text' wanted found
holds 'its evidence' grep -qx -- '- Work 791.5 ms, span 142.9 ms, parallelism 5.54, burdened parallelism 5.53, 1,500,000 spawns' got
holds 'the speedups' grep -q '^| up to | 2.00 | 4.00 | 5.54 |' got
holds 'the call sites' grep -q '^| 99.29 | 1.00 | 1,500,000 | call | `qsort.c:20` | `pqsort` | `partition` |$' got
grep '^>' got | sed 's/ *$//' >found
sed -n '20s/^/>    20  /p' qsort.c >wanted
same 'the line that it blames' wanted found
mv qsort.c kept.c
"$report" --format=markdown $at >got 2>errors
cat errors >said
holds 'without its source there is no such block' sh -c '! grep -q "^## Source" got && ! [ -s errors ]'
sed 's/partition/a|b`c*_d_/' quicksort.txt >hostile.txt
build hostile
"$report" --format=markdown --processors=8 hostile hostile.out >got
printf '%s\n' '| `` a\|b`c*_d_ `` |' "'a\\|b\\\`c\\*\\_d\\_'" >wanted
grep -o -e '| `` [^ ]* `` |$' -e "'a[^ ]*'" got | sort -u >found
sort -o wanted wanted
same 'names are no markup' wanted found

sampled waste
for format in sarif markdown github; do
  refuses "$format: samples alone have no verdict" 'this needs work and span' --format=$format waste waste.out
done
finish
