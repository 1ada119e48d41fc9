/* Parses the values of options, and derives settings from them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/options/settings.h"
#include "cilkprof-report/support/kept.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char *const names[WEIGHTS] = {
    [WEIGHT_WORK] = "work",         [WEIGHT_SPAN] = "span",         [WEIGHT_CALLS] = "calls",
    [WEIGHT_IDLENESS] = "idleness", [WEIGHT_OVERHEAD] = "overhead", [WEIGHT_WAITING] = "waiting",
};

enum weight weight_find(const char *name) {
  for (enum weight weight = 0; weight < WEIGHTS; weight++)
    if (strcmp(names[weight], name) == 0)
      return weight;
  fail(name, "unknown metric; known are work, span, calls, idleness, overhead and waiting");
}

const char *weight_name(enum weight weight) {
  return names[weight];
}

unsigned read_number(const char *text, unsigned least, unsigned most) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != 0 || number < least || number > most)
    fail(text, "it is not a number from %u to %u", least, most);
  return (unsigned)number;
}

bool read_auto(const char *text) {
  if (text != NULL && strcmp(text, "auto") != 0)
    fail(text, "--whatif takes nothing but auto; candidates are named in CILKPROF_WHATIF when the program runs");
  return text != NULL;
}

enum csv_rows read_csv_rows(const char *text) {
  if (text == NULL)
    return CSV_SITES;
  if (strcmp(text, "regions") == 0)
    return CSV_REGIONS;
  if (strcmp(text, "whatifs") == 0)
    return CSV_WHATIFS;
  if (strcmp(text, "usage") == 0)
    return CSV_USAGE;
  if (strcmp(text, "trials") == 0)
    return CSV_TRIALS;
  if (strcmp(text, "emulation") == 0)
    return CSV_EMULATION;
  if (strcmp(text, "waste") == 0)
    return CSV_WASTE;
  fail(text, "--csv takes nothing but regions, trials, emulation, usage, waste and whatifs");
}

enum { MOST_PROCESSORS = 1000000, MOST_EMULATED = 1024 };

/* A verdict may assume more processors than can be emulated; check_emulation checks the latter.  */
void read_processors(struct options *options, const char *text) {
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    char *number = format_string("%.*s", (int)length, at);
    options->processor_list = grow(options->processor_list, options->processor_count, &options->processor_room,
                                   sizeof *options->processor_list);
    options->asked_processors = options->processor_list[options->processor_count++] =
        read_number(number, 1, MOST_PROCESSORS);
    free(number);
    at += length;
    if (*at == 0)
      return;
  }
}

enum section_nesting read_nesting(const char *text) {
  static const char *const hows[] = {
      [NESTING_SHARED] = "shared", [NESTING_SERIAL] = "serial", [NESTING_PINNED] = "pinned"};
  for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
    if (strcmp(text, hows[i]) == 0)
      return (enum section_nesting)i;
  fail(text, "--nested takes nothing but shared, serial and pinned");
}

static void check_emulation(const struct options *options) {
  bool emulates = options_want(options, NEEDS_TREE) || options->csv_rows == CSV_EMULATION;
  for (size_t i = 0; emulates && i < options->processor_count; i++)
    if (options->processor_list[i] > MOST_EMULATED)
      fail("--processors", "no more than %u can be emulated", MOST_EMULATED);
}

double read_percent(const char *text) {
  char *end;
  double number = strtod(text, &end);
  if (text[0] < '0' || text[0] > '9' || (*end != 0 && strcmp(end, "%") != 0) || !(number <= 100))
    fail(text, "it is not a percentage from 0 to 100");
  return number;
}

/* gprof has formats without call sites; these are rejected with a message of their own.  */
void check_file_format(const char *name) {
  static const char *const foreign[] = {"bsd", "4.4bsd", "prof"};
  if (strcmp(name, "auto") == 0 || strcmp(name, "magic") == 0)
    return;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (strcmp(name, foreign[i]) == 0)
      fail(name, "profiles of this format have no call sites; cilkprof-report reads cilkprof.out only");
  fail(name, "unknown file format");
}

void add_folders(struct options *options, const char *folders) {
  for (const char *end; *folders != 0; folders = *end != 0 ? end + 1 : end) {
    end = strchrnul(folders, ':');
    if (end == folders)
      continue;
    options->source_folders = grow(options->source_folders, options->source_folder_count, &options->source_folder_room,
                                   sizeof *options->source_folders);
    options->source_folders[options->source_folder_count++] = format_string("%.*s", (int)(end - folders), folders);
  }
}

/* Returns the number of processors that this process may use.  */
static unsigned machine_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* The first argument is the program unless it is a profile like the others.  Then the profile names the program.  */
static void find_profiles(struct options *options) {
  if (options->argument_count == 0 || (strcmp(options->program, "-") != 0 && !is_profile(options->program)))
    return;
  options->program = NULL;
  options->profiles = options->arguments;
  options->profile_count = options->argument_count;
}

const char default_html[] = "cilkprof.html", default_plot[] = "cilkprof.svg";

/* In `--html FILE' and `--plot FILE' the file would be taken for the program, because an optional argument must follow
   an equals sign.  Fails with a message that says so.  */
static void check_program(const struct options *options) {
  static const struct {
    const char *option, *suffix;
  } kinds[] = {{"html", ".html"}, {"html", ".htm"}, {"plot", ".svg"}, {"plot", ".png"}, {"plot", ".gp"}};
  const char *suffix = options->program != NULL ? strrchr(base_name(options->program), '.') : NULL;
  for (size_t i = 0; suffix != NULL && i < sizeof kinds / sizeof *kinds; i++) {
    bool plot = kinds[i].option[0] == 'p';
    bool unnamed = plot ? options->plot == default_plot : options->html == default_html;
    if (unnamed && strcmp(suffix, kinds[i].suffix) == 0)
      fail(options->program, "it would be the program; to write it, give --%s=%s", kinds[i].option, options->program);
  }
}

/* Selects sections that other options imply, and the default ones if the command line names none.  */
static void select_sections(struct options *options) {
  const struct section_table *table = options->table;
  if (options->trials != NULL && !options_want(options, SHOWS_TRIALS) && options->format == NULL)
    options_add_sections(options, sections_with(table, PRINTED_FOR_TRIALS));
  if (options->format != NULL) /* --emulate then only selects the schedules to export */
    options_drop_sections(options, sections_with(table, NEEDS_TREE));
  else if (options->synthesize)
    options_add_sections(options, sections_with(table, NEEDS_TREE));
  if (options->sections == 0 && options->format == NULL && (options->gate_count == 0 || options->named != 0))
    options->sections = sections_with(table, PRINTED_BY_DEFAULT) & ~options->named;
}

/* Fails if options contradict each other.  */
static void check_combination(const struct options *options) {
  const struct section_table *table = options->table;
  section_set orders = options->sections & sections_with(table, PRINTS_ORDER);
  if (options->diff && options->argument_count != 2)
    fail("--diff", "it needs two builds, OLD and NEW");
  if (options->diff && (options->named != 0 || options->gate_count > 0 || options->format != NULL))
    fail("--diff", "it is a report of its own, without other sections, --format and --gate");
  if (options->format != NULL && options->named & ~sections_with(table, GOES_WITH_FORMAT))
    fail("--format", "it is printed in the place of sections: name none");
  if (options->csv_rows == CSV_TRIALS && options->trials == NULL)
    fail("--csv=trials", "name the file of trials with --trials");
  if (orders & (orders - 1))
    fail("--file-ordering", "only one of it and --function-ordering can be given");
}

void settings_finish(struct options *options) {
  const char *folders = getenv("GPROF_PATH");
  if (folders != NULL)
    add_folders(options, folders);
  select_sections(options);
  check_combination(options);
  if (!options->diff)
    find_profiles(options);
  check_program(options);
  check_emulation(options);
  options->gprof_columns |= options->traditional;
  options->full_names |= options->gprof_columns;
  bool to_standard = output_is_standard(options->output);
  options->terminal_width = to_standard && !options->wide ? terminal_width() : 0;
  options->color = color_wanted(to_standard || options->color_when != COLOR_AUTO ? options->color_when : COLOR_NEVER);
  if (options->width == 0)
    options->width = options->terminal_width > 0 ? options->terminal_width : 80;
  options->processors = options->asked_processors > 0 ? options->asked_processors : machine_processors();
}
