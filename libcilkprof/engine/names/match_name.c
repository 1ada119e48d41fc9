/* Matching the C++ names that the report prints, which leave out some of what the compiler knows about a function.
   SPDX-License-Identifier: MIT

   For void n::solve<std::vector<int> >(int) the report prints n::solve, or n::solve<std::vector>, or n::solve [int] if
   there are others with other arguments.  Any of these matches, so several functions may.  */

#include <ctype.h>
#include <string.h>

#include "libcilkprof/engine/names/selector.h"

/* Returns where the bracket that opens at TEXT has closed, or the end.  Inside parentheses < and > may be operators; an
   arrow closes nothing.  */
static const char *after_bracket(const char *text) {
  static const char opening[] = "<({[", closing[] = ">)}]";
  char open = *text, close = closing[strchr(opening, open) - opening];
  size_t depth = 0;
  for (; *text; text++) {
    if (text[0] == '-' && text[1] == '>')
      text++;
    else if (*text == open)
      depth++;
    else if (*text == close && --depth == 0)
      return text + 1;
  }
  return text;
}

static int begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the end of what the report may leave out of NAME at AT; AT itself if it is nothing.  */
static const char *after_left_out(const char *name, const char *at) {
  static const char *const parts[] = {"(anonymous namespace)::", "__cxx11::", "[abi:cxx11]"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (begins(at, parts[i]))
      return at + strlen(parts[i]);
  if (at > name && at[-1] == '}' && begins(at, "::operator()"))
    return at + strlen("::operator()");
  if (at > name && (*at == '<' || *at == '('))
    return after_bracket(at);
  return at[0] == ' ' && at[1] == '>' ? at + 1 : at;
}

/* Whether only qualifiers and marks of copies follow the parameters.  */
static int is_rest(const char *name, const char *at) {
  for (const char *next; *at && *at != ' ' && *at != '['; at = next)
    if ((next = after_left_out(name, at)) == at)
      return 0;
  return 1;
}

static int is_same(const char *text, size_t length, const char *name) {
  const char *at = name;
  for (size_t i = 0; i < length;) {
    const char *next = after_left_out(name, at);
    if (*at == text[i]) {
      at++;
      i++;
    } else if (next != at)
      at = next;
    else
      return 0;
  }
  return is_rest(name, at);
}

static int is_of_word(char character) {
  return isalnum((unsigned char)character) || character == '_' || character == ':' || (unsigned char)character >= 0x80;
}

static int has_word(const char *name, const char *word, size_t length) {
  for (const char *at = name; *at; at++)
    if (strncmp(at, word, length) == 0 && (at == name || !is_of_word(at[-1]) || !is_of_word(*word)) &&
        (!is_of_word(at[length]) || !is_of_word(word[length - 1])))
      return 1;
  return 0;
}

/* Whether NAME has all words of LIST, the inside of [double, int].  */
static int has_words(const char *name, const char *list, size_t length) {
  for (const char *end = list + length, *next; list < end; list = next) {
    const char *comma = strstr(list, ", ");
    next = comma && comma < end ? comma + 2 : end;
    if (!has_word(name, list, (size_t)((next == end ? end : comma) - list)))
      return 0;
  }
  return 1;
}

/* A template's name begins with the type of its result: returns what follows the first word, or NULL.  */
static const char *after_word(const char *name) {
  for (; *name && *name != ' '; name = strchr("<({[", *name) ? after_bracket(name) : name + 1)
    ;
  return *name ? name + 1 : NULL;
}

int __cilkprof_match_name(const char *text, size_t length, const char *name) {
  const char *list = length && text[length - 1] == ']' ? memmem(text, length, " [", 2) : NULL;
  if (list) {
    if (!has_words(name, list + 2, length - (size_t)(list + 2 - text) - 1))
      return 0;
    length = (size_t)(list - text);
  }
  for (const char *from = name; length && *name && from; from = after_word(from))
    if (is_same(text, length, from))
      return 1;
  return 0;
}
