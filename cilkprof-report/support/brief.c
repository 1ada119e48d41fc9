/* Brief names of C++ functions: without what only the compiler needs to know.
   SPDX-License-Identifier: GPL-3.0-or-later

   For example, std::vector<int, std::allocator<int> >::push_back becomes std::vector::push_back, and a lambda in
   search(long), search(long)::{lambda(long)#2}::operator()(long) const, becomes search::{lambda#2}.  The result is never
   longer than the name.  */

#include <string.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Returns the text after the bracket that closes the one at TEXT, or the end if there is none.  An arrow or a comparison
   in parentheses closes no bracket.  */
static const char *after(const char *text) {
  static const char opening[] = "<({[", closing[] = ">)}]";
  const char *kind = strchr(opening, *text);
  char close = closing[kind - opening];
  for (text++; *text != 0 && *text != close;)
    if (*text == '-' && text[1] == '>')
      text += 2;
    else if (strchr(opening, *text) != NULL && (*text != '<' || close != ')'))
      text = after(text);
    else
      text++;
  return *text != 0 ? text + 1 : text;
}

/* Whether what opens at TEXT, if it does, is closed: in a name that is none of C++ it need not be.  */
static bool is_whole(const char *text) {
  return (*text == '<' || *text == '(' || *text == '[') && strchr(">)]", after(text)[-1]) != NULL;
}

/* The length of the name of an operator that begins here, as operator< or operator(); 0: none does.  */
static size_t operator_length(const char *begin, const char *text) {
  static const char word[] = "operator";
  size_t length = sizeof word - 1;
  bool inside = text > begin && (text[-1] == '_' || (text[-1] != ':' && text[-1] != ' '));
  if (inside || strncmp(text, word, length) != 0)
    return 0;
  if (strncmp(text + length, "()", 2) == 0)
    return length + 2;
  return length + strspn(text + length, "<>=-*+/%^&|~!,[]");
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* What is left out as a whole: parts of the compiler's, not of the program's.  */
static size_t left_out(const char *begin, const char *text) {
  static const char *const parts[] = {"(anonymous namespace)::", "__cxx11::", "[abi:cxx11]", "::operator()"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (begins(text, parts[i]) && (parts[i][0] != ':' || (text > begin && text[-1] == '}')))
      return strlen(parts[i]);
  return 0;
}

/* What a name is made of, as far as it was looked at.  */
struct brief {
  const char *begin, *at, *end;
  char *to;
};

static void take(struct brief *brief, size_t length) {
  memcpy(brief->to, brief->at, length);
  brief->to += length;
  brief->at += length;
}

/* Template arguments, parameters of enclosing functions, what tells copies apart.  */
static bool is_left_out(const struct brief *brief, const char *at) {
  if (begins(at, " [clone"))
    return is_whole(at + 1);
  return at > brief->begin && (*at == '<' || (*at == '(' && at[-1] != ' ')) && is_whole(at);
}

/* LEVEL is how deep template arguments are shown.  */
static void shorten(struct brief *brief, int level) {
  while (brief->at < brief->end) {
    const char *at = brief->at;
    size_t length = left_out(brief->begin, at);
    if (length > 0)
      brief->at += length;
    else if ((length = operator_length(brief->begin, at)) > 0)
      take(brief, length);
    else if (*at == '<' && at > brief->begin && level > 0 && is_whole(at)) {
      struct brief inner = {at + 1, at + 1, after(at) - 1, brief->to};
      *inner.to++ = '<';
      shorten(&inner, level - 1);
      inner.to -= inner.to[-1] == ' '; /* as in > > */
      *inner.to++ = '>';
      brief->to = inner.to;
      brief->at = after(at);
    } else if (is_left_out(brief, at))
      brief->at = after(*at == ' ' ? at + 1 : at);
    else
      take(brief, 1);
  }
}

char *brief_name(const char *name, int level) {
  char *text = allocate(strlen(name) + 1, 1);
  struct brief brief = {name, name, name + strlen(name), text};
  shorten(&brief, level);
  *brief.to = 0;
  return text;
}
