/* Selectors: how users name call sites.
   SPDX-License-Identifier: MIT  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/engine/names/descriptions.h"
#include "libcilkprof/engine/names/selector.h"

/* Returns whether PATH ends with the first BYTES bytes of NAME, the file of a selector, at the beginning of a file or
   folder name.  */
static int is_selected_file(const char *path, const char *name, size_t bytes) {
  size_t length = strlen(path);
  return length >= bytes && memcmp(path + length - bytes, name, bytes) == 0 &&
         (length == bytes || path[length - bytes - 1] == '/');
}

/* Returns the length of TEXT, the name of a function, without the file at its end: the report prints static functions
   of the same name as NAME (FILE).  Returns the whole length if there is no file or it is not UNIT, the source file of
   a static function.  UNIT is NULL for other functions.  */
static size_t selector_length_without_file(const char *text, const char *unit) {
  size_t length = strlen(text);
  const char *file = NULL;
  for (const char *at = text; unit && (at = strstr(at, " (")) != NULL; at++)
    file = at + 2;
  if (!file || text[length - 1] != ')' || strchr(file, '/') || !is_selected_file(unit, file, strlen(file) - 1))
    return length;
  return (size_t)(file - 2 - text);
}

/* Returns whether TEXT, the function of a selector, names the callee in DESCRIPTION, by its symbol or as the report
   prints it.  */
static int is_selected_callee(const struct cilkprof_description *description, const char *text) {
  const char *unit =
      description->flags & CILKPROF_SITE_CALLEE_LOCAL ? __cilkprof_description_string(description, UNIT) : NULL;
  const char *symbol = __cilkprof_description_string(description, CALLEE);
  size_t length = selector_length_without_file(text, unit);
  return (strlen(symbol) == length && memcmp(symbol, text, length) == 0) ||
         __cilkprof_match_name(text, length, __cilkprof_description_string(description, NAME));
}

/* Returns whether SELECTOR selects the call site of SLOT, whose callee is that of the site of CALLEE_SLOT.  The two
   differ in an indirect call, whose own description names no callee.  */
int __cilkprof_selects(const struct cilkprof_selector *selector, const void *slot, const void *callee_slot) {
  if (!selector->line)
    return is_selected_callee(__cilkprof_describe(callee_slot), selector->name);
  const struct cilkprof_description *site = __cilkprof_describe(slot);
  return site->line == selector->line && (!selector->column || site->column == selector->column) &&
         (!selector->is_loop || site->kind == CILKPROF_SITE_LOOP) &&
         is_selected_file(__cilkprof_description_string(site, SOURCE), selector->name, strlen(selector->name));
}

/* Returns the length of the C++ operator's name at AT if it has characters with another meaning in a list of selectors,
   else 0.  TEXT begins at AT or before it.  */
static size_t selector_operator_length(const char *text, const char *at) {
  static const char word[] = "operator";
  static const char *const symbols[] = {
      "->*", "<=>", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "()", "[]", "/=", "<", ">", ",", "/"};
  if (strncmp(at, word, sizeof word - 1) != 0 || (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
    return 0;
  at += sizeof word - 1;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strncmp(at, symbols[i], strlen(symbols[i])) == 0)
      return sizeof word - 1 + strlen(symbols[i]);
  return 0;
}

/* Returns the first MARK in TEXT, a list of selectors, or the end of TEXT if there is none.  Marks between brackets or
   in the name of an operator do not count.  */
char *__cilkprof_find_selector_mark(char *text, char mark) {
  int depth = 0, angles = 0; /* inside other brackets < and > may be operators, and do not matter */
  char *at = text;
  for (; *at && (*at != mark || depth || angles); at++) {
    size_t length = selector_operator_length(text, at);
    if (length)
      at += length - 1;
    else if (strchr("([{", *at))
      depth++;
    else if (strchr(")]}", *at))
      depth -= depth > 0;
    else if (!depth && *at == '<')
      angles++;
    else if (!depth && *at == '>')
      angles -= angles > 0;
  }
  return at;
}

/* Removes the last colon and the number after it from TEXT, a selector of the form FILE:LINE or FILE:LINE:COLUMN, and
   returns the number.  Returns 0, and leaves TEXT as it is, if it does not end in a colon and a number that
   is not 0.  */
static uint64_t cut_selector_number(char *text) {
  char *colon = strrchr(text, ':');
  if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
    return 0;
  uint64_t number = strtoul(colon + 1, NULL, 10);
  if (number)
    *colon = 0;
  return number;
}

/* Parses TEXT, which the user wrote, and returns the selector: FUNCTION, FILE:LINE or FILE:LINE:COLUMN.  The latter two
   may follow the word cilk_for.  Writes zero bytes into TEXT, into which the selector points.  */
struct cilkprof_selector __cilkprof_parse_selector(char *text) {
  static const char loop[] = "cilk_for ";
  uint64_t last = cut_selector_number(text), before = last ? cut_selector_number(text) : 0;
  int is_loop = last && strncmp(text, loop, sizeof loop - 1) == 0;
  return (struct cilkprof_selector){.name = is_loop ? text + sizeof loop - 1 : text,
                                    .line = before ? before : last,
                                    .column = before ? last : 0,
                                    .is_loop = is_loop};
}

/* Removes the blanks around TEXT, a selector.  Returns where it begins then.  */
static char *trim_selector(char *text) {
  static const char blanks[] = " \t\n";
  text += strspn(text, blanks);
  size_t length = strlen(text);
  while (length && strchr(blanks, text[length - 1]))
    text[--length] = 0;
  return text;
}

/* Returns the first selector of *LIST, a list separated by commas, without the blanks around it, and advances *LIST
   past it.  Returns NULL if none is left.  */
char *__cilkprof_next_selector(char **list) {
  for (char *at = *list, *end; *at; at = end) {
    end = __cilkprof_find_selector_mark(at, ',');
    if (*end)
      *end++ = 0;
    *list = end;
    at = trim_selector(at);
    if (*at)
      return at;
  }
  return NULL;
}
