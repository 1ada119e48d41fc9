/* cilkprof: one command for all there is, with subcommands as git and perf have them.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/command/command.h"
#include "libcilkprof/launcher/launcher.h"
#include "version.h"

/* Returns the command called NAME, or NULL.  */
static const struct command *find_command(const char *name) {
  for (const struct command *command = commands; command->name != NULL; command++)
    if (strcmp(command->name, name) == 0)
      return command;
  return NULL;
}

/* Returns how many letters of ONE have to be changed, left out, added or swapped with the next to make it OTHER; more
   than any command has if it is too long to be one.  */
static int command_distance(const char *one, const char *other) {
  enum { LONGEST = 16 };
  int rows[LONGEST + 1][LONGEST + 1];
  int height = (int)strnlen(one, LONGEST + 1), width = (int)strnlen(other, LONGEST + 1);
  if (height > LONGEST || width > LONGEST)
    return LONGEST;
  for (int i = 0; i <= height; i++)
    for (int j = 0; j <= width; j++) {
      int changed = i > 0 && j > 0 ? rows[i - 1][j - 1] + (one[i - 1] != other[j - 1]) : i + j;
      int shorter = i > 0 ? rows[i - 1][j] + 1 : changed, longer = j > 0 ? rows[i][j - 1] + 1 : changed;
      int least = shorter < longer ? shorter : longer;
      rows[i][j] = changed < least ? changed : least;
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] &&
          rows[i - 2][j - 2] + 1 < rows[i][j])
        rows[i][j] = rows[i - 2][j - 2] + 1;
    }
  return rows[height][width];
}

/* Returns the command whose name is most like WORD, if at most two letters and fewer than half of them differ, or that
   has a name of which WORD is the beginning; else NULL.  */
static const struct command *find_similar_command(const char *word) {
  const struct command *similar = NULL;
  int least = 3;
  for (const struct command *command = commands; command->name != NULL; command++) {
    bool begins = strlen(word) > 1 && strncmp(command->name, word, strlen(word)) == 0;
    int distance = begins ? 0 : command_distance(word, command->name);
    if (distance < least && 2 * distance < (int)strlen(command->name)) {
      similar = command;
      least = distance;
    }
  }
  return similar;
}

/* Fails because WORD is no command: says which it may have been meant to be, or how to run the program of that
   name.  */
__attribute__((noreturn)) static void fail_without_command(const char *word) {
  const struct command *similar = find_similar_command(word);
  refuse_source_file(word);
  if (access(word, X_OK) == 0)
    fail(word, "no such command; to run the program, name its folder: cilkprof ./%s", word);
  if (similar != NULL)
    fail(word, "no such command; did you mean %s?", similar->name);
  fail(word, "no such command (cilkprof --help lists them); to run a program, name its folder: ./%s", word);
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
    fail_without_command(second);
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
    fail_without_command(argv[1]);
  if (command == NULL)
    return measure_whole(argc, argv);
  if (asprintf(&name, "cilkprof %s", command->name) < 0)
    fail_without_memory();
  argv[1] = name;
  return command->run(argc - 1, argv + 1);
}
