/* Reads symbols from the text output of nm, for programs that were stripped.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/symbols.h"
#include "cilkprof-report/support/support.h"

/* Callback of qsort: compares two symbols by address.  Global ones sort before local ones at the same address.  */
static int compare_object_text_symbols(const void *left, const void *right) {
  const struct symbol *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->local - b->local;
}

/* Parses LINE of the output of nm, "ADDRESS T NAME", into *SYMBOL.  The letter is T or W for a global function, t or w
   for a local one.  Returns false if it is something else.  */
static bool read_object_text_symbol(char *line, struct symbol *symbol) {
  char *rest, *after, *name;
  const char *letter;
  symbol->address = strtoull(line, &rest, 16);
  if (rest == line || (letter = strtok_r(rest, " \t\r", &after)) == NULL ||
      (name = strtok_r(NULL, "\r", &after)) == NULL || letter[1] != 0 || strchr("tTwW", letter[0]) == NULL)
    return false;
  symbol->local = letter[0] == 't' || letter[0] == 'w';
  symbol->name = symbol->whole = name + strspn(name, " \t");
  return true;
}

struct symbols object_symbols_from_text(const char *path) {
  struct symbols symbols = {NULL, 0};
  struct symbol symbol = {.file = NULL};
  size_t room = 0;
  struct file file = read_whole_file(path, NULL);
  char *rest, *text = reallocate(file.bytes, file.size + 1, 1);
  text[file.size] = 0;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
    if (read_object_text_symbol(line, &symbol)) {
      symbols.symbols = grow_array(symbols.symbols, symbols.count, &room, sizeof symbol);
      symbols.symbols[symbols.count++] = symbol;
    }
  if (symbols.count == 0)
    fail(path, "it has no lines with an address, T and a name, as nm prints them");
  qsort(symbols.symbols, symbols.count, sizeof *symbols.symbols, compare_object_text_symbols);
  return symbols;
}
