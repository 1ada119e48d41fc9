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

enum weight find_option_metric(const char *name) {
  for (enum weight weight = 0; weight < WEIGHTS; weight++)
    if (strcmp(names[weight], name) == 0)
      return weight;
  fail(name, "unknown metric; known are work, span, calls, idleness, overhead and waiting");
}

/* Returns the name by which --metric knows WEIGHT, such as "work".  */
const char *option_metric_name(enum weight weight) {
  return names[weight];
}

/* Returns the number that TEXT, the argument of OPTION, is in decimal.  Fails unless it is a number from LEAST to
   MOST.  */
unsigned read_option_number(const char *option, const char *text, unsigned least, unsigned most) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != 0 || number < least || number > most)
    fail(option, "%s: not a number from %u to %u", text, least, most);
  return (unsigned)number;
}

/* Returns true if TEXT, the argument of --whatif, is "auto", and false if there is none and TEXT is NULL.  Fails for
   any other text.  */
bool read_whatif_option(const char *text) {
  if (text != NULL && strcmp(text, "auto") != 0)
    fail(text,
         "--whatif takes auto or nothing; candidates are named when the program runs: cilkprof run --whatif=LIST");
  return text != NULL;
}

enum csv_rows read_csv_option(const char *text) {
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
  if (strcmp(text, "efficiency") == 0)
    return CSV_EFFICIENCY;
  if (strcmp(text, "inflation") == 0)
    return CSV_INFLATION;
  if (strcmp(text, "workers") == 0)
    return CSV_WORKERS;
  fail(text,
       "unknown rows; --csv takes regions, trials, emulation, usage, waste, efficiency, inflation, whatifs or workers");
}

/* Returns what TEXT, the argument of --efficiency, which may be NULL, asks for.  Fails if it is unknown.  */
enum efficiency_by read_efficiency_option(const char *text) {
  if (text == NULL)
    return EFFICIENCY_PROGRAM;
  if (strcmp(text, "functions") == 0)
    return EFFICIENCY_FUNCTIONS;
  if (strcmp(text, "regions") == 0)
    return EFFICIENCY_REGIONS;
  fail(text, "unknown; --efficiency takes functions or regions");
}

enum { MAX_PROCESSORS = 1000000, MAX_EMULATED = 1024 };

/* Adds the numbers in TEXT, the argument of --processors, separated by commas, to the list of processors; the verdict
   assumes the last one.  It may be larger than what can be emulated, which check_emulation_options checks.  */
void read_processors_option(struct options *options, const char *text) {
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    char *number = format_string("%.*s", (int)length, at);
    options->processor_list = grow_array(options->processor_list, options->processor_count, &options->processor_room,
                                         sizeof *options->processor_list);
    options->asked_processors = options->processor_list[options->processor_count++] =
        read_option_number("--processors", number, 1, MAX_PROCESSORS);
    free(number);
    at += length;
    if (*at == 0)
      return;
  }
}

/* Returns how the argument TEXT of --nested says that sections inside of others run.  Fails if it is none of the
   words.  */
enum section_nesting read_nesting_option(const char *text) {
  static const char *const hows[] = {
      [NESTING_SHARED] = "shared", [NESTING_SERIAL] = "serial", [NESTING_PINNED] = "pinned"};
  for (size_t i = 0; i < sizeof hows / sizeof *hows; i++)
    if (strcmp(text, hows[i]) == 0)
      return (enum section_nesting)i;
  fail(text, "--nested takes shared, serial or pinned");
}

/* Fails if the options ask for an emulation with more processors than can be emulated.  */
static void check_emulation_options(const struct options *options) {
  bool emulates = options_want(options, NEEDS_TREE) || options->csv_rows == CSV_EMULATION;
  for (size_t i = 0; emulates && i < options->processor_count; i++)
    if (options->processor_list[i] > MAX_EMULATED)
      fail("--processors", "no more than %u can be emulated", MAX_EMULATED);
}

/* Returns the percentage in TEXT, the argument of an option, with or without a percent sign.  Fails unless it is from 0
   to 100.  */
double read_percent_option(const char *text) {
  char *end;
  double number = strtod(text, &end);
  if (text[0] < '0' || text[0] > '9' || (*end != 0 && strcmp(end, "%") != 0) || !(number <= 100))
    fail(text, "not a percentage from 0 to 100");
  return number;
}

/* Fails unless NAME, the argument of --file-format, means cilkprof.out. gprof has formats without call sites; these are
   rejected with a message of their own.  */
void check_file_format_option(const char *name) {
  static const char *const foreign[] = {"bsd", "4.4bsd", "prof"};
  if (strcmp(name, "auto") == 0 || strcmp(name, "magic") == 0)
    return;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (strcmp(name, foreign[i]) == 0)
      fail(name, "profiles of this format have no call sites; cilkprof-report reads cilkprof.out only");
  fail(name, "unknown file format");
}

/* Appends FOLDERS, which are separated by colons, to the folders where sources are searched.  They come from -I or
   GPROF_PATH.  */
void add_source_folders_option(struct options *options, const char *folders) {
  for (const char *end; *folders != 0; folders = *end != 0 ? end + 1 : end) {
    end = strchrnul(folders, ':');
    if (end == folders)
      continue;
    options->source_folders = grow_array(options->source_folders, options->source_folder_count,
                                         &options->source_folder_room, sizeof *options->source_folders);
    options->source_folders[options->source_folder_count++] = format_string("%.*s", (int)(end - folders), folders);
  }
}

/* Returns the number of processors that the report assumes without --processors: those that this process may use, or as
   many as a server has at least, as a program is seldom meant for the laptop on which it is profiled.  */
static unsigned default_processors_option(void) {
  enum { USUAL = 16 };
  cpu_set_t set;
  unsigned here = sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
  return here > USUAL ? here : USUAL;
}

/* Returns whether PATH, the only argument of the command line, can be no program: it is empty, a pipe or a device.  */
static bool is_argument_no_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) && (!S_ISREG(status.st_mode) || status.st_size == 0);
}

/* Decides which arguments of the command line are profiles.  The first one is the program unless it is a profile like
   the others; then the profile names the program.  */
static void find_profile_arguments(struct options *options) {
  if (options->argument_count == 0 || (strcmp(options->program, "-") != 0 && !is_kept_file_profile(options->program) &&
                                       (options->argument_count > 1 || !is_argument_no_program(options->program))))
    return;
  options->program = NULL;
  options->profiles = options->arguments;
  options->profile_count = options->argument_count;
}

const char default_html[] = "cilkprof.html", default_plot[] = "cilkprof.svg";

/* Fails if the argument that would be the program looks like the file of --html or --plot.  In `--html FILE' the file
   would be taken for the program, because an optional argument must follow an equals sign; the message says so.  */
static void check_program_argument(const struct options *options) {
  static const struct {
    const char *option, *suffix;
  } kinds[] = {{"html", ".html"}, {"html", ".htm"}, {"plot", ".svg"}, {"plot", ".png"}, {"plot", ".gp"}};
  const char *suffix = options->program != NULL ? strrchr(base_name(options->program), '.') : NULL;
  for (size_t i = 0; suffix != NULL && i < sizeof kinds / sizeof *kinds; i++) {
    bool plot = kinds[i].option[0] == 'p';
    bool unnamed = plot ? options->plot == default_plot : options->html == default_html;
    if (unnamed && strcmp(suffix, kinds[i].suffix) == 0)
      fail(options->program, "that would be the program; to write to it, use --%s=%s", kinds[i].option,
           options->program);
  }
}

/* Selects the sections that other options imply, and the default ones if the command line names none.  */
static void select_option_sections(struct options *options) {
  const struct section_table *table = options->table;
  if (options->trials != NULL && !options_want(options, SHOWS_TRIALS) && options->format == NULL)
    options_add_sections(options, options_sections_with(table, PRINTED_FOR_TRIALS));
  if (options->format != NULL) /* --emulate then only selects the schedules to export */
    options_drop_sections(options, options_sections_with(table, NEEDS_TREE));
  else if (options->synthesize)
    options_add_sections(options, options_sections_with(table, NEEDS_TREE));
  if (options->sections == 0 && options->format == NULL && (options->gate_count == 0 || options->named != 0))
    options->sections = options_sections_with(table, PRINTED_BY_DEFAULT) & ~options->named;
  options->screen &= options->sections != 0 && options->named == 0 && !options->all;
}

/* Fails if options contradict each other, such as --diff and --format.  */
static void check_option_combination(const struct options *options) {
  const struct section_table *table = options->table;
  section_set orders = options->sections & options_sections_with(table, PRINTS_ORDER);
  if (options->diff && options->argument_count != 2)
    fail("--diff", "it needs two builds, OLD and NEW");
  if (options->diff && (options->named != 0 || options->gate_count > 0 || options->format != NULL))
    fail("--diff", "it is a report of its own, without other sections, --format and --gate");
  if (options->format != NULL && options->named & ~options_sections_with(table, GOES_WITH_FORMAT))
    fail("--format", "it replaces the sections; name none");
  if (options->csv_rows == CSV_TRIALS && options->trials == NULL)
    fail("--csv=trials", "name the file of trials with --trials");
  if (orders & (orders - 1))
    fail("--file-ordering", "only one of it and --function-ordering can be given");
}

void finish_option_settings(struct options *options) {
  const char *folders = getenv("GPROF_PATH");
  if (folders != NULL)
    add_source_folders_option(options, folders);
  select_option_sections(options);
  check_option_combination(options);
  if (!options->diff)
    find_profile_arguments(options);
  check_program_argument(options);
  check_emulation_options(options);
  options->gprof_columns |= options->traditional;
  options->full_names |= options->gprof_columns;
  bool to_standard = output_is_standard(options->output);
  options->terminal_width = to_standard && !options->wide ? terminal_width() : 0;
  options->color = color_wanted(to_standard || options->color_when != COLOR_AUTO ? options->color_when : COLOR_NEVER);
  if (options->width == 0)
    options->width = options->terminal_width > 0 ? options->terminal_width : 80;
  options->processors = options->asked_processors > 0 ? options->asked_processors : default_processors_option();
}
