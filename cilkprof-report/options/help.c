/* The pages of --help: what is used most on one screen, what gprof has, and everything.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/options/option-table.h"
#include "cilkprof-report/support/support.h"

enum topic { TOPIC_SCREEN, TOPIC_GPROF, TOPIC_ALL };

static const char screen_text[] =
    "Shows how a Cilk or OpenMP program scales, and what limits it: the verdict, then gprof's tables.\vPROFILE is "
    "cilkprof.out, and PROGRAM the one that it names, unless they are given.  --help=gprof lists gprof's options, "
    "--help=all lists all.";
static const char all_text[] =
    "Shows how a Cilk or OpenMP program scales and what limits it, from the profile of a run: the verdict, then "
    "gprof's tables.\vPROFILE is cilkprof.out unless it is named, and PROGRAM is the program that it names; a PROFILE "
    "- is standard input.  Several profiles of the same program are added up.  A SYMSPEC is FUNCTION, FILE, LINE, "
    "FILE:FUNCTION or FILE:LINE.  @FILE stands for the options in a file.  cilkprof-report(1) explains the report.";
static const char gprof_text[] = "The options of gprof, which do here what they do there.  One that concerns its "
                                 "tables prints them despite --screen.\vA SYMSPEC is FUNCTION, FILE, LINE, "
                                 "FILE:FUNCTION or FILE:LINE.";

/* Returns whether OPTION is among those that are used most.  */
static bool is_often_used_option(const struct argp_option *option) {
  static const char *const names[] = {"screen",    "verdict", "summary",  "sites",           "flat-profile",  "graph",
                                      "emulate",   "whatif",  "contexts", "waste",           "critical-path", "hot",
                                      "plot",      "html",    "format",   "output",          "diff",          "gate",
                                      "reference", "trials",  "focus",    "processors",      "root",          "top",
                                      "wide",      "help",    "version",  "annotated-source"};
  for (size_t i = 0; option->name != NULL && i < sizeof names / sizeof *names; i++)
    if (strcmp(option->name, names[i]) == 0)
      return true;
  return false;
}

/* Returns whether gprof has OPTION: all of its options but three have a letter, and only -o is not its own.  */
static bool is_gprof_option(const struct argp_option *option) {
  return (option->key > 0 && option->key < 0x80 && option->key != 'o') || option->key == KEY_INLINE_FILE_NAMES ||
         option->key == KEY_DEMANGLE || option->key == KEY_NO_DEMANGLE;
}

/* Returns whether the page TOPIC has OPTION.  */
static bool is_option_of_topic(const struct argp_option *option, enum topic topic) {
  return topic == TOPIC_ALL || (topic == TOPIC_GPROF ? is_gprof_option(option) : is_often_used_option(option));
}

/* Returns the first clause of TEXT, what an option does, without what it can be given.  The text is allocated.  */
static char *first_option_clause(const char *text) {
  static const char *const ends[] = {": ", "; ", " ("};
  size_t length = strlen(text);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const char *end = strstr(text, ends[i]);
    if (end != NULL && (size_t)(end - text) < length)
      length = (size_t)(end - text);
  }
  return format_string("%.*s", (int)length, text);
}

/* Makes OPTION, of GROUP, fit the screen: there are two groups, and only the first clause of explanations.  */
static void shorten_option_for_screen(struct argp_option *option, int group) {
  option->group = group == 1 ? 1 : 2;
  if (option->doc != NULL)
    option->doc = first_option_clause(option->doc);
}

/* Removes from ALL, which ends with an empty option, what the page TOPIC does not have, and headings of nothing.  */
static void keep_options_of_topic(struct argp_option *all, enum topic topic) {
  struct argp_option heading = {0};
  size_t kept = 0;
  int group = 0;
  for (struct argp_option *option = all; option->name != NULL || option->key != 0 || option->doc != NULL; option++) {
    struct argp_option next = *option;
    group = next.group != 0 ? next.group : group;
    next.group = group;
    if (next.name == NULL && next.key == 0) {
      heading = next;
      continue;
    }
    if (topic == TOPIC_SCREEN) {
      heading.doc = NULL;
      shorten_option_for_screen(&next, group);
    }
    if (!is_option_of_topic(&next, topic))
      continue;
    if (heading.doc != NULL)
      all[kept++] = heading;
    heading.doc = NULL;
    all[kept++] = next;
  }
  all[kept] = (struct argp_option){0};
}

void print_option_help(const struct section_table *table, const char *topic) {
  static char name[] = "cilkprof-report";
  struct argp_option *options = argp_options_make(table);
  struct argp argp = {.options = options, .args_doc = OPTION_ARGUMENTS, .doc = screen_text};
  enum topic page = TOPIC_SCREEN;
  if (topic != NULL && strcmp(topic, "all") == 0) {
    page = TOPIC_ALL;
    argp.doc = all_text;
  } else if (topic != NULL && strcmp(topic, "gprof") == 0) {
    page = TOPIC_GPROF;
    argp.doc = gprof_text;
  } else if (topic != NULL)
    fail(topic, "no such help topic; there are gprof and all");
  keep_options_of_topic(options, page);
  setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
  argp_help(&argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_ERR, name);
  exit(0);
}
