/* Matching the C++ names that the report prints, which leave out some of what the compiler knows about a function.
   SPDX-License-Identifier: MIT

   For void n::solve<std::vector<int> >(int) the report prints n::solve, or n::solve<std::vector>, or n::solve [int] if
   there are others with other arguments.  Any of these matches, so several functions may.  */

#include <ctype.h>
#include <string.h>

#include "libcilkprof/engine/names/selector.h"

/* Returns the end of the part of TEXT, a C++ name, from the bracket with which it begins to the one that closes it; the
   end of TEXT if none does.  Inside parentheses < and > may be operators; an arrow closes nothing.  */
static const char *skip_bracket_in_match(const char *text) {
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

/* Returns whether TEXT begins with the string WITH.  */
static int selector_text_begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the end of the part at AT of NAME, the full name of a function, that the report may leave out when it prints
   it; AT itself if there is none.  Such parts are template arguments, parameters and anonymous namespaces.  */
static const char *skip_omitted_in_match(const char *name, const char *at) {
  static const char *const parts[] = {"(anonymous namespace)::", "__cxx11::", "[abi:cxx11]"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (selector_text_begins(at, parts[i]))
      return at + strlen(parts[i]);
  if (at > name && at[-1] == '}' && selector_text_begins(at, "::operator()"))
    return at + strlen("::operator()");
  if (at > name && (*at == '<' || *at == '('))
    return skip_bracket_in_match(at);
  return at[0] == ' ' && at[1] == '>' ? at + 1 : at;
}

/* Returns whether NAME from AT on, after what the user wrote, has only parts that the report leaves out: parameters,
   qualifiers and marks of copies.  */
static int is_rest_omitted_in_match(const char *name, const char *at) {
  for (const char *next; *at && *at != ' ' && *at != '['; at = next)
    if ((next = skip_omitted_in_match(name, at)) == at)
      return 0;
  return 1;
}

/* Returns whether the first LENGTH bytes of TEXT, which the user wrote, are NAME, the full name of a function, with or
   without the parts that the report leaves out.  */
static int is_selector_for_name(const char *text, size_t length, const char *name) {
  const char *at = name;
  for (size_t i = 0; i < length;) {
    const char *next = skip_omitted_in_match(name, at);
    if (*at == text[i]) {
      at++;
      i++;
    } else if (next != at)
      at = next;
    else
      return 0;
  }
  return is_rest_omitted_in_match(name, at);
}

/* Returns whether CHARACTER may be in the middle of a word of a C++ name: a letter, a digit, an underscore, a colon, or
   a byte that is not ASCII.  */
static int is_selector_word_character(char character) {
  return isalnum((unsigned char)character) || character == '_' || character == ':' || (unsigned char)character >= 0x80;
}

/* Returns whether NAME, the full name of a function, has WORD, of LENGTH bytes, as a word of its own.  */
static int has_selector_word(const char *name, const char *word, size_t length) {
  for (const char *at = name; *at; at++)
    if (strncmp(at, word, length) == 0 &&
        (at == name || !is_selector_word_character(at[-1]) || !is_selector_word_character(*word)) &&
        (!is_selector_word_character(at[length]) || !is_selector_word_character(word[length - 1])))
      return 1;
  return 0;
}

/* Returns whether NAME, the full name of a function, has all words of LIST, which is LENGTH bytes long: the inside of
   [double, int] as the user wrote it.  */
static int has_selector_words(const char *name, const char *list, size_t length) {
  for (const char *end = list + length, *next; list < end; list = next) {
    const char *comma = strstr(list, ", ");
    next = comma && comma < end ? comma + 2 : end;
    if (!has_selector_word(name, list, (size_t)((next == end ? end : comma) - list)))
      return 0;
  }
  return 1;
}

/* Returns the part of NAME after its first word; NULL if it has only one.  The full name of a template's instance
   begins with the type of its result, which users do not write.  */
static const char *skip_first_word_in_match(const char *name) {
  for (; *name && *name != ' '; name = strchr("<({[", *name) ? skip_bracket_in_match(name) : name + 1)
    ;
  return *name ? name + 1 : NULL;
}

/* Returns whether the first LENGTH bytes of TEXT are what the report may print for NAME, the full C++ name of a
   function.  A list in brackets at the end of TEXT has words that NAME must have.  */
int __cilkprof_match_name(const char *text, size_t length, const char *name) {
  const char *list = length && text[length - 1] == ']' ? memmem(text, length, " [", 2) : NULL;
  if (list) {
    if (!has_selector_words(name, list + 2, length - (size_t)(list + 2 - text) - 1))
      return 0;
    length = (size_t)(list - text);
  }
  for (const char *from = name; length && *name && from; from = skip_first_word_in_match(from))
    if (is_selector_for_name(text, length, from))
      return 1;
  return 0;
}
