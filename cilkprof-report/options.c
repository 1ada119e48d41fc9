/* The command line of cilkprof-report: gprof's, and what gprof does not have.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/arguments.h"
#include "cilkprof-report/names.h"
#include "cilkprof-report/options.h"
#include "cilkprof-report/settings.h"
#include "cilkprof-report/support.h"

enum {
  KEY_SITES = 0x100,
  KEY_VERDICT,
  KEY_SUMMARY,
  KEY_CRITICAL_PATH,
  KEY_CSV,
  KEY_PROCESSORS,
  KEY_FORCE,
  KEY_USAGE,
  KEY_GPROF_COLUMNS,
  KEY_INLINE_FILE_NAMES,
  KEY_DEMANGLE,
  KEY_NO_DEMANGLE,
  KEY_DIFF,
  KEY_GATE,
  KEY_REFERENCE,
};

#define OPTIONAL OPTION_ARG_OPTIONAL

static const struct argp_option argp_options[] = {
    {NULL, 0, NULL, 0, "Sections (the first five when none is named):", 1},
    {"verdict", KEY_VERDICT, NULL, 0, "What limits the program, and what to try", 0},
    {"summary", KEY_SUMMARY, NULL, 0, "The parallelism profile and the speedup estimate", 0},
    {"flat-profile", 'p', "SYMSPEC", OPTIONAL, "The flat profile: a row for every function", 0},
    {"no-flat-profile", 'P', "SYMSPEC", OPTIONAL, "No flat profile, or one without these", 0},
    {"graph", 'q', "SYMSPEC", OPTIONAL, "The call graph: these functions and what they call, or FROM/TO", 0},
    {"no-graph", 'Q', "SYMSPEC", OPTIONAL, "No call graph, or one without these", 0},
    {NULL, 'B', NULL, 0, "The call graph", 0},
    {"sites", KEY_SITES, NULL, 0, "The call sites, those that hold the span first", 0},
    {"critical-path", KEY_CRITICAL_PATH, NULL, 0, "The chain of call sites along the span", 0},
    {"annotated-source", 'A', "SYMSPEC", OPTIONAL, "The sources, each line with what is called there", 0},
    {"no-annotated-source", 'J', "SYMSPEC", OPTIONAL, "No sources, or those without these functions", 0},
    {"exec-counts", 'C', "SYMSPEC", OPTIONAL, "How often functions and call sites were executed", 0},
    {"no-exec-counts", 'Z', "SYMSPEC", OPTIONAL, "No such counts, or those without these functions", 0},
    {"function-ordering", 'r', NULL, 0, "An order of the functions for the linker", 0},
    {"file-ordering", 'R', "MAP", 0, "An order of the object files for the linker; MAP is made by nm -o", 0},
    {"file-info", 'i', NULL, 0, "What the profiles are and contain", 0},
    {"sum", 's', NULL, 0, "Write the sum of the profiles to cilkprof.sum", 0},
    {"csv", KEY_CSV, NULL, 0, "All measurements of all call sites as comma-separated values", 0},
    {NULL, 0, NULL, 0, "Comparison; a BUILD is [PROGRAM:]PROFILE[,PROFILE...]:", 2},
    {"diff", KEY_DIFF, NULL, 0, "Compare two BUILDs, which are named instead of PROGRAM and PROFILE", 0},
    {"gate", KEY_GATE, "RULES", 0, "Exit with status 3 when a rule is broken, such as 'parallelism >= 10'", 0},
    {"reference", KEY_REFERENCE, "BUILD", 0, "What rules mean by 'reference'", 0},
    {NULL, 0, NULL, 0, "Format:", 3},
    {"brief", 'b', NULL, 0, "Do not explain the tables", 0},
    {"traditional-columns", KEY_GPROF_COLUMNS, NULL, 0, "Only the columns that gprof has", 0},
    {"traditional", 'T', NULL, 0, "The same, in the order and with the headings of BSD's gprof", 0},
    {"line", 'l', NULL, 0, "Tell calls from different lines apart", 0},
    {"inline-file-names", KEY_INLINE_FILE_NAMES, NULL, 0, "Show file and line after the name of a function", 0},
    {"print-path", 'L', NULL, 0, "Show whole names of files", 0},
    {"display-unused-functions", 'z', NULL, 0, "Also show functions and call sites that were never called", 0},
    {"width", 'w', "N", 0, "Columns of the index of the call graph", 0},
    {"demangle", KEY_DEMANGLE, "STYLE", OPTIONAL, "Show symbols as their programmers wrote them; the default", 0},
    {"no-demangle", KEY_NO_DEMANGLE, NULL, 0, "Show symbols as the linker knows them", 0},
    {"all-lines", 'x', NULL, 0, "Annotate all lines of a source", 0},
    {"separate-files", 'y', NULL, 0, "Write annotated sources to files NAME-ann", 0},
    {"table-length", 't', "N", 0, "Length of the list of lines below an annotated source", 0},
    {"min-count", 'm', "N", 0, "Do not list what was executed less often", 0},
    {"directory-path", 'I', "DIRS", 0, "Look for sources in these folders, separated by colons", 0},
    {NULL, 0, NULL, 0, "Analysis:", 4},
    {"processors", KEY_PROCESSORS, "P", 0, "Judge the program for P processors instead of those of this machine", 0},
    {"no-static", 'a', NULL, 0, "Count static functions as part of the one that lies before them", 0},
    {"static-call-graph", 'c', NULL, 0, "Add calls to the call graph that were never made", 0},
    {"ignore-non-functions", 'D', NULL, 0, "Leave out what is known by its address only", 0},
    {NULL, 'k', "FROM/TO", 0, "Leave these arcs out of the call graph", 0},
    {"time", 'n', "SYMSPEC", 0, "Count only the time of these functions and what they call", 0},
    {"no-time", 'N', "SYMSPEC", 0, "Do not count the time of these functions", 0},
    {NULL, 'e', "NAME", 0, "Leave the function out of the call graph", 0},
    {NULL, 'E', "NAME", 0, "The same, and do not count its time", 0},
    {NULL, 'f', "NAME", 0, "Show only the function and what it calls in the call graph", 0},
    {NULL, 'F', "NAME", 0, "The same, and count only their time", 0},
    {NULL, 0, NULL, 0, "Input:", 5},
    {"external-symbol-table", 'S', "FILE", 0, "Take the program's symbols from a file made by nm", 0},
    {"file-format", 'O', "NAME", 0, "auto or magic; gprof's bsd, 4.4bsd and prof do not exist here", 0},
    {"force", KEY_FORCE, NULL, 0, "Go on when the program is not the one that was profiled, or has no symbols", 0},
    {"debug", 'd', "LEVEL", OPTIONAL, "Tell on standard error what is read", 0},
    {NULL, 0, NULL, 0, "Other:", -1},
    {"help", 'h', NULL, 0, "Give this help list", 0},
    {NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", 0},
    {"version", 'v', NULL, 0, "Print the program's version", 0},
    {NULL, 'V', NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

/* Options that name a section, some with the functions that it shows.  */
static const struct section_option {
  int key;
  enum section section;
  bool negative; /* it turns the section off, or leaves these functions out of it */
  enum filter_kind filter;
} section_options[] = {
    {KEY_VERDICT, SECTION_VERDICT, false, 0},
    {KEY_SUMMARY, SECTION_SUMMARY, false, 0},
    {'p', SECTION_FLAT, false, FILTER_FLAT},
    {'P', SECTION_FLAT, true, FILTER_FLAT},
    {'q', SECTION_GRAPH, false, FILTER_GRAPH},
    {'Q', SECTION_GRAPH, true, FILTER_GRAPH},
    {'B', SECTION_GRAPH, false, 0},
    {KEY_SITES, SECTION_SITES, false, 0},
    {KEY_CRITICAL_PATH, SECTION_CRITICAL_PATH, false, 0},
    {'A', SECTION_SOURCE, false, FILTER_SOURCE},
    {'J', SECTION_SOURCE, true, FILTER_SOURCE},
    {'C', SECTION_COUNTS, false, FILTER_COUNTS},
    {'Z', SECTION_COUNTS, true, FILTER_COUNTS},
    {'r', SECTION_FUNCTION_ORDER, false, 0},
    {'R', SECTION_FILE_ORDER, false, 0},
    {'i', SECTION_INFO, false, 0},
    {'s', SECTION_SUM, false, 0},
    {KEY_CSV, SECTION_CSV, false, 0},
};

/* Options without arguments that are remembered.  */
static const struct flag_option {
  int key;
  size_t offset; /* of a bool in struct options */
} flag_options[] = {
    {'b', offsetof(struct options, brief)},
    {'z', offsetof(struct options, unused)},
    {'T', offsetof(struct options, traditional)},
    {KEY_GPROF_COLUMNS, offsetof(struct options, gprof_columns)},
    {'l', offsetof(struct options, by_line)},
    {'L', offsetof(struct options, print_path)},
    {KEY_INLINE_FILE_NAMES, offsetof(struct options, inline_file_names)},
    {'x', offsetof(struct options, all_lines)},
    {'y', offsetof(struct options, separate_files)},
    {'a', offsetof(struct options, no_static)},
    {'c', offsetof(struct options, static_graph)},
    {'D', offsetof(struct options, only_functions)},
    {KEY_FORCE, offsetof(struct options, force)},
    {KEY_DIFF, offsetof(struct options, diff)},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* As gprof: the word "no" with functions turns a section on, without these functions.  */
static void name_section(struct options *options, const struct section_option *option, const char *symspec) {
  struct filter *filter = &options->filters[option->filter];
  if (symspec != NULL && option->filter == FILTER_GRAPH && strchr(symspec, '/') != NULL)
    rules_add_arc(option->negative ? &options->filters[FILTER_ARCS].excluded : &options->filters[FILTER_ARCS].included,
                  symspec);
  else if (symspec != NULL)
    rules_add(option->negative ? &filter->excluded : &filter->included, symspec);
  if (option->negative && symspec == NULL)
    options->sections &= ~(unsigned)option->section;
  else
    options->sections |= option->section;
  options->named |= option->section;
}

static bool parse_tables(int key, char *argument, struct options *options) {
  for (size_t i = 0; i < COUNT(section_options); i++)
    if (section_options[i].key == key) {
      if (key == 'R')
        options->file_mapping = argument;
      name_section(options, &section_options[i], key == 'R' ? NULL : argument);
      return true;
    }
  for (size_t i = 0; i < COUNT(flag_options); i++)
    if (flag_options[i].key == key) {
      *(bool *)((char *)options + flag_options[i].offset) = true;
      return true;
    }
  return false;
}

/* Options with an argument.  */
static bool parse_setting(int key, char *argument, struct options *options) {
  switch (key) {
  case KEY_PROCESSORS:
    options->asked_processors = read_number(argument, 1, 1000000);
    return true;
  case 'w':
    options->width = read_number(argument, 1, 100000);
    return true;
  case 't':
    options->table_length = read_number(argument, 0, 1000000000);
    return true;
  case 'm':
    options->least_count = read_number(argument, 0, 1000000000);
    return true;
  case 'd':
    options->debug = argument != NULL ? read_number(argument, 0, 1000000000) : 1;
    return true;
  case 'I':
    add_folders(options, argument);
    return true;
  case 'S':
    options->symbol_table = argument;
    return true;
  case 'O':
    check_file_format(argument);
    return true;
  case KEY_GATE:
    gate_add(&options->gate, argument);
    return true;
  case KEY_REFERENCE:
    options->reference = argument;
    return true;
  case KEY_DEMANGLE:
    options->demangle_style = demangle_style(argument != NULL ? argument : "auto");
    return true;
  case KEY_NO_DEMANGLE:
    options->demangle_style = demangle_style("none");
    return true;
  default:
    return false;
  }
}

/* The options of old versions of gprof for the call graph.  */
static bool parse_filter(int key, const char *argument, struct options *options) {
  struct filter *graph = &options->filters[FILTER_GRAPH], *time = &options->filters[FILTER_TIME];
  if (key == 'k')
    rules_add_arc(&options->filters[FILTER_ARCS].excluded, argument);
  else if (key == 'n')
    rules_add(&time->included, argument);
  else if (key == 'N')
    rules_add(&time->excluded, argument);
  else if (key == 'e' || key == 'E')
    rules_add(&graph->excluded, argument);
  else if (key == 'f' || key == 'F')
    rules_add(&graph->included, argument);
  else
    return false;
  if (key == 'E' || key == 'F')
    rules_add(key == 'E' ? &time->excluded : &time->included, argument);
  return true;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  if (parse_tables(key, argument, options) || parse_setting(key, argument, options) ||
      parse_filter(key, argument, options))
    return 0;
  switch (key) {
  case 'h':
  case '?':
    argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    return 0;
  case KEY_USAGE:
    argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return 0;
  case 'v':
  case 'V':
    puts("cilkprof-report " CILKPROF_VERSION);
    exit(0);
  case ARGP_KEY_ARG:
    if (state->arg_num > 0)
      return ARGP_ERR_UNKNOWN; /* then ARGP_KEY_ARGS gets the profiles */
    options->program = argument;
    options->argument_count = 1;
    return 0;
  case ARGP_KEY_ARGS:
    options->profiles = state->argv + state->next;
    options->profile_count = (size_t)(state->argc - state->next);
    options->argument_count = 1 + options->profile_count;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const char description[] =
    "Reports where the work and the span of a Cilk program are, from the profile that the program left when it ran."
    "\vPROGRAM is a.out and PROFILE is cilkprof.out unless they are named; a PROFILE - is standard input.  Several "
    "profiles of the same program are added up.  A SYMSPEC is FUNCTION, FILE, LINE, FILE:FUNCTION or FILE:LINE.  @FILE "
    "stands for the options in a file.  cilkprof-report(1) explains the report.";

struct options options_read(int argc, char **argv) {
  static char default_profile[] = "cilkprof.out";
  static char *default_profiles[] = {default_profile};
  static const struct argp argp = {argp_options, parse, "[PROGRAM [PROFILE...]]\n--diff OLD NEW", description, NULL,
                                   NULL,         NULL};
  struct options options = {
      .program = "a.out",
      .profiles = default_profiles,
      .profile_count = 1,
      .width = 80,
      .table_length = 10,
      .demangle_style = demangle_style("auto"),
  };
  argp_err_exit_status = 1;
  arguments_expand(&argc, &argv);
  argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &options);
  settings_finish(&options);
  return options;
}
