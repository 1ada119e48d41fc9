/* Names of C++ as the report prints them: some of what the compiler knows of a function is left out.
   SPDX-License-Identifier: MIT

   Of void n::solve<std::vector<int> >(int) that is n::solve, or n::solve<std::vector>, or n::solve [int] where other
   solves have other arguments.  Any of these is accepted, and all functions that may be meant are.  */

#include <ctype.h>
#include <string.h>

#include "libcilkprof/engine/names/named.h"

/* Behind what opens at TEXT, or at its end.  Inside parentheses < and > may be operators; an arrow closes nothing.  */
static const char *behind(const char *text) {
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

/* Behind what may be left out of NAME at AT; AT: nothing.  */
static const char *behind_left_out(const char *name, const char *at) {
  static const char *const parts[] = {"(anonymous namespace)::", "__cxx11::", "[abi:cxx11]"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (begins(at, parts[i]))
      return at + strlen(parts[i]);
  if (at > name && at[-1] == '}' && begins(at, "::operator()"))
    return at + strlen("::operator()");
  if (at > name && (*at == '<' || *at == '('))
    return behind(at);
  return at[0] == ' ' && at[1] == '>' ? at + 1 : at;
}

/* What may follow the parameters: qualifiers, and what tells copies apart.  */
static int is_rest(const char *name, const char *at) {
  for (const char *next; *at && *at != ' ' && *at != '['; at = next)
    if ((next = behind_left_out(name, at)) == at)
      return 0;
  return 1;
}

static int is_same(const char *text, size_t length, const char *name) {
  const char *at = name;
  for (size_t i = 0; i < length;) {
    const char *next = behind_left_out(name, at);
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

/* LIST is that of [double, int], from behind its bracket on.  */
static int has_words(const char *name, const char *list, size_t length) {
  for (const char *end = list + length, *next; list < end; list = next) {
    const char *comma = strstr(list, ", ");
    next = comma && comma < end ? comma + 2 : end;
    if (!has_word(name, list, (size_t)((next == end ? end : comma) - list)))
      return 0;
  }
  return 1;
}

/* The result of a template's function stands before its name.  */
static const char *behind_word(const char *name) {
  for (; *name && *name != ' '; name = strchr("<({[", *name) ? behind(name) : name + 1)
    ;
  return *name ? name + 1 : NULL;
}

int __cilkprof_is_printed(const char *text, size_t length, const char *name) {
  const char *list = length && text[length - 1] == ']' ? memmem(text, length, " [", 2) : NULL;
  if (list) {
    if (!has_words(name, list + 2, length - (size_t)(list + 2 - text) - 1))
      return 0;
    length = (size_t)(list - text);
  }
  for (const char *from = name; length && *name && from; from = behind_word(from))
    if (is_same(text, length, from))
      return 1;
  return 0;
}
