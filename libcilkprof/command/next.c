/* The command to type next.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <string.h>

#include "libcilkprof/command/command.h"

/* Prints WORD on standard error so that a shell reads it as one word, in one line.  Control characters are escaped, so
   that a terminal does not obey them.  */
static void print_suggested_word(const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=-+,@%";
  bool control = false;
  for (const char *at = word; *at != 0; at++)
    control |= (unsigned char)*at < ' ' || *at == 0x7f;
  if (word[0] != 0 && word[strspn(word, plain)] == 0) {
    fputs(word, stderr);
    return;
  }
  fputs(control ? "$'" : "'", stderr);
  for (const char *at = word; *at != 0; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f)
      fprintf(stderr, "\\%03o", (unsigned char)*at);
    else if (control && (*at == '\'' || *at == '\\'))
      fprintf(stderr, "\\%c", *at);
    else
      fputs(*at == '\'' ? "'\\''" : (const char[]){*at, 0}, stderr);
  putc('\'', stderr);
}

/* Prints on standard error that COMMAND is to be typed next, quoted where a shell needs that.  */
void suggest_command(const struct arguments *command) {
  fputs("cilkprof: next:", stderr);
  for (int i = 0; i < command->count; i++) {
    putc(' ', stderr);
    print_suggested_word(command->words[i]);
  }
  putc('\n', stderr);
}
