/* What the source says behind a keyword, read from the file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "front.h"

/* Steps over the keyword: an identifier, which may be a macro of the user's that ends in it, with its arguments.  */
static size_t skip_keyword(const char *text, size_t at, size_t size) {
  bool user_macro = !startswith(text + at, "cilk_spawn") && !startswith(text + at, "_Cilk_spawn");
  while (at < size && (ISALNUM(text[at]) || text[at] == '_'))
    at++;
  if (!user_macro || at >= size || text[at] != '(')
    return at;
  int depth = 0;
  do
    depth += (text[at] == '(') - (text[at] == ')');
  while (++at < size && depth);
  return at;
}

/* Whether only blanks, comments and opening parentheses stand between the keyword and the token at LOCATION.  */
bool adjacent(location_t keyword, location_t location) {
  expanded_location from = expand_location(keyword), to = expand_location(location);
  if (!from.file || !to.file || strcmp(from.file, to.file) || to.line < from.line)
    return false;
  bool in_comment = false;
  for (int line = from.line; line <= to.line; line++) {
    char_span source = location_get_source_line(from.file, line);
    if (!source)
      return true; /* not to be read again, as standard input: the nearest call behind the keyword is taken */
    const char *text = source.get_buffer();
    size_t size = source.length(), at = line == from.line ? skip_keyword(text, from.column - 1, size) : 0;
    for (; at < size; at++) {
      if (in_comment) {
        if (text[at] == '*' && at + 1 < size && text[at + 1] == '/')
          in_comment = false, at++;
        continue;
      }
      if (line == to.line && (int)at == to.column - 1)
        return true;
      if (ISSPACE(text[at]) || text[at] == '\\' || text[at] == '(')
        continue;
      if (text[at] == '/' && at + 1 < size && text[at + 1] == '*') {
        in_comment = true, at++;
        continue;
      }
      if (text[at] == '/' && at + 1 < size && text[at + 1] == '/')
        break;
      return false;
    }
  }
  return false;
}

/* Steps over a name with what can stand before the parenthesis of its call: a::b<int>, p->f, a[i].f.  */
static size_t skip_callee(const char *text, size_t at, size_t size) {
  while (at < size) {
    int depth = 0;
    if (text[at] == '[' || text[at] == '<')
      do
        depth += (text[at] == '[' || text[at] == '<') - (text[at] == ']' || (text[at] == '>' && text[at - 1] != '-'));
      while (++at < size && depth);
    else if (ISALNUM(text[at]) || strchr("_:.~", text[at]) || startswith(text + at, "->"))
      at += text[at] == '-' ? 2 : 1;
    else
      break;
  }
  return at;
}

bool looks_like_call(location_t keyword) {
  expanded_location place = expand_location(keyword);
  char_span source = place.file ? location_get_source_line(place.file, place.line) : char_span(NULL, 0);
  if (!source)
    return false;
  const char *text = source.get_buffer();
  size_t size = source.length(), at = skip_keyword(text, place.column - 1, size);
  while (at < size && ISSPACE(text[at]))
    at++;
  if (at >= size || ISDIGIT(text[at]))
    return false;
  size_t end = skip_callee(text, at, size);
  while (end < size && ISSPACE(text[end]))
    end++;
  return end > at && end < size && text[end] == '(';
}
