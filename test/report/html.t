#!/bin/sh
# The page for a browser: one file without others, whatever the names are; its data.  test/html tries it in a browser.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
cp "$TOP/test/programs/qsort.c" qsort.c
holds 'a page is written' "$report" --html=page.html --processors=4 quicksort quicksort.out
holds 'and nothing else' test "$(ls -- *.html | wc -l)" = 1
grep -oE '(src|href)="[^"]*"|url\([^)]*\)|@import|https?:[^ <"]*' page.html | grep -v '^href="#' >outside
same 'it loads nothing' /dev/null outside
holds 'the browser is told so' grep -q "default-src 'none'" page.html
perl -MDigest::SHA=sha256_base64 -0777 -ne \
  'm{script-src ([^;"]*)} and print "$1\n"; m{.*<script>(.*?)</script>}s and print "\x27sha256-" . sha256_base64($1) . "=\x27\n"' \
  page.html >got
sort -u got >wanted
holds 'and which script is the own one of the page: no other runs' test "$(wc -l <got)" = 2 -a "$(wc -l <wanted)" = 1
holds 'it has the plot' grep -q '<svg class="plot"' page.html
grep -c '@[A-Z]*@' page.html >got
echo 0 >wanted
same 'nothing of the template is left' wanted got

# data FILE: its JSON.
data() {
  perl -0777 -ne 'print $1 if m{<script type="application/json" id="data">(.*?)</script>}s' "$1"
}
# query EXPRESSION FILE: of the data, $d.
query() {
  data "$2" | perl -MJSON::PP -0777 -ne 'my $d = decode_json $_; '"$1"
}
query 'print join " ", $d->{command}, $d->{work}, $d->{span}, scalar @{$d->{sites}}, $d->{processors}, "\n"' page.html >got
echo './qsort 10000000 791518060 142902681 5 4 ' >wanted
same 'the totals' wanted got
query 'print "$d->{names}[$_->[3]][0] $_->[4] $_->[6]\n" for @{$d->{sites}}' page.html >got
printf '%s\n' 'partition 20 141891291' 'main 28 1000000' 'pqsort 22 6682' 'pqsort 21 3823' 'pqsort 31 885' >wanted
same 'the sites, those that hold the span first' wanted got
query 'print "$_->{subject}\n" for @{$d->{findings}}' page.html >got
"$report" --verdict --processors=4 quicksort quicksort.out | sed -n 's/^  \([A-Z][^:]*\):.*/\1/p' >wanted
same 'the verdict is that of the text' wanted got
query 'print $d->{boxesMeasured} ? "contexts\n" : "sites\n"; print join(" ", @{$_}[0, 1]), "\n" for @{$d->{boxes}}' page.html >got
printf '%s\n' sites '-1 1' '0 4' '1 0' >wanted
same 'without calling contexts the boxes are call sites' wanted got
query 'my ($s) = @{$d->{sources}}; print "$s->{file} ", scalar @{$s->{lines}}, " ", join(",", map { $_->[0] } @{$s->{notes}}), "\n"' page.html >got
echo "qsort.c $(wc -l <qsort.c) 20,21,22,28,31,40,44" >wanted
same 'the source with its notes' wanted got
# missing FILE: which sources the page does not have, and why.
missing() {
  query 'print join(" ", @$_), "\n" for @{$d->{missing}}' "$1"
}
missing page.html >got
same 'no source is missing' /dev/null got
mv qsort.c kept.c
"$report" --html=without.html quicksort quicksort.out
missing without.html >got
echo 'qsort.c not found' >wanted
same 'a source that is not there is named' wanted got
mkdir large
head -c 5000000 /dev/zero | tr '\0' '\n' >large/qsort.c
"$report" --html=without.html -Ilarge quicksort quicksort.out
missing without.html >got
echo 'qsort.c too large' >wanted
same 'so is one for which there is no room' wanted got
mv kept.c qsort.c
sed 's| 20 [0-9]* pqsort| 20 3 pqsort|; s|qsort.c\( 31 .*\)|/proc/self/mem\1|' quicksort.txt >unread.txt
build unread
printf 'int\t*p;\n\ta\tb\t\t\303\251\tc\r\n' >tabs.c
cat qsort.c >>tabs.c
sed -i 's|qsort\.c 22 |tabs.c 2 |' unread.txt
build unread
"$report" --html=without.html unread unread.out 2>errors
missing without.html >got
echo '/proc/self/mem not readable' >wanted
same 'a source that cannot be read is missing, and the page is there' wanted got
query 'binmode STDOUT, ":utf8"; for (grep { $_->{file} eq "tabs.c" } @{$d->{sources}}) { print "$_\n" for @{$_->{lines}}[0, 1] }' without.html >got
printf 'int     *p;\n        a       b               \303\251       c\\015\n' >wanted
same 'tabs are blanks up to the next tab stop' wanted got
"$report" -A -b unread unread.out 2>errors | sed -n 's/^.*        a  */a /p' | tr -d '\r' >got
printf 'a b               \303\251       c\n' >wanted
same 'in the text too' wanted got
holds 'which says what cannot be read' grep -q '/proc/self/mem: Input/output error' errors
sampled waste
mv waste.c kept.c
"$report" --html=without.html waste waste.out
query 'print join(" ", @$_), "\n" for @{$d->{waste}{missing}}' without.html | sed 's|^/.*/||' >got
echo 'waste.c not found' >wanted
same 'of a parallel run as well' wanted got
printf '1 0.8\n2 0.5\n' >trials
"$report" --html=tried.html --trials=trials quicksort quicksort.out
equal() { echo "$2" >wanted_text; echo "$3" >got_text; same "$1" wanted_text got_text; }
equal 'trials are drawn' 2 "$(grep -o 'class="trial"' tried.html | wc -l)"

# Names that would end the script, be markup or break a line.
sed 's|partition|a</script><script>alert(1)</script>\&<!--"'"'"'|; s|^command.*|command ./</title><img/src=x> @DATA@ \\|' quicksort.txt >hostile.txt
build hostile
holds 'hostile names' "$report" --html=hostile.html hostile hostile.out
equal 'they end no element' 2 "$(grep -c '</script>' hostile.html)"
holds 'nor become markup' sh -c '! grep -q "alert(1)<\|<img" hostile.html'
query 'print $d->{command}, "\n", $d->{names}[$d->{sites}[0][3]][-1], "\n"' hostile.html >got
printf '%s\n' './</title><img/src=x> @DATA@ \' 'a</script><script>alert(1)</script>&<!--"'"'" >wanted
same 'they are in the data' wanted got

# Names are brief in the table, and whole when they are asked for; what lies in headers of the system is no source.
mkdir -p headers
cat >templates.cc <<'EOC'
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>
#include "headers/own.h"
int main()
{
  Tree<std::unique_ptr<int>, std::function<bool(const std::unique_ptr<int> &)>> tree;
  for (int i = 0; i < 50; i++)
    tree.add(std::make_unique<int>(i * 37 % 50));
  return tree.sorted() == 0;
}
EOC
cat >headers/own.h <<'EOC'
template <typename Item, typename Wanted> class Tree {
  std::vector<Item> items;
public:
  __attribute__((noinline)) void add(Item item) { items.push_back(std::move(item)); }
  __attribute__((noinline)) int sorted() {
    Wanted wanted = [](const Item &item) { return *item > 3; };
    std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return *a < *b; });
    return std::count_if(items.begin(), items.end(), wanted);
  }
};
EOC
PATH="$BUILD_DIR/lib/cilkprof/bin:$PATH" c++ -g -O1 -fcilkplus -fcilkprof=count templates.cc -o templates &&
  CILKPROF_OUT=templates.out ./templates
holds 'a program of templates' "$report" --html=templates.html templates templates.out
query 'for (@{$d->{names}}) { print "$_->[0]\n" if $_->[0] =~ /^Tree/ }' templates.html | sort -u >got
printf '%s\n' Tree::add Tree::sorted >wanted
same 'its names are brief' wanted got
query 'for (@{$d->{names}}) { print "$_->[0] @{[length $_->[0]]}\n" if length $_->[0] > 80 }' templates.html >got
same 'all of them' /dev/null got
query 'for (@{$d->{names}}) { print "$_->[0]\n" if $_->[0] =~ /^Tree/ && $_->[1] =~ /^(void |int )?Tree<std::unique_ptr<int.*std::function<bool.*>::/ }' templates.html | sort -u >got
same 'the whole ones are there as well' wanted got
query 'print "$_->{file}\n" for @{$d->{sources}}' templates.html | sed 's|.*/||' | sort >got
printf '%s\n' own.h templates.cc >wanted
same "the sources are the user's, without headers of the system" wanted got
holds 'the page is small' test "$(wc -c <templates.html)" -lt 120000

# What a browser would have to show, as far as it can be seen without one; test/html has one.
holds 'a name has two lines at most' grep -q 'line-clamp: 2' page.html
holds 'a narrow window is known' grep -q 'meta name="viewport" content="width=device-width' page.html
grep -n '<table' page.html | wc -l >got
grep -n 'class="scroll"' page.html | wc -l >wanted
same 'every table scrolls in a box of its own' wanted got

refuses 'a folder' 'Is a directory' --html=. quicksort quicksort.out
refuses 'a folder that is not there' 'No such file' --html=nowhere/page.html quicksort quicksort.out
"$report" --html=/dev/full quicksort quicksort.out 2>errors
holds 'a full disk' test $? = 1 -a "$(wc -l <errors)" = 1
finish
