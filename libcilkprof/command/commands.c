/* The table of commands, with the help of each: one screen.
   SPDX-License-Identifier: MIT  */

#include <stddef.h>

#include "libcilkprof/command/command.h"

const struct command commands[] = {
    {"Build", "cc", "[--parallel] ARGUMENT...", "Compile C for profiling, or with --parallel to run on all processors",
     "Takes gcc's arguments, and understands Cilk keywords and OpenMP pragmas:\n"
     "\n"
     "  cilkprof cc -O2 prog.c -o prog              then profile it: cilkprof ./prog\n"
     "  cilkprof cc -O2 -fopenmp prog.c -o prog     the same for OpenMP\n"
     "  cilkprof cc --parallel -O2 prog.c -o fast   then run it: cilkprof scale ./fast\n"
     "\n"
     "In a build system: make CC=cilkprof-cc, cmake -DCMAKE_C_COMPILER=cilkprof-cc.\n"
     "-fcilkprof=count counts instructions instead of time; see cilkprof-cc(1).\n",
     compile_c},
    {NULL, "c++", "[--parallel] ARGUMENT...", "The same for C++", "Takes g++'s arguments; see cilkprof cc --help.\n",
     compile_cxx},
    {NULL, "fortran", "ARGUMENT...", "The same for Fortran with OpenMP",
     "Takes gfortran's arguments:\n"
     "\n"
     "  cilkprof fortran -O2 -g -fopenmp prog.f90 -o prog   then: cilkprof ./prog\n"
     "\n"
     "In a build system: make FC=cilkprof-fortran.  A parallel program is built by\n"
     "gfortran itself, and sampled by cilkprof run -jN.\n",
     compile_fortran},
    {"Measure", "run", "[OPTION...] PROGRAM [ARGUMENT...]", "Profile a program, without a report",
     "A program that was compiled for profiling leaves cilkprof.out, and so does any\n"
     "OpenMP program, as it is.  Other programs of Cilk and oneTBB are run in parallel\n"
     "and sampled.\n"
     "\n"
     "  -o, --output=FILE    Write the profile to FILE\n"
     "      --no-reference   Skip the uninstrumented runs that check its times\n"
     "      --contexts       Also record calling contexts, for flame graphs\n"
     "      --root=LIST      Also profile these functions as programs of their own\n"
     "      --whatif=LIST    What if these functions or lines cost nothing?\n"
     "      --burden=N       Cost of moving a task, in instructions (15000)\n"
     "  -j, --workers=N      Of a parallel program: the number of threads\n"
     "\n"
     "cilkprof-run --help lists all options.  The exit status is that of the program.\n",
     measure_profile},
    {NULL, "scale", "[OPTION...] PROGRAM [ARGUMENT...]", "Run a parallel program on 1 to all processors",
     "Prints and plots the speedups, beside those that cilkprof.out predicts, if there\n"
     "is one.\n"
     "Then two more runs are sampled: if it is slower than predicted, they tell why\n"
     "and where.\n"
     "\n"
     "  -j, --workers=LIST   The numbers of threads (1,2,4 and so on)\n"
     "      --copies[=P]     Also run P copies at once: do they slow each other down?\n"
     "      --runs=N         Runs of each (5)\n"
     "      --bounds=PROGRAM[:PROFILE]   Compare with this profile\n"
     "  -o, --output=FILE    Write the times to FILE (cilkprof.trials)\n"
     "\n"
     "{} in the arguments of the program stands for the number of threads.\n",
     measure_scaling},
    {NULL, "waste", "[OPTION...] PROGRAM [ARGUMENT...]", "Sample a parallel run: idle time, overhead, waiting",
     "For OpenMP, oneTBB, and Cilk programs built with cilkprof cc --parallel.\n"
     "\n"
     "  -j, --workers=N      The number of threads\n"
     "  -F, --frequency=HZ   Samples per second of processor time (1000)\n"
     "      --openmp         The program loads OpenMP later, as python3 does\n"
     "  -o, --output=FILE    Write the samples to FILE (cilkprof.samples)\n",
     measure_waste},
    {NULL, "predict", "[OPTION...] PROGRAM [ARGUMENT...]", "Predict speedups under OpenMP schedules, tasks and Cilk",
     "For serial code: mark what could run in parallel with the macros of\n"
     "<cilkprof-annotate.h> (cilkprof-annotate(3)), and build it with any compiler:\n"
     "\n"
     "  cc -O2 prog.c $(pkg-config --cflags --libs cilkprof-annotate) -o prog\n"
     "\n"
     "For Cilk and OpenMP: compile with cilkprof cc.\n"
     "\n"
     "  -o, --output=FILE    Write the profile to FILE (cilkprof.out)\n"
     "\n"
     "cilkprof report --emulate=SCHEDULES --processors=LIST tries others.\n",
     measure_prediction},
    {"Read profiles (cilkprof.out, unless one is named)", "report", "[OPTION...] [PROGRAM] [PROFILE...]",
     "Print the verdict, the totals and the call sites that matter most",
     "  --all                Every table, those of gprof among them\n"
     "  --verdict            What limits the program, and what to try\n"
     "  --summary            Work, span, parallelism and predicted speedups\n"
     "  --sites              Call sites by their share of the span\n"
     "  -p, -q               The flat profile and the call graph, as gprof prints them\n"
     "  --critical-path      The calls along the critical path\n"
     "  --hot                Functions and lines by their share of the span\n"
     "  --whatif=auto        How to find out what an improvement would bring\n"
     "  --waste, --top-down, --bottom-up   Samples of a parallel run\n"
     "  --plot[=text]        Draw the predicted speedups, as an SVG or here\n"
     "  --processors=P       Judge the program for P processors\n"
     "  --focus=FUNCTION     Show only this function\n"
     "\n"
     "cilkprof report --help=all lists all options, and --help=gprof those of gprof.\n",
     report},
    {NULL, "diff", "OLD NEW [OPTION...]", "Compare two profiles", "OLD and NEW are [PROGRAM:]PROFILE[,PROFILE...].\n",
     report_difference},
    {NULL, "gate", "RULE... [OPTION...] [PROGRAM] [PROFILE...]", "Check rules in CI; exit status 3 if one is broken",
     "  cilkprof gate 'parallelism >= 10'\n"
     "  cilkprof gate 'work <= reference+5%' --reference=old.out\n"
     "  cilkprof gate 'parallelism >= 10' --format=github    # annotates the lines\n"
     "\n"
     "A rule compares one of parallelism, burdened_parallelism, work, span,\n"
     "burdened_span, span_share, calls, spawns, speedup, expected_speedup, idleness,\n"
     "overhead and waiting; cilkprof-report(1) explains them under --gate.\n",
     report_gate},
    {NULL, "export", "FORMAT [OPTION...] [PROGRAM] [PROFILE...]",
     "Write the profile for other tools, such as json, csv, pprof",
     "FORMAT is csv, json, callgrind (KCachegrind), gmon (gprof), pprof, speedscope,\n"
     "flamegraph (an SVG), collapsed (for other flame graph tools) or perfetto; of the\n"
     "findings sarif, github (annotations of a workflow) or markdown (a page).\n"
     "\n"
     "  --metric=NAME        work, span, calls, idleness, overhead or waiting\n"
     "  -o, --output=FILE    Write to FILE, not to standard output\n",
     report_export},
    {NULL, "html", "[FILE.html] [OPTION...] [PROGRAM] [PROFILE...]", "Write a self-contained page for a browser",
     "The file is cilkprof.html unless it is named.\n", report_page},
    {NULL, "annotate", "[FUNCTION|FILE] [OPTION...] [PROGRAM] [PROFILE...]",
     "Print the source, each line with its costs",
     "  -x                   Annotate every line\n"
     "  -I DIRS              Look for sources in these folders\n",
     report_source},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
