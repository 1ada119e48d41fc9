#!/bin/sh
# What a compiler is given: files of all kinds, standard input, response files, macros; and what it tells of them to make.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/lib.sh"

builds 'C' cilkprof-cc -O2 prog.c -o program
builds 'C++' cilkprof-c++ -O2 prog.cc -o program
builds 'standard input' sh -c 'cilkprof-cc -O2 -x c - -o program <prog.c'
builds 'C++ from standard input' sh -c 'cilkprof-c++ -O2 -x c++ - -o program <prog.cc'

# Preprocessed.
builds '-E and .i' sh -c 'cilkprof-cc -E prog.c -o prog.i && cilkprof-cc -O2 prog.i -o program'
builds '-E and .ii' sh -c 'cilkprof-c++ -E prog.cc -o prog.ii && cilkprof-c++ -O2 prog.ii -o program'
builds '-E -P' sh -c 'cilkprof-cc -E -P prog.c -o p.i && cilkprof-cc -O2 p.i -o program'
builds '-E through a pipe' sh -c 'cilkprof-cc -E prog.c | cilkprof-cc -O2 -x cpp-output - -o program'
builds '-E -fdirectives-only' sh -c 'cilkprof-cc -E -fdirectives-only prog.c -o d.i &&
  cilkprof-cc -O2 -fpreprocessed -fdirectives-only d.i -o program'
builds '-save-temps' cilkprof-cc -O2 -save-temps prog.c -o program
builds '-save-temps in C++' cilkprof-c++ -O2 -save-temps=obj prog.cc -o program
builds '-S' sh -c 'cilkprof-cc -O2 -S prog.c -o p.s && cilkprof-cc p.s -o program'
cc -fcilkplus -E prog.c -o elision.i
cilkprof-cc -c elision.i -o elision.o >errors 2>&1 && echo compiled >>errors
holds 'input that was preprocessed without -fcilkprof is refused' \
  grep -q "error: '-fcilkprof': this input was preprocessed without it" errors
cc -c elision.i -o elision.o >errors 2>&1 && echo compiled >>errors
holds 'input that was preprocessed with -fcilkplus is refused without it' \
  grep -q "header.h:[0-9]*:[0-9]*: error: '__cilk_sync' undeclared" errors
cilkprof-cc -E prog.c -o prog.i
cc -fcilkplus -c prog.i -o elision.o >errors 2>&1 && echo compiled >>errors
holds 'input that was preprocessed with -fcilkprof is refused without it' \
  grep -q "error: this input was preprocessed with '-fcilkprof'" errors
builds 'and -fcilkprof is enough' cc -fcilkprof -O2 prog.i -o program

# Assembler: the events are none.
cat >value.S <<'EOC'
#ifdef __cilkprof__
        .globl value
value:
#endif
EOC
printf 'extern char value;\nint main(void) { return !&value; }\n' >uses.c
holds 'assembler that is preprocessed' sh -c 'cilkprof-cc value.S uses.c -o value && ./value'
holds 'the same with -save-temps' sh -c 'cilkprof-cc -save-temps value.S uses.c -o value && ./value'
holds '-o /dev/null' cilkprof-cc -O2 -c prog.c -o /dev/null
holds '-fsyntax-only' cilkprof-cc -fsyntax-only prog.c

# Precompiled: by -include it is read, as the build systems use it; by #include the header itself is.
sed 1d prog.c >rest.c
cp rest.c rest.cc
cat >template.h <<'EOC'
#include "header.h"
struct table {
  template <class T> T grown(T n) { T x = cilk_spawn tree(n); cilk_sync; return x; }
};
EOC
sed 's/#include.*/#include "template.h"/; s/tree(8)/table().grown(8)/' prog.cc >instance.cc
mkdir precompiled
cilkprof-cc -O2 header.h -o precompiled/c.h.gch
cilkprof-c++ -O2 header.h -o precompiled/cc.h.gch
cilkprof-c++ -O2 template.h -o precompiled/template.h.gch
builds 'a precompiled header' cilkprof-cc -O2 -Winvalid-pch -include precompiled/c.h rest.c -o program
builds 'a precompiled header in C++' cilkprof-c++ -O2 -Winvalid-pch -include precompiled/cc.h rest.cc -o program
cp expected-facts expected-before
printf '%s\n' 'loop main cilk_for 1' 'spawn int table::grown<int> tree 1' 'spawn tree tree 33' >expected-facts
builds 'a template of a precompiled header' \
  sh -c 'sed 1d instance.cc >rest.cc && cilkprof-c++ -O2 -Winvalid-pch -include precompiled/template.h rest.cc -o program'
mv expected-before expected-facts
cilkprof-cc -O2 header.h -o header.h.gch
builds '#include of a header that is precompiled' cilkprof-cc -O2 -Winvalid-pch prog.c -o program
rm header.h.gch

# Response files.
echo '-fcilkplus -fcilkprof=count -O2' >options
echo '@options' >outer
echo '-fcilkplus' >language
builds 'options in a response file' cc @options prog.c -o program
builds 'options in a response file of a response file' cc @outer prog.c -o program
builds 'a mode in a response file' cilkprof-cc @options prog.c -o program
holds 'that mode is taken' sh -c 'cilkprof-report --summary program program.prof | grep -q "Measured: *count"'
holds 'the language in a response file' cc @language prog.c -o program
echo "'-fcilkprof' -O2 prog.c -o program" >all
builds 'everything in a response file, quoted' cc @all
echo '@circle' >circle
holds 'response files in a circle are an error' sh -c '! cc @circle prog.c'

# Macros of the command line mean nothing to the events.
builds '-D of words in the events' cilkprof-cc -O2 -Dgrain=16 -Dwork=7 -Dframe=x -Dused= -Dticks -Dprog prog.c -o program
builds '-D of keywords' cilkprof-cc -O2 -Dconst= -Dinline= -Dvolatile=volatile -Dextern=extern prog.c -o program
printf '#define span 3\n#define count(x) x\n#define static\n' >macros.h
builds 'macros in a file of -include' cilkprof-cc -O2 -g3 -include macros.h prog.c -o program
holds 'they keep their meaning for the program' sh -c \
  'echo "int x[grain + count(span) == 19 ? 1 : -1];" >x.c && cilkprof-cc -c -Dgrain=16 -include macros.h x.c'

# Dependencies: the events are system headers.
depends() { # OPTION...: the dependencies, one per line
  cilkprof-cc "$@" | tr -d '\\' | tr -s ' ' '\n' | sed '/^$/d'
}
equal '-MM' 'prog.o: prog.c header.h' "$(depends -MM prog.c | tr '\n' ' ' | sed 's/ $//')"
cc -fcilkplus -M prog.c | tr -d '\\' | tr -s ' ' '\n' | sed '/^$/d' >wanted
depends -M prog.c | grep -v '/include/cilkprof/' >got
same '-M, beside the events' wanted got
cilkprof-cc -c -MMD -MP -MF p.d -MT target prog.c -o p.o
equal '-MMD -MP -MF -MT' 'target: prog.c header.h header.h:' "$(tr '\n' ' ' <p.d | sed 's/ $//; s/  */ /g')"
cilkprof-cc -O2 -MD prog.c -o program
holds '-MD' sh -c 'grep -q header.h *.d'

# Several files.
sed 's/static int tree/int tree/' header.h >part.h
cat >part.c <<'EOC'
#include "part.h"
EOC
printf '#include <cilk/cilk.h>\n#include <stdio.h>\nint tree(int);\nstatic int leaf(int n) { return n + 1; }\n' | cat - rest.c >main.c
builds 'several files' cilkprof-cc -O2 main.c part.c -o program
builds 'one of them an object' sh -c 'cilkprof-cc -O2 -c part.c && cilkprof-cc -O2 main.c part.o -o program'
builds 'one of them an archive' sh -c 'ar rc libpart.a part.o && cilkprof-cc -O2 main.c -L. -lpart -o program'
finish
