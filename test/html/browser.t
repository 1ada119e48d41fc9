#!/bin/sh
# The page in a browser: click, sort, search, zoom, keys, light and dark, print.  make check-html
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo '1..0 # SKIP no Chromium'
  exit 0
}
mkdir -p home
# browse OPTION... FILE: prints what the browser prints, without its own messages.
browse() {
  HOME=$PWD/home timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$PWD/home/data" \
    --virtual-time-budget=3000 "$@" 2>messages
}

cat >first.h <<'EOC'
static __attribute__((noinline)) long nothing(long n)
{
    return n;
}
static __attribute__((noinline)) long next(long n)
{
    return nothing(n) + 1;
}
EOC
cat >tree.c <<'EOC'
#include <cilk/cilk.h>
#include "first.h"

__attribute__((noinline)) long leaf(long n)
{
    long sum = 0;
    for (volatile long i = 0; i < n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline)) long work(long n)
{
    if (n < 2)
        return leaf(100);
    long x = cilk_spawn work(n - 1);
    long y = work(n - 2);
    cilk_sync;
    return x + y + leaf(10);
}

int main(void)
{
    return work(next(11)) == 0;
}
EOC
compile -g -fcilkprof=count tree.c -o tree
CILKPROF_CONTEXTS=1 ./tree

# with_steps PAGE STEPS: the page with the steps of a user in it.
with_steps() {
  awk '
    /<script type="application\/json"/ { print "<script>window.pageErrors = []; addEventListener(\"error\", (e) => pageErrors.push(e.message))</script>" }
    { print }
    /^<\/body>/ { exit }' "$1" | sed '/^<\/body>/d'
  printf '<script>\n'
  cat "$TOP/test/html/$2"
  printf '</script>\n</body>\n</html>\n'
}
# steps NAME PAGE OPTION [STEPS]: the results of the steps are tests of their own.
steps() {
  with_steps "$2" "${4-steps.js}" >stepped.html
  browse $3 --dump-dom "file://$PWD/stepped.html" >dom
  sed -n '/<pre id="results">/,/<\/pre>/p' dom | sed 's/<[^>]*>//g' >results
  holds "$1: the steps were made" grep -q '^1\.\.' results
  grep '^not ok' results >wrong
  grep '^#' results >>wrong
  same "$1: all of $(grep -c '^ok' results) hold" /dev/null wrong
}
cilkprof-report --html=contexts.html --processors=4 tree
steps 'contexts' contexts.html --window-size=1280,900
rm cilkprof.out
./tree
cilkprof-report --html=sites.html --processors=4 tree
steps 'call sites' sites.html --window-size=1280,900
steps 'a narrow window' sites.html --window-size=500,900
mv tree plain
compile -g -fcilkprof=whatif tree.c -o tree
CILKPROF_WHATIF=leaf,tree.c:$(sed -n /spawn/= tree.c)/4 ./tree
cilkprof-report --html=whatif.html --processors=4 tree
steps 'what-ifs' whatif.html --window-size=1280,900
steps 'what-ifs in a narrow window' whatif.html --window-size=500,900
mv plain tree

# Names of templates, in a wide window and in a narrow one.
cat >templates.cc <<'EOC'
#include <algorithm>
#include <cilk/cilk.h>
#include <functional>
#include <memory>
#include <vector>

template <typename Item, typename Less> class Tree {
  std::vector<Item> items;
public:
  __attribute__((noinline)) void add(Item item) { items.push_back(std::move(item)); }
  __attribute__((noinline)) void sort(Less less) { std::sort(items.begin(), items.end(), less); }
  __attribute__((noinline)) long sum(size_t from, size_t to) const {
    if (to - from < 10)
      return *items[from];
    long left = cilk_spawn sum(from, (from + to) / 2), right = sum((from + to) / 2, to);
    cilk_sync;
    return left + right;
  }
};

int main() {
  using Item = std::unique_ptr<int>;
  Tree<Item, std::function<bool(const Item &, const Item &)>> tree;
  for (int i = 0; i < 2000; i++)
    tree.add(std::make_unique<int>(i * 377 % 2000));
  tree.sort([](const Item &a, const Item &b) { return *a < *b; });
  return tree.sum(0, 2000) == 0;
}
EOC
PATH="$BUILD_DIR/lib/cilkprof/bin:$PATH" c++ -O1 -g -fcilkplus -fcilkprof=count templates.cc -o templates
rm -f cilkprof.out
./templates
cilkprof-report --html=templates.html --processors=4 templates
for width in 1400 900 500; do
  steps "templates, $width pixels" templates.html --window-size=$width,900 templates.js
done

# A parallel run, alone and beside work and span.
gcc -g -O1 -Wl,--build-id "$TOP/test/report/waste.c" -o waste &&
  "$BUILD_DIR/test/report/make-samples" "$TOP/test/report/waste.txt" waste >waste.out || give_up 'a sampled run is made'
"$BUILD_DIR/test/report/make-profile" program "$TOP/test/report/causes.txt" >causes.c && gcc -Wl,--build-id causes.c -o causes &&
  "$BUILD_DIR/test/report/make-profile" profile "$TOP/test/report/causes.txt" causes >causes.out || give_up 'a measured run is made'
cilkprof-report --html=alone.html waste.out
cilkprof-report --html=beside.html causes.out waste.out
for page in alone beside; do
  steps "a parallel run, $page" $page.html --window-size=1280,900 waste.js
  steps "a parallel run, $page, in a narrow window" $page.html --window-size=500,900 waste.js
done

cp "$TOP/test/report/waste.c" timeline.c
gcc -g -O1 -Wl,--build-id timeline.c -o timeline &&
  "$BUILD_DIR/test/report/make-samples" "$TOP/test/report/timeline.txt" timeline >timeline.out || give_up 'a timeline is made'
cilkprof-report --html=timeline.html timeline.out
steps 'a timeline' timeline.html --window-size=1280,900 timeline.js

for theme in light dark; do
  sed "s/<html lang=\"en\">/<html lang=\"en\" data-theme=\"$theme\">/" contexts.html >$theme.html
  browse --window-size=1280,2000 --screenshot="$PWD/$theme.png" "file://$PWD/$theme.html" >/dev/null
  holds "a screenshot: $theme" sh -c "head -c 4 $theme.png | grep -q PNG"
done
holds 'they differ' sh -c '! cmp -s light.png dark.png'
browse --no-pdf-header-footer --print-to-pdf="$PWD/page.pdf" "file://$PWD/contexts.html" >/dev/null
holds 'it can be printed' sh -c 'head -c 4 page.pdf | grep -q PDF'
mkdir -p pictures
holds 'the pictures of the README can be made' sh "$TOP/test/pictures.sh" "$PWD/pictures"
holds 'both are small' test "$(cat pictures/page.png pictures/speedup.svg | wc -c)" -lt 300000 -a -s pictures/speedup.svg
if [ -n "${SCREENSHOTS-}" ]; then cp light.png dark.png page.pdf "$SCREENSHOTS"; fi
finish
