/* Selectors: how users name call sites.
   SPDX-License-Identifier: MIT  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fmt/description.h"
#include "libcilkprof/engine/names/selector.h"

/* The strings of a description, in order.  */
enum { SOURCE, CALLER, CALLEE, UNIT, NAME };

/* Returns string NUMBER of a description, or an empty one: the full name may be missing.  */
static const char *string_of(const void *description, int number) {
  struct cilkprof_description head;
  memcpy(&head, description, sizeof head);
  const char *string = (const char *)description + sizeof head, *end = (const char *)description + head.size;
  while (number-- > 0 && string < end)
    string += strlen(string) + 1;
  return string < end ? string : "";
}

/* Whether PATH ends with the first BYTES of NAME, at the beginning of a file or folder name.  */
static int is_file(const char *path, const char *name, size_t bytes) {
  size_t length = strlen(path);
  return length >= bytes && memcmp(path + length - bytes, name, bytes) == 0 &&
         (length == bytes || path[length - bytes - 1] == '/');
}

/* The report prints static functions of the same name as NAME (FILE).  Returns the length of NAME if FILE is UNIT, else
   that of TEXT.  UNIT is NULL for functions that are not static.  */
static size_t without_file(const char *text, const char *unit) {
  size_t length = strlen(text);
  const char *file = NULL;
  for (const char *at = text; unit && (at = strstr(at, " (")) != NULL; at++)
    file = at + 2;
  if (!file || text[length - 1] != ')' || strchr(file, '/') || !is_file(unit, file, strlen(file) - 1))
    return length;
  return (size_t)(file - 2 - text);
}

/* The callee that is described there is called so, by its symbol or as the report prints it.  */
static int is_callee(const void *description, const char *text) {
  struct cilkprof_description head;
  memcpy(&head, description, sizeof head);
  const char *unit = head.flags & CILKPROF_SITE_CALLEE_LOCAL ? string_of(description, UNIT) : NULL;
  const char *symbol = string_of(description, CALLEE);
  size_t length = without_file(text, unit);
  return (strlen(symbol) == length && memcmp(symbol, text, length) == 0) ||
         __cilkprof_match_name(text, length, string_of(description, NAME));
}

int __cilkprof_selects(const struct cilkprof_selector *selector, const void *description,
                       const void *callee_description) {
  struct cilkprof_description head;
  memcpy(&head, description, sizeof head);
  if (!selector->line)
    return is_callee(callee_description, selector->name);
  return head.line == selector->line && (!selector->is_loop || head.kind == CILKPROF_SITE_LOOP) &&
         is_file(string_of(description, SOURCE), selector->name, strlen(selector->name));
}

/* Returns the length of the operator's name at AT if it has characters with another meaning in a list of selectors,
   else 0.  TEXT begins at AT or before it.  */
static size_t operator_length(const char *text, const char *at) {
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

char *__cilkprof_find_mark(char *text, char mark) {
  int depth = 0, angles = 0; /* inside other brackets < and > may be operators, and do not matter */
  char *at = text;
  for (; *at && (*at != mark || depth || angles); at++) {
    size_t length = operator_length(text, at);
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

/* Cuts the line off FILE:LINE and returns it; 0: TEXT is something else.  */
static uint64_t cut_line(char *text) {
  char *colon = strrchr(text, ':');
  if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
    return 0;
  *colon = 0;
  return strtoul(colon + 1, NULL, 10);
}

struct cilkprof_selector __cilkprof_parse_selector(char *text) {
  static const char loop[] = "cilk_for ";
  uint64_t line = cut_line(text);
  int is_loop = line && strncmp(text, loop, sizeof loop - 1) == 0;
  return (struct cilkprof_selector){.name = is_loop ? text + sizeof loop - 1 : text, .line = line, .is_loop = is_loop};
}

/* Removes the blanks around TEXT.  */
static char *trim(char *text) {
  static const char blanks[] = " \t\n";
  text += strspn(text, blanks);
  size_t length = strlen(text);
  while (length && strchr(blanks, text[length - 1]))
    text[--length] = 0;
  return text;
}

char *__cilkprof_next_name(char **list) {
  for (char *at = *list, *end; *at; at = end) {
    end = __cilkprof_find_mark(at, ',');
    if (*end)
      *end++ = 0;
    *list = end;
    at = trim(at);
    if (*at)
      return at;
  }
  return NULL;
}
