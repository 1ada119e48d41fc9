/* The options with their texts for --help.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/options/option-table.h"
#include "cilkprof-report/support/support.h"

#define OPTIONAL OPTION_ARG_OPTIONAL

/* The options that belong to no section.  */
static const struct argp_option other_options[] = {
    {"all", KEY_ALL, NULL, 0, "Every table, with explanations (despite --screen)", 1},
    {"screen", KEY_SCREEN, NULL, 0, "Only what fits one screen, if no section is named (cilkprof report does this)", 1},
    {NULL, 0, NULL, 0, "Output for other tools, instead of sections:", 2},
    {"format", KEY_FORMAT, "NAME", 0,
     "Write the profile for other tools: csv, json, callgrind, gmon, collapsed, flamegraph, speedscope, pprof, "
     "perfetto, sarif, github, markdown",
     0},
    {"metric", KEY_METRIC, "NAME", 0,
     "The cost to write, where a format has only one: work (the default), span, calls, idleness (of parallel runs), "
     "overhead, waiting",
     0},
    {"csv", KEY_CSV, "ROWS", OPTIONAL,
     "Like --format=csv, or with other rows: regions, trials, emulation, usage, waste, efficiency, "
     "inflation, whatifs, workers",
     0},
    {"output", 'o', "FILE", 0, "Write to FILE; - is standard output", 0},
    {NULL, 0, NULL, 0, "Comparison; a BUILD is [PROGRAM:]PROFILE[,PROFILE...]:", 3},
    {"diff", KEY_DIFF, NULL, 0, "Compare two BUILDs, OLD and NEW", 0},
    {"gate", KEY_GATE, "RULES", 0,
     "Exit with status 3 if a rule is broken; a rule, such as 'parallelism >= 10', begins with one of: parallelism, "
     "burdened_parallelism, work, span, burdened_span, span_share, calls, spawns, speedup, expected_speedup, idleness, "
     "overhead, waiting",
     0},
    {"reference", KEY_REFERENCE, "BUILD", 0, "The profile that rules call 'reference'", 0},
    {NULL, 0, NULL, 0, "Format:", 4},
    {"brief", 'b', NULL, 0, "Do not explain the tables", 0},
    {"traditional-columns", KEY_GPROF_COLUMNS, NULL, 0, "Only the columns that gprof has", 0},
    {"traditional", 'T', NULL, 0, "Only gprof's columns, in the order and with the headings of BSD", 0},
    {"line", 'l', NULL, 0, "Distinguish calls from different lines", 0},
    {"inline-file-names", KEY_INLINE_FILE_NAMES, NULL, 0, "Show file and line after each function name", 0},
    {"full-names", KEY_FULL_NAMES, NULL, 0, "Show template arguments and parameters", 0},
    {"wide", KEY_WIDE, NULL, 0, "Show all columns and whole names", 0},
    {"print-path", 'L', NULL, 0, "Show full path names", 0},
    {"display-unused-functions", 'z', NULL, 0, "Also show functions and call sites that were never called", 0},
    {"width", 'w', "N", 0, "Width of the index of the call graph", 0},
    {"demangle", KEY_DEMANGLE, "STYLE", OPTIONAL,
     "Decode symbols: auto (the default), gnu-v3, java, gnat, dlang, rust, none", 0},
    {"no-demangle", KEY_NO_DEMANGLE, NULL, 0, "Show symbols as the linker knows them", 0},
    {"color", KEY_COLOR, "WHEN", OPTIONAL, "Use colours: auto (on a terminal), always, never", 0},
    {"no-pager", KEY_NO_PAGER, NULL, 0, "Do not send output through $PAGER", 0},
    {"all-lines", 'x', NULL, 0, "Annotate every line of a source file", 0},
    {"separate-files", 'y', NULL, 0, "Write annotated sources to files NAME-ann", 0},
    {"table-length", 't', "N", 0, "Length of the list of lines below an annotated source", 0},
    {"min-count", 'm', "N", 0, "Leave out what was executed less often", 0},
    {"directory-path", 'I', "DIRS", 0, "Look for sources in these folders first, separated by colons", 0},
    {NULL, 0, NULL, 0, "Analysis:", 5},
    {"processors", KEY_PROCESSORS, "LIST", 0,
     "Judge the program for N processors (those of this machine); given a list, judge for the last and emulate all", 0},
    {"nested", KEY_NESTED, "HOW", 0,
     "Emulate nested sections as shared (threads share the processors, the default), serial, or pinned", 0},
    {"overheads", KEY_OVERHEADS, "COSTS", 0,
     "Emulate with these costs in nanoseconds, as in fork=900,lock=40: fork, join, nested, iteration, lock, task, "
     "spawn, steal, burden; and with memory as in line=64, phi=40000:-1:2000, psi2=linear:1.5:2000",
     0},
    {"cachegrind", KEY_CACHEGRIND, "FILE", 0,
     "Include memory contention in the emulation, with the cache misses that cachegrind or callgrind simulated", 0},
    {"root", KEY_ROOT, "NAME", 0,
     "Report on this root of cilkprof run --root (the first); an empty NAME: the whole program", 0},
    {"trials", KEY_TRIALS, "FILE", 0, "Compare with the running times in FILE (cilkprof run --trials)", 0},
    {"copies", KEY_COPIES, "FILE", 0, "Compare with the samples of copies in FILE (cilkprof-run --copies --samples)",
     0},
    {"synthesize", KEY_SYNTHESIZE, NULL, 0,
     "Also run the emulated programs on this machine, with delays instead of work", 0},
    {"calibrate", KEY_CALIBRATE, NULL, 0, "Measure these costs on this machine, for all later emulations", 0},
    {"no-static", 'a', NULL, 0, "Count a static function as part of the function before it", 0},
    {"static-call-graph", 'c', NULL, 0, "Add calls that were never made to the call graph", 0},
    {"ignore-non-functions", 'D', NULL, 0, "Leave out what is known only by its address", 0},
    {"fold-recursion", KEY_FOLD_RECURSION, NULL, 0,
     "In call paths of parallel runs, count recursive calls in the outermost one", 0},
    {"focus", KEY_FOCUS, "SYMSPEC", 0, "Show only these functions; in the flat profile, call graph and call sites", 0},
    {"ignore", KEY_IGNORE, "SYMSPEC", 0, "Do not show these functions there", 0},
    {"top", KEY_TOP, "N", 0, "Show only N rows of each table; of the flat profile and the call sites", 0},
    {NULL, 'k', "FROM/TO", 0, "Leave these arcs out of the call graph", 0},
    {"time", 'n', "SYMSPEC", 0, "Count only the time of these functions and their callees", 0},
    {"no-time", 'N', "SYMSPEC", 0, "Do not count the time of these functions", 0},
    {NULL, 'e', "NAME", 0, "Leave the function out of the call graph", 0},
    {NULL, 'E', "NAME", 0, "Leave it out, and do not count its time", 0},
    {NULL, 'f', "NAME", 0, "Show only the function and its callees in the call graph", 0},
    {NULL, 'F', "NAME", 0, "Show only these, and count only their time", 0},
    {NULL, 0, NULL, 0, "Input:", 6},
    {"external-symbol-table", 'S', "FILE", 0, "Take the program's symbols from FILE, the output of nm", 0},
    {"debuginfo-path", KEY_DEBUGINFO_PATH, "DIRS", 0,
     "Look for separate debug information in these folders, separated by colons (/usr/lib/debug)", 0},
    {"file-format", 'O', "NAME", 0, "The format of profiles, for compatibility with gprof: auto, magic", 0},
    {"force", KEY_FORCE, NULL, 0,
     "Go on if the program is not the one that was profiled, or has no symbols; overwrite any file", 0},
    {"recover", KEY_RECOVER, NULL, 0, "Read what is left of damaged or truncated profiles", 0},
    {"debug", 'd', "LEVEL", OPTIONAL, "Report on standard error what is read", 0},
    {NULL, 0, NULL, 0, "Other:", -1},
    {"help", 'h', "TOPIC", OPTIONAL, "Print this help, or the options of a topic: gprof, all", 0},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
    {"usage", KEY_USAGE, NULL, 0, "Print a short usage message", 0},
    {"version", 'v', NULL, 0, "Print the version", 0},
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
