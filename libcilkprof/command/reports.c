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

/* Writes the page, to the file that the first argument names if that ends in .html, and says so.  */
int report_page(int argc, char **argv) {
  const char *suffix = argc > 1 ? strrchr(argv[1], '.') : NULL;
  bool named = suffix != NULL && strcmp(suffix, ".html") == 0 && argv[1][0] != '-';
  struct arguments arguments = {0};
  add_command_argument(&arguments, tool);
  add_command_argument(&arguments, named ? join_report_option("--html=", argv[1]) : "--html");
  add_command_arguments(&arguments, argv + 1 + named);
  int status = run_report(&arguments, false);
  if (status == 0)
    fprintf(stderr, "cilkprof: next: open %s in a browser\n", named ? argv[1] : "cilkprof.html");
  return status;
}

/* Prints the source of the function or file that the first argument names, or of all.  Does not return.  */
int report_source(int argc, char **argv) {
  bool named = argc > 1 && argv[1][0] != '-';
  become_report(named ? join_report_option("--annotated-source=", argv[1]) : "--annotated-source", argv + 1 + named);
}
