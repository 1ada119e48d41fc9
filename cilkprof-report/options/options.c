/* The command line of cilkprof-report: the options of gprof, and others.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/options/arguments.h"
#include "cilkprof-report/options/option-table.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/options/settings.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "version.h"

/* Options without arguments that set a flag.  */
static const struct flag_option {
  int key;
  size_t offset; /* of a bool in struct options */
} flag_options[] = {
    {KEY_ALL, offsetof(struct options, all)},
    {KEY_SCREEN, offsetof(struct options, screen)},
    {'b', offsetof(struct options, brief)},
    {'z', offsetof(struct options, unused)},
    {'T', offsetof(struct options, traditional)},
    {KEY_GPROF_COLUMNS, offsetof(struct options, gprof_columns)},
    {'l', offsetof(struct options, by_line)},
    {'L', offsetof(struct options, print_path)},
    {KEY_WIDE, offsetof(struct options, wide)},
    {KEY_FULL_NAMES, offsetof(struct options, full_names)},
    {KEY_INLINE_FILE_NAMES, offsetof(struct options, inline_file_names)},
    {'x', offsetof(struct options, all_lines)},
    {'y', offsetof(struct options, separate_files)},
    {'a', offsetof(struct options, no_static)},
    {'c', offsetof(struct options, static_graph)},
    {'D', offsetof(struct options, only_functions)},
    {KEY_FORCE, offsetof(struct options, force)},
    {KEY_RECOVER, offsetof(struct options, recover)},
    {KEY_SYNTHESIZE, offsetof(struct options, synthesize)},
    {KEY_CALIBRATE, offsetof(struct options, calibrate)},
    {KEY_DIFF, offsetof(struct options, diff)},
    {KEY_FOLD_RECURSION, offsetof(struct options, fold_recursion)},
    {KEY_NO_PAGER, offsetof(struct options, no_pager)},
};

/* Options with an argument that is stored as it is.  */
static const struct text_option {
  int key;
  size_t offset; /* of a string in struct options */
} text_options[] = {
    {'S', offsetof(struct options, symbol_table)},
    {'o', offsetof(struct options, output)},
    {KEY_FORMAT, offsetof(struct options, format)},
    {KEY_TRIALS, offsetof(struct options, trials)},
    {KEY_OVERHEADS, offsetof(struct options, overheads)},
    {KEY_ROOT, offsetof(struct options, root)},
    {KEY_CACHEGRIND, offsetof(struct options, cachegrind)},
    {KEY_COPIES, offsetof(struct options, copies)},
    {KEY_REFERENCE, offsetof(struct options, reference)},
    {KEY_DEBUGINFO_PATH, offsetof(struct options, debug_folders)},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Adds SYMSPEC, the argument of an option of SECTION, to the functions that the section shows or, with ROLE_OFF, hides.
   FROM/TO is an arc of the call graph.  */
static void add_option_symspec(struct options *options, const struct section *section, enum option_role role,
                               const char *symspec) {
  bool is_arc = section->filter == FILTER_GRAPH && strchr(symspec, '/') != NULL && !is_symspec_pattern(symspec);
  struct filter *filter = &options->filters[is_arc ? FILTER_ARCS : section->filter];
  struct rules *rules = role == ROLE_OFF ? &filter->excluded : &filter->included;
  if (is_arc)
    symspec_rules_add_arc(rules, symspec);
  else
    symspec_rules_add(rules, symspec);
}

/* Selects the section in ROW or, with ROLE_OFF, drops it, and stores the ARGUMENT of its option, which may be NULL.  As
   in gprof, an option that turns a section off but has a symspec prints the section without these functions.  */
static void apply_section_option(struct options *options, size_t row, enum option_role role, const char *argument) {
  const struct section *section = &options->table->rows[row];
  section_set set = (section_set)1 << row;
  if (section->take_argument != NULL)
    section->take_argument(options, argument);
  else if (argument != NULL)
    add_option_symspec(options, section, role, argument);
  if (role == ROLE_OFF && argument == NULL)
    options->sections &= ~set;
  else
    options->sections |= set;
  options->named |= set;
}

/* Handles the options that select or drop sections of the report.  Returns whether KEY is one of them.  */
static bool parse_section_option(int key, const char *argument, struct options *options) {
  const struct section_table *table = options->table;
  for (size_t row = 0; row < table->count; row++)
    for (enum option_role role = 0; role < ROLES; role++)
      if (table->rows[row].options[role].doc != NULL && section_option_key(table, row, role) == key) {
        apply_section_option(options, row, role, argument);
        return true;
      }
  return false;
}

/* Handles the options that set a flag, or a string to ARGUMENT as it is.  Returns whether KEY is one of them.  */
static bool parse_flag_or_text_option(int key, char *argument, struct options *options) {
  for (size_t i = 0; i < COUNT(flag_options); i++)
    if (flag_options[i].key == key) {
      *(bool *)((char *)options + flag_options[i].offset) = true;
      return true;
    }
  for (size_t i = 0; i < COUNT(text_options); i++)
    if (text_options[i].key == key) {
      *(const char **)((char *)options + text_options[i].offset) = argument;
      return true;
    }
  return false;
}

/* Handles the options whose ARGUMENT has to be parsed, such as --processors.  Returns whether KEY is one of them.  */
static bool parse_setting_option(int key, char *argument, struct options *options) {
  switch (key) {
  case KEY_PROCESSORS:
    read_processors_option(options, argument);
    return true;
  case KEY_NESTED:
    options->nesting = read_nesting_option(argument);
    return true;
  case 'w':
    options->width = read_option_number("-w", argument, 1, 100000);
    return true;
  case KEY_TOP:
    options->top = read_option_number("--top", argument, 1, 1000000000);
    return true;
  case 't':
    options->table_length = read_option_number("-t", argument, 0, 1000000000);
    return true;
  case 'm':
    options->least_count = read_option_number("-m", argument, 0, 1000000000);
    return true;
  case 'd':
    options->debug = argument != NULL ? read_option_number("-d", argument, 0, 1000000000) : 1;
    return true;
  case 'I':
    add_source_folders_option(options, argument);
    return true;
  case 'O':
    check_file_format_option(argument);
    return true;
  case KEY_GATE:
    options->gate = grow_array(options->gate, options->gate_count, &options->gate_room, sizeof *options->gate);
    options->gate[options->gate_count++] = argument;
    return true;
  case KEY_CSV:
    options->format = "csv";
    options->csv_rows = read_csv_option(argument);
    return true;
  case KEY_METRIC:
    options->weight = find_option_metric(argument);
    options->weight_asked = true;
    return true;
  case KEY_COLOR:
    options->color_when = color_parse(argument);
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

/* Adds a symspec of --focus or, if IGNORED is true, of --ignore to the filters of the flat profile, the call graph and
   the table of call sites.  */
static void add_focus_or_ignore_option(struct options *options, bool ignored, const char *symspec) {
  static const enum filter_kind tables[] = {FILTER_FLAT, FILTER_GRAPH, FILTER_SITES};
  for (size_t i = 0; i < COUNT(tables); i++) {
    struct filter *filter = &options->filters[tables[i]];
    symspec_rules_add(ignored ? &filter->excluded : &filter->included, symspec);
  }
}

/* Handles the options that select functions or arcs, most of them from old versions of gprof.  Returns whether KEY is
   one of them.  */
static bool parse_filter_option(int key, const char *argument, struct options *options) {
  struct filter *graph = &options->filters[FILTER_GRAPH], *time = &options->filters[FILTER_TIME];
  if (key == 'k')
    symspec_rules_add_arc(&options->filters[FILTER_ARCS].excluded, argument);
  else if (key == 'n')
    symspec_rules_add(&time->included, argument);
  else if (key == 'N')
    symspec_rules_add(&time->excluded, argument);
  else if (key == 'e' || key == 'E')
    symspec_rules_add(&graph->excluded, argument);
  else if (key == 'f' || key == 'F')
    symspec_rules_add(&graph->included, argument);
  else if (key == KEY_FOCUS || key == KEY_IGNORE)
    add_focus_or_ignore_option(options, key == KEY_IGNORE, argument);
  else
    return false;
  if (key == 'E' || key == 'F')
    symspec_rules_add(key == 'E' ? &time->excluded : &time->included, argument);
  return true;
}

/* Returns whether KEY is an option of gprof's that is about its tables: who gives one wants to see these.  */
static bool is_gprof_table_option(int key) {
  return key == KEY_GPROF_COLUMNS || key == KEY_INLINE_FILE_NAMES ||
         (key > 0 && key < 0x80 && strchr("bTlLzwxytmIacDknNeEfF", key) != NULL);
}

/* Handles one option or argument of the command line, as argp calls it.  The first argument is the program and the
   others are profiles, until finish_option_settings looks at them.  */
static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  options->all |= is_gprof_table_option(key);
  if (parse_section_option(key, argument, options) || parse_flag_or_text_option(key, argument, options) ||
      parse_setting_option(key, argument, options) || parse_filter_option(key, argument, options))
    return 0;
  switch (key) {
  case 'h':
  case '?':
    print_option_help(options->table, argument);
  case KEY_USAGE:
    argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    return 0;
  case 'v':
  case 'V':
    puts("cilkprof-report " CILKPROF_VERSION);
    exit(0);
  case ARGP_KEY_ARG:
    if (state->arg_num > 0)
      return ARGP_ERR_UNKNOWN; /* ARGP_KEY_ARGS then gets the profiles */
    options->program = argument;
    options->arguments = state->argv + state->next - 1;
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

struct options options_read(int argc, char **argv, const struct section_table *table) {
  static char default_profile[] = "cilkprof.out";
  static char *default_profiles[] = {default_profile};
  const struct argp argp = {
      .options = argp_options_make(table),
      .parser = parse_option,
      .args_doc = OPTION_ARGUMENTS,
  };
  struct options options = {
      .table = table,
      .profiles = default_profiles,
      .profile_count = 1,
      .debug_folders = "/usr/lib/debug",
      .table_length = 10,
      .least_context = 1,
      .least_top_down = 1,
      .least_bottom_up = 1,
      .demangle_style = demangle_style("auto"),
      .color_when = COLOR_AUTO,
  };
  argp_err_exit_status = 1;
  arguments_expand(&argc, &argv);
  if (argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &options) == ENOMEM)
    fail_without_memory();
  finish_option_settings(&options);
  return options;
}
