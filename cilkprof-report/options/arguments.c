/* Command-line arguments that are read from files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/options/arguments.h"
#include "cilkprof-report/support/support.h"

enum { MAX_FILES = 2000 }; /* stops the expansion of a file that names itself */

struct words {
  char **words;
  size_t count, room;
};

/* Appends WORD, which is not copied, to the list of arguments.  */
static void add_argument_word(struct words *words, char *word) {
  words->words = grow_array(words->words, words->count, &words->room, sizeof *words->words);
  words->words[words->count++] = word;
}

/* Returns the next word of an argument file at *TEXT, with quotes and backslashes removed in place, and advances *TEXT
   past it.  Returns NULL if there is no word before END.  */
static char *take_argument_word(char **text, const char *end) {
  char *from = *text, *to, quote = 0;
  while (from < end && isspace((unsigned char)*from))
    from++;
  char *word = to = from;
  if (from == end)
    return NULL;
  for (; from < end && (quote != 0 || !isspace((unsigned char)*from)); from++)
    if (*from == '\\' && from + 1 < end)
      *to++ = *++from;
    else if (*from == quote)
      quote = 0;
    else if (quote == 0 && (*from == '"' || *from == '\''))
      quote = *from;
    else
      *to++ = *from;
  *text = from + (from < end);
  *to = 0;
  return word;
}

/* Appends the words of the file at PATH to the list of arguments.  The text gets one more byte, for the zero after its
   last word, and is never freed.  */
static void add_arguments_of_file(struct words *words, const char *path) {
  struct file file = read_whole_file(path, NULL);
  char *text = reallocate(file.bytes, file.size + 1, 1);
  const char *end = text + file.size;
  for (char *word; (word = take_argument_word(&text, end)) != NULL;)
    add_argument_word(words, word);
}

/* Returns the COUNT arguments with every @FILE replaced by the words in that file, which may again be of the form
   @FILE.  Adds the number of files that were read to *FILES.  The first argument, the program's name, is kept.  */
static struct words expand_arguments_once(char **arguments, size_t count, size_t *files) {
  struct words words = {0};
  for (size_t i = 0; i < count; i++)
    if (i > 0 && arguments[i][0] == '@' && access(arguments[i], F_OK) != 0) {
      if (++*files > MAX_FILES)
        fail(arguments[i] + 1, "too many files of arguments name one another");
      if (access(arguments[i] + 1, R_OK) != 0)
        fail(arguments[i], "%s", strerror(errno));
      add_arguments_of_file(&words, arguments[i] + 1);
    } else {
      add_argument_word(&words, arguments[i]);
    }
  return words;
}

void arguments_expand(int *argc, char ***argv) {
  size_t files = 0, before;
  do {
    before = files;
    struct words words = expand_arguments_once(*argv, (size_t)*argc, &files);
    *argc = (int)words.count;
    add_argument_word(&words, NULL);
    *argv = words.words;
  } while (files > before);
}
