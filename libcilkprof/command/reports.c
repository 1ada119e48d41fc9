/* The commands that read a profile: each is cilkprof-report with some of its options.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/command/command.h"
#include "libcilkprof/launcher/launcher.h"

static const char tool[] = "bin/cilkprof-report";

/* Becomes the report with OPTION, and then the words of ARGV.  */
__attribute__((noreturn)) static void become_report(const char *option, char **argv) {
  struct arguments arguments = {0};
  add_command_argument(&arguments, tool);
  add_command_argument(&arguments, option);
  add_command_arguments(&arguments, argv);
  become_command_tool(tool, &arguments);
}

/* Returns OPTION and VALUE as one word, allocated.  */
static char *join_report_option(const char *option, const char *value) {
  char *word = NULL;
  if (asprintf(&word, "%s%s", option, value) < 0)
    fail_without_memory();
  return word;
}

/* Becomes the report, on one screen unless the arguments that the command was given name sections.  Does not
   return.  */
int report(int argc, char **argv) {
  (void)argc;
  become_report("--screen", argv + 1);
}

/* Becomes the report that compares two builds.  Does not return.  */
int report_difference(int argc, char **argv) {
  (void)argc;
  become_report("--diff", argv + 1);
}

/* Becomes the report that checks rules, the arguments that compare something, such as 'parallelism >= 10'; all others
   are arguments of the report.  Does not return.  */
int report_gate(int argc, char **argv) {
  struct arguments arguments = {0};
  int rules = 0;
  add_command_argument(&arguments, tool);
  for (char **word = argv + 1; *word != NULL; word++) {
    bool is_rule = **word != '-' && strpbrk(*word, "<>=") != NULL;
    add_command_argument(&arguments, is_rule ? join_report_option("--gate=", *word) : *word);
    rules += is_rule;
  }
  if (rules == 0)
    fail("gate", "no rule given; write one such as 'parallelism >= 10' (cilkprof gate --help)");
  (void)argc;
  become_command_tool(tool, &arguments);
}

/* Writes the profile in the format that the first argument names.  Does not return.  */
int report_export(int argc, char **argv) {
  if (argc < 2 || argv[1][0] == '-')
    fail("export", "no format given; write one such as json (cilkprof export --help lists them)");
  become_report(join_report_option("--format=", argv[1]), argv + 2);
}

/* Returns the name that WORD, and the word after it if that is what WORD needs, gives the page: by -o or --output.
   Stores in USED how many words that is.  Returns NULL, and 0, if it is another argument.  */
static const char *page_named_by_option(char **word, int *used) {
  static const char option[] = "--output";
  const char *text = *word, *rest = NULL;
  if (strncmp(text, "-o", 2) == 0)
    rest = text + 2;
  else if (strncmp(text, option, strlen(option)) == 0 && strchr("=", text[strlen(option)]) != NULL)
    rest = text + strlen(option) + (text[strlen(option)] == '=');
  *used = rest == NULL ? 0 : *rest == '\0' && word[1] != NULL ? 2 : 1;
  return *used == 2 ? word[1] : rest;
}

/* Writes the page, to the file that the first argument names if that ends in .html, or an option, and says so.  */
int report_page(int argc, char **argv) {
  const char *suffix = argc > 1 ? strrchr(argv[1], '.') : NULL;
  bool first = suffix != NULL && strcmp(suffix, ".html") == 0 && argv[1][0] != '-';
  const char *name = first ? argv[1] : "cilkprof.html";
  struct arguments arguments = {0}, others = {0};
  for (char **word = argv + 1 + first; *word != NULL;) {
    int used = 0;
    const char *named = page_named_by_option(word, &used);
    if (used == 0)
      add_command_argument(&others, *word);
    else
      name = named;
    word += used == 0 ? 1 : used;
  }
  if (*name == '\0')
    fail("html", "-o needs the name of a file");
  add_command_argument(&arguments, tool);
  add_command_argument(&arguments, join_report_option("--html=", name));
  if (others.count > 0)
    add_command_arguments(&arguments, others.words);
  int status = run_report(&arguments, false);
  if (status == 0)
    fprintf(stderr, "cilkprof: next: open %s in a browser\n", name);
  return status;
}

/* Prints the source of the function or file that the first argument names, or of all.  Does not return.  */
int report_source(int argc, char **argv) {
  bool named = argc > 1 && argv[1][0] != '-';
  become_report(named ? join_report_option("--annotated-source=", argv[1]) : "--annotated-source", argv + 1 + named);
}
