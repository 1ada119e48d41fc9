/* The options with their texts for --help.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/options/option-table.h"
#include "cilkprof-report/support/support.h"

#define OPTIONAL OPTION_ARG_OPTIONAL

/* The options that belong to no section.  */
static const struct argp_option other_options[] = {
    {"all", KEY_ALL, NULL, 0, "All sections that the profile has data for, with explanations", 1},
    {NULL, 0, NULL, 0, "For other programs, in the place of sections:", 2},
    {"format", KEY_FORMAT, "NAME", 0, "csv, json, callgrind, gmon, collapsed, flamegraph, speedscope, pprof", 0},
    {"metric", KEY_METRIC, "NAME", 0,
     "What it shows where it shows one thing: work (the default), span, calls, idleness (of parallel runs), overhead, "
     "waiting",
     0},
    {"csv", KEY_CSV, "ROWS", OPTIONAL,
     "The same as --format=csv, or with other rows: regions, trials, emulation, usage, waste, whatifs", 0},
    {"output", 'o', "FILE", 0, "Write to FILE, not to standard output, which is -; sections as well", 0},
    {NULL, 0, NULL, 0, "Comparison; a BUILD is [PROGRAM:]PROFILE[,PROFILE...]:", 3},
    {"diff", KEY_DIFF, NULL, 0, "Compare two BUILDs, which are named instead of PROGRAM and PROFILE", 0},
    {"gate", KEY_GATE, "RULES", 0,
     "Exit with status 3 when a rule such as 'parallelism >= 10' is broken; rules begin with: parallelism, "
     "burdened_parallelism, work, span, burdened_span, span_share, calls, spawns, speedup, expected_speedup, idleness, "
     "overhead, waiting",
     0},
    {"reference", KEY_REFERENCE, "BUILD", 0, "What rules mean by 'reference'", 0},
    {NULL, 0, NULL, 0, "Format:", 4},
    {"brief", 'b', NULL, 0, "Do not explain the tables", 0},
    {"traditional-columns", KEY_GPROF_COLUMNS, NULL, 0, "Only the columns that gprof has", 0},
    {"traditional", 'T', NULL, 0, "Only gprof's columns, in the order and with the headings of BSD", 0},
    {"line", 'l', NULL, 0, "Tell calls from different lines apart", 0},
    {"inline-file-names", KEY_INLINE_FILE_NAMES, NULL, 0, "Show file and line after the name of a function", 0},
    {"full-names", KEY_FULL_NAMES, NULL, 0, "Show names of C++ with their template arguments and parameters", 0},
    {"wide", KEY_WIDE, NULL, 0, "Show all columns of all tables, and whole names, wider than the terminal", 0},
    {"print-path", 'L', NULL, 0, "Show whole names of files", 0},
    {"display-unused-functions", 'z', NULL, 0, "Also show functions and call sites that were never called", 0},
    {"width", 'w', "N", 0, "Columns of the index of the call graph", 0},
    {"demangle", KEY_DEMANGLE, "STYLE", OPTIONAL,
     "Show symbols as their programmers wrote them: auto (the default), gnu-v3, java, gnat, dlang, rust, none", 0},
    {"no-demangle", KEY_NO_DEMANGLE, NULL, 0, "Show symbols as the linker knows them", 0},
    {"color", KEY_COLOR, "WHEN", OPTIONAL, "Use colours: auto (on a terminal), always, never", 0},
    {"no-pager", KEY_NO_PAGER, NULL, 0, "Print to the terminal, not through $PAGER", 0},
    {"all-lines", 'x', NULL, 0, "Annotate all lines of a source", 0},
    {"separate-files", 'y', NULL, 0, "Write annotated sources to files NAME-ann", 0},
    {"table-length", 't', "N", 0, "Length of the list of lines below an annotated source", 0},
    {"min-count", 'm', "N", 0, "Do not list what was executed less often", 0},
    {"directory-path", 'I', "DIRS", 0, "Look for sources in these folders first, separated by colons", 0},
    {NULL, 0, NULL, 0, "Analysis:", 5},
    {"processors", KEY_PROCESSORS, "LIST", 0,
     "Judge the program for so many processors instead of those of this machine; of a list, separated by commas, "
     "for the last, and emulate for all",
     0},
    {"nested", KEY_NESTED, "HOW", 0,
     "Emulate sections inside of sections as shared (threads share the processors, the default), serial, or pinned", 0},
    {"overheads", KEY_OVERHEADS, "COSTS", 0,
     "Emulate with these costs in nanoseconds, as fork=900,lock=40: fork, join, nested, iteration, lock, task, "
     "spawn, steal, burden; and with memory as line=64, phi=40000:-1:2000, psi2=linear:1.5:2000",
     0},
    {"cachegrind", KEY_CACHEGRIND, "FILE", 0,
     "Emulate shared memory as well, with the misses that valgrind's cachegrind or callgrind simulated", 0},
    {"root", KEY_ROOT, "NAME", 0,
     "Report on one of the roots that CILKPROF_ROOT named when the program ran (the first); nothing: the whole program",
     0},
    {"trials", KEY_TRIALS, "FILE", 0, "Measured running times beside the bounds, from a file of cilkprof-run --trials",
     0},
    {"synthesize", KEY_SYNTHESIZE, NULL, 0,
     "Also run such programs on the processors of this machine, with delays in the place of work", 0},
    {"calibrate", KEY_CALIBRATE, NULL, 0, "Measure these costs on this machine, for all emulations from now on", 0},
    {"no-static", 'a', NULL, 0, "Count static functions as part of the one that lies before them", 0},
    {"static-call-graph", 'c', NULL, 0, "Add calls to the call graph that were never made", 0},
    {"ignore-non-functions", 'D', NULL, 0, "Leave out what is known by its address only", 0},
    {"fold-recursion", KEY_FOLD_RECURSION, NULL, 0,
     "In call paths of parallel runs, count a function below itself above", 0},
    {"focus", KEY_FOCUS, "SYMSPEC", 0, "Show only these functions, in the flat profile, call graph and call sites", 0},
    {"ignore", KEY_IGNORE, "SYMSPEC", 0, "Do not show these functions there", 0},
    {"top", KEY_TOP, "N", 0, "Show only the first N rows of the flat profile and of the call sites", 0},
    {NULL, 'k', "FROM/TO", 0, "Leave these arcs out of the call graph", 0},
    {"time", 'n', "SYMSPEC", 0, "Count only the time of these functions and what they call", 0},
    {"no-time", 'N', "SYMSPEC", 0, "Do not count the time of these functions", 0},
    {NULL, 'e', "NAME", 0, "Leave the function out of the call graph", 0},
    {NULL, 'E', "NAME", 0, "Leave it out, and do not count its time", 0},
    {NULL, 'f', "NAME", 0, "Show only the function and what it calls in the call graph", 0},
    {NULL, 'F', "NAME", 0, "Show only these, and count only their time", 0},
    {NULL, 0, NULL, 0, "Input:", 6},
    {"external-symbol-table", 'S', "FILE", 0, "Take the program's symbols from a file made by nm", 0},
    {"debuginfo-path", KEY_DEBUGINFO_PATH, "DIRS", 0,
     "Look for what was stripped off programs in these folders, separated by colons (/usr/lib/debug)", 0},
    {"file-format", 'O', "NAME", 0, "gprof's names of formats, as far as they mean cilkprof.out: auto, magic", 0},
    {"force", KEY_FORCE, NULL, 0,
     "Go on when the program is not the one that was profiled, or has no symbols; overwrite any file", 0},
    {"recover", KEY_RECOVER, NULL, 0, "Read what is left of profiles that are damaged or were cut short", 0},
    {"debug", 'd', "LEVEL", OPTIONAL, "Tell on standard error what is read", 0},
    {NULL, 0, NULL, 0, "Other:", -1},
    {"help", 'h', NULL, 0, "Give this help list", 0},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", 0},
    {"version", 'v', NULL, 0, "Print the program's version", 0},
    {NULL, 'V', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

int section_option_key(const struct section_table *table, size_t row, enum option_role role) {
  int letter = table->rows[row].options[role].key;
  return letter != 0 ? letter : KEY_SECTIONS + (int)(row * ROLES + role);
}

struct argp_option *argp_options_make(const struct section_table *table) {
  size_t most = 1 + table->count * ROLES + sizeof other_options / sizeof *other_options;
  struct argp_option *all = allocate(most, sizeof *all);
  size_t count = 0;
  all[count++] = (struct argp_option){.doc = table->heading, .group = 1};
  for (size_t row = 0; row < table->count; row++)
    for (enum option_role role = 0; role < ROLES; role++)
      if (table->rows[row].options[role].doc != NULL) {
        all[count] = table->rows[row].options[role];
        all[count++].key = section_option_key(table, row, role);
      }
  memcpy(all + count, other_options, sizeof other_options);
  return all;
}
