/* cilkprof: one command for all there is, with subcommands as git and perf have them.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/command/command.h"
#include "libcilkprof/launcher/launcher.h"

/* Returns the command called NAME, or NULL.  */
static const struct command *find_command(const char *name) {
  for (const struct command *command = commands; command->name != NULL; command++)
    if (strcmp(command->name, name) == 0)
      return command;
  return NULL;
}

/* Prints all commands, and exits.  */
__attribute__((noreturn)) static void print_command_list_help(void) {
  puts("Usage: cilkprof PROGRAM [ARGUMENT...]\n"
       "       cilkprof COMMAND [ARGUMENT...]\n"
       "Finds out how a Cilk or OpenMP program scales, and what limits it.  With a\n"
       "program, as in cilkprof ./prog, profiles it if it was built for that, samples it\n"
       "otherwise, and prints the verdict.");
  for (const struct command *command = commands; command->name != NULL; command++) {
    if (command->heading != NULL)
      printf("\n%s:\n", command->heading);
    printf("  %-9s %s\n", command->name, command->summary);
  }
  puts("\ncilkprof COMMAND --help explains a command.  Start with man cilkprof.");
  exit(0);
}

/* Prints the help of COMMAND, and exits.  */
__attribute__((noreturn)) static void print_command_help(const struct command *command) {
  printf("Usage: cilkprof %s %s\n%s.\n\n%s", command->name, command->arguments, command->summary, command->help);
  exit(0);
}

/* Returns whether WORD asks for help, as --help does.  */
static bool asks_for_command_help(const char *word) {
  return word != NULL && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0);
}

/* Prints the help, that of one command, or the version, and exits, if FIRST, the first argument, or SECOND, the next
   one or NULL, asks for it.  Fails if help is wanted on a command that does not exist.  Otherwise returns.  */
static void print_command_help_if_asked(const char *first, const char *second) {
  if (asks_for_command_help(first) || (strcmp(first, "help") == 0 && second == NULL))
    print_command_list_help();
  if (strcmp(first, "--version") == 0 || strcmp(first, "-v") == 0 || strcmp(first, "-V") == 0) {
    puts("cilkprof " CILKPROF_VERSION);
    exit(0);
  }
  const struct command *command = find_command(strcmp(first, "help") == 0 ? second : first);
  if (command != NULL && (strcmp(first, "help") == 0 || asks_for_command_help(second)))
    print_command_help(command);
  if (command == NULL && strcmp(first, "help") == 0)
    fail(second, "no such command; cilkprof --help lists them");
}

/* Runs the command that the first argument names, or finds out what it can about the program that it names.  Returns
   the exit status.  */
int main(int argc, char **argv) {
  char *name = NULL;
  if (argc < 2)
    fail("no program or command given", "try: cilkprof ./prog, or cilkprof --help");
  print_command_help_if_asked(argv[1], argv[2]);
  const struct command *command = find_command(argv[1]);
  if (command == NULL && argv[1][0] != '-' && strchr(argv[1], '/') == NULL)
    fail(argv[1], "no such command (cilkprof --help lists them); to run a program, name its folder: ./%s", argv[1]);
  if (command == NULL)
    return measure_whole(argc, argv);
  if (asprintf(&name, "cilkprof %s", command->name) < 0)
    fail_without_memory();
  argv[1] = name;
  return command->run(argc - 1, argv + 1);
}
