#!/bin/sh
# Every way to write a spawn in C, and the ordinary ones in C++: which sites there are, and how often they are called.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# A spawn is marked in a comment with the callee and its number of calls: /* f 1 */; a plain call as /* call f 1 */.
cat >forms.c <<'EOC'
#include <cilk/cilk.h>
#include <string.h>
#include <stdio.h>
#define SPAWN(x, y) x = cilk_spawn f(y)
#define SPAWN_ANY(function, x, y) x = cilk_spawn function(y)
#define WRAP(...) do { __VA_ARGS__; } while (0)
#define CALL_F(y) f(y)
#define my_spawn cilk_spawn
#define ASSIGN_SPAWN(x) x = cilk_spawn
__attribute__((noinline)) int f(int x) { volatile int y = x; return y; }
__attribute__((noinline)) int g(int x, int y) { volatile int z = x + y; return z; }
__attribute__((const, noinline)) int pure(int x) { return x + 1; }
static inline __attribute__((always_inline)) int in(int x) { return x * 3; }
static inline int small(int x) { return x - 1; }
void none(void) {}
int main(int argc, char **argv) {
  int x = 0, a[3] = {0}, (*p)(int) = argc > 5 ? 0 : f;
  char text[8], more[8] = "abc";
  (void)argv;
  cilk_spawn f(1); /* f 1 */
  x = cilk_spawn f(2); /* f 1 */
  a[1] = cilk_spawn f(3); /* f 1 */
  x += cilk_spawn f(4); /* f 1 */
  int w = cilk_spawn f(5); /* f 1 */
  if (argc) cilk_spawn none(); /* none 1 */
  if (!argc) cilk_spawn none(); else x += cilk_spawn f(2); /* f 1 */
  for (int i = 0; i < 7; i++) cilk_spawn f(i); /* f 7 */
  x = cilk_spawn
      f(3); /* f 1 */
  x = cilk_spawn g(x,
      4);
  SPAWN(x, 1); /* f 1 */
  SPAWN_ANY(f, x, 2); /* f 1 */
  WRAP(x = cilk_spawn f(3)); /* f 1 */
  WRAP(SPAWN(x, 4)); /* f 1 */
  x = cilk_spawn CALL_F(5); /* f 1 */
  x = my_spawn f(6); /* f 1 */
  ASSIGN_SPAWN(x) f(7); /* f 1 */
  x = cilk_spawn (*p)(8); /* f 1 */
  x = cilk_spawn (p)(9); /* f 1 */
  cilk_spawn p(10); /* f 1 */
  x = cilk_spawn /* a comment */ f(11), w = 3; /* f 1 */
  x = cilk_spawn(f)(12); /* f 1 */
  cilk_spawn pure(1); /* pure 1 */
  cilk_spawn pure(1); /* pure 1 */
  x = cilk_spawn small(x); /* small 1 */
  x = cilk_spawn in(x); /* in 1 */
  cilk_spawn memcpy(text, more, 4); /* memcpy 1 */
  x = _Cilk_spawn f(13); /* f 1 */
  x += cilk_spawn f(1) + cilk_spawn f(2); /* f 1 f 1 */
  cilk_sync;
  printf("%d %d %s\n", x, w, text);
  return 0;
}
EOC
awk '/^ *\/\*/ { next } match($0, /\/\* [a-z]+ [0-9]+( [a-z]+ [0-9]+)* \*\//) {
       split(substr($0, RSTART + 3, RLENGTH - 6), word, " ")
       for (i = 1; i in word; i += 2) print NR, "spawn", word[i], word[i + 1] }' forms.c | sort >wanted
echo "$(sed -n '/cilk_spawn g(/=' forms.c) spawn g 1" >>wanted
sort wanted -o wanted
# The C++ front end drops a call that is declared to be without effect and whose value is not used, before anyone sees it.
sed 's/^__attribute__((const, noinline))/__attribute__((noinline))/' forms.c >forms.cc
mkdir plain plain/cilk
printf '#define cilk_spawn\n#define _Cilk_spawn\n#define cilk_sync ((void)0)\n' >plain/cilk/cilk.h
gcc -w -O1 -Iplain forms.c -o elision && ./elision >output
for language in c cc; do
  case $language in c) compiler=cc ;; cc) compiler=c++ ;; esac
  for level in -O0 -O2 ${LONG:+-O1 -O3 -Os}; do
    $compiler $level -w -fcilkplus -fcilkprof=count forms.$language -o forms || give_up "$language $level: forms.$language"
    profile forms
    same "$language $level: the program computes what it did" output forms.stdout
    awk -F, 'NR > 1 && $4 == "spawn" { sub(/\(.*/, "", $6); print $2, $4, $6, $(NF - 19) }' sites.csv | sort >got
    same "$language $level: every spawn and its callee" wanted got
  done
done

# From preprocessed source, in one step and two.  It has no columns: two calls on one line are one site.  In a macro's
# argument gcc 11 loses the place of the keyword.
case $(cc -dumpversion) in 11*)
  cc -E -fcilkplus -fcilkprof=count forms.c >forms.i
  cc -w -fcilkprof=count -c forms.i 2>errors
  holds 'gcc 11: a lost place is an error' grep -q 'forms.c:.* must be followed by a function call' errors
  for line in $(sed -n '/^  WRAP(/=' forms.c); do
    sed -i "/^$line /d" wanted
  done
  sed -i 's/^  WRAP(.*//' forms.c
  ;;
esac
double=$(sed -n '/f(1) + cilk_spawn/=' forms.c)
sed "/^$double /d" wanted >wanted_once
echo "$double spawn f 2" >>wanted_once
sort -o wanted_once wanted_once
cc -E -fcilkplus -fcilkprof=count forms.c >forms.i
compile -w -O2 -fcilkprof=count forms.i -o forms
profile forms
awk -F, 'NR > 1 && $4 == "spawn" { print $2, $4, $6, $15 }' sites.csv | sort >got
same 'from a preprocessed file' wanted_once got
compile -w -O2 -save-temps -fcilkprof=count forms.c -o forms
profile forms
awk -F, 'NR > 1 && $4 == "spawn" { print $2, $4, $6, $15 }' sites.csv | sort >got
same 'with -save-temps' wanted_once got
rm forms
cc -w -O2 -fcilkplus -fcilkprof=count -x c - -o forms <forms.c
profile forms
awk -F, 'NR > 1 && $4 == "spawn" { print $2, $4, $6, $15 }' sites.csv | sort >got
same 'from standard input' wanted got

# Arguments are evaluated before the spawn, in the parent.
cat >order.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int child(int x) { volatile int y = x; return y; }
__attribute__((noinline)) int argument(int x) { volatile int y = x; for (int i = 0; i < 1000; i++) y++; return y; }
int main(void) {
  int a = cilk_spawn child(argument(1));
  int b = argument(2);
  cilk_sync;
  return a + b == 0;
}
EOC
compile -O2 -fcilkprof=count order.c -o order
profile order
equal 'an argument is called by the parent' 1 "$(awk -F, '$2 == 5 && $6 == "argument" && $5 == "main" { print $15 }' sites.csv)"
true_that 'an argument is serial with the spawn: both calls are on the span' "$(whole Span) > 2 * 1000"
true_that 'and not in parallel with what follows' "$(whole Parallelism) < 1.01"

# A spawn through a pointer that the compiler can see through; a function that ends in a library call.
cat >seen.c <<'EOC'
#include <cilk/cilk.h>
#include <string.h>
static int small(int x) { return x + 1; }
__attribute__((noinline)) int plain(int x) { volatile int y = x; return y; }
__attribute__((noinline)) int length(const char *s) { volatile int y = 3; y++; return (int)strlen(s + y - 3); }
int main(int argc, char **argv) {
  int (*p)(int) = small;
  int a = cilk_spawn p(argc);
  int b = plain(argc);
  cilk_sync;
  return a + b + length(argv[0]) == 0;
}
EOC
for level in -O1 -O3 ${LONG:+-O2}; do
  compile $level -fcilkprof=count seen.c -o seen
  profile seen
  equal "$level: a known pointer is spawned" '8 9' "$(awk -F, '$4 == "spawn" && $6 == "small" { print $2 }' sites.csv) \
$(awk -F, '$4 == "call" && $6 == "plain" { print $2 }' sites.csv)"
  true_that "$level: a function that ends in a library call has its work" "$(field length on_work_local_work) > 3"
done

# Inlined functions are no sites.
cat >inlined.c <<'EOC'
static inline int tiny(int x) { return x + 1; }
int main(int argc, char **argv) { (void)argv; return tiny(argc) == 0; }
EOC
compile -O2 -fcilkprof=count inlined.c -o inlined
profile inlined
equal 'an inlined function is no site' 0 "$(grep -c tiny sites.csv)"
compile -O0 -fcilkprof=count inlined.c -o inlined
profile inlined
equal 'and one where it is not inlined' 1 "$(grep -c tiny sites.csv)"

# A body that is another file: there are no keywords in the file of the function.
printf '%s\n' 'int y = _Cilk_spawn f(x);' '_Cilk_sync;' 'return y;' >body.h
printf '%s\n' '__attribute__((noinline)) int f(int x) { return x; }' 'int g(int x) {' '#include "body.h"' '}' 'int main(void) { return g(0); }' >include.c
compile -fcilkprof=count include.c -o include
profile include
equal 'a spawn in an included body' 'spawn body.h:1' "$(awk -F, '$6 == "f" { print $4 " " $1 ":" $2 }' sites.csv)"
# Generators write #line: what follows has the name of another file.
cat >lines.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int f(int x) { return x; }
static int g(int x) {
#line 100 "g.y"
  int y = cilk_spawn f(x);
#line 8 "lines.c"
  cilk_sync;
  return y;
}
int main(void) {
#line 200 "h.y"
  int y = cilk_spawn f(0);
  cilk_sync;
  return y + g(0);
}
EOC
sed 's/^static int g(int x) {/template <class T> static int g(T x) { auto all = [=](auto x) {/; s/^  return y;/return y; }; return all(x);/' lines.c >lines.cc
for options in '' -save-temps -fdirectives-only\ -E; do
  for compiler in cc c++; do
    case $compiler in cc) source=lines.c ;; *) source=lines.cc ;; esac
    case $options in
    *-E) $compiler -fcilkplus -fcilkprof=count $options $source -o directives-$source && source=directives-$source && set -- -fdirectives-only -fpreprocessed ;;
    *) set -- $options ;;
    esac
    $compiler -fcilkplus -fcilkprof=count -O0 "$@" $source -o lines 2>compiler-said || give_up "$source $options compiles" compiler-said
    profile lines
    equal "$source $options: spawns behind #line" 'g.y:100 h.y:200' "$(awk -F, '$4 == "spawn" && $6 ~ /^f/ { print $1 ":" $2 }' sites.csv | sort | tr '\n' ' ' | sed 's/ $//')"
  done
done

# What the preprocessor must not be asked for before it is there: directives between the tokens of a call, and other keywords.
cat >inside.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#define NEST(x, y) cilk_spawn x(cilk_spawn y(5))
#define FIRST(x) _Pragma("GCC diagnostic push") int x; _Pragma("GCC diagnostic pop")
__attribute__((noinline)) int f(int x) { return x; }
__attribute__((noinline)) int g(int x, int y) { return x + y; }
int main(void) {
  int a[3] = {0}, x = cilk_spawn f(cilk_spawn f(3) + cilk_spawn f(4));
  int y = cilk_spawn g(1 + 2 + 3, /* and
    more */
#ifdef OTHER
    7
#else /* this */
    8
#endif
  );
  int z = NEST(f, f), w = cilk_spawn g // a comment
\
# /* nothing */ define LATE 2
    (1, LATE);
  cilk_spawn a[f(2)] = cilk_spawn f(7);
  x += cilk_spawn f(({ FIRST(u) u = cilk_spawn f(3); cilk_sync; u; }));
  cilk_sync;
  printf("%d %d %d %d %d\n", x, y, z, w, a[2]);
  return 0;
}
EOC
cp inside.c inside.cc
for options in -fcilkplus=serial '' '-save-temps' -fcilkprof=count '-fcilkprof=count -save-temps'; do
  for compile in 'cc inside.c' 'c++ inside.cc'; do
    holds "$compile $options: directives and spawns in a spawned call" ${compile% *} -fcilkplus $options "${compile#* }" -o inside
    equal "$compile $options: it computes" '10 14 5 3 7' "$($RUN ./inside)"
    case $options in *count*)
      profile inside
      equal "$compile $options: its spawns" 11 "$(whole Spawns)"
      ;;
    esac
  done
done
finish
