/* Brief names of C++ functions, without the parts that only the compiler needs.
   SPDX-License-Identifier: GPL-3.0-or-later

   For example, std::vector<int, std::allocator<int> >::push_back becomes std::vector::push_back, and a lambda in
   search(long), search(long)::{lambda(long)#2}::operator()(long) const, becomes search::{lambda#2}.  The result is
   never longer than the name.  */

#include <string.h>
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

/* Returns the text after the bracket that closes the one at TEXT in a C++ name, or the end of the name if there is
   none.  An arrow or a comparison in parentheses closes no bracket.  */
static const char *skip_name_bracket(const char *text) {
  static const char opening[] = "<({[", closing[] = ">)}]";
  const char *kind = strchr(opening, *text);
  char close = closing[kind - opening];
  for (text++; *text != 0 && *text != close;)
    if (*text == '-' && text[1] == '>')
      text += 2;
    else if (strchr(opening, *text) != NULL && (*text != '<' || close != ')'))
      text = skip_name_bracket(text);
    else
      text++;
  return *text != 0 ? text + 1 : text;
}

/* Returns whether a bracket opens at TEXT in a name and is closed.  In names of languages other than C++ it may not
   be.  */
static bool is_closed_name_bracket(const char *text) {
  return (*text == '<' || *text == '(' || *text == '[') && strchr(">)]", skip_name_bracket(text)[-1]) != NULL;
}

/* Returns the length of the operator at TEXT in the name that starts at BEGIN, such as operator< or operator(), or 0 if
   there is none.  */
static size_t operator_name_length(const char *begin, const char *text) {
  static const char word[] = "operator";
  size_t length = sizeof word - 1;
  bool inside = text > begin && (text[-1] == '_' || (text[-1] != ':' && text[-1] != ' '));
  if (inside || strncmp(text, word, length) != 0)
    return 0;
  if (strncmp(text + length, "()", 2) == 0)
    return length + 2;
  return length + strspn(text + length, "<>=-*+/%^&|~!,[]");
}

/* Returns whether the rest of a name at TEXT begins with the string WITH.  */
static bool name_begins_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the length of the part at TEXT that the compiler, not the program, added to the name that starts at BEGIN,
   such as "__cxx11::"; 0 if there is none.  */
static size_t omitted_name_length(const char *begin, const char *text) {
  static const char *const parts[] = {"(anonymous namespace)::", "__cxx11::", "[abi:cxx11]", "::operator()"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (name_begins_with(text, parts[i]) && (parts[i][0] != ':' || (text > begin && text[-1] == '}')))
      return strlen(parts[i]);
  return 0;
}

/* A name from BEGIN to END that is being shortened: it is copied TO without the omitted parts, and AT comes next.  */
struct brief {
  const char *begin, *at, *end;
  char *to;
};

/* Copies the next LENGTH bytes of the name to its brief form.  */
static void copy_brief_part(struct brief *brief, size_t length) {
  memcpy(brief->to, brief->at, length);
  brief->to += length;
  brief->at += length;
}

/* Returns whether something that a brief name omits begins at AT: template arguments, parameters of enclosing
   functions, or the suffix of a clone.  */
static bool is_omitted_in_brief(const struct brief *brief, const char *at) {
  if (name_begins_with(at, " [clone"))
    return is_closed_name_bracket(at + 1);
  return at > brief->begin && (*at == '<' || (*at == '(' && at[-1] != ' ')) && is_closed_name_bracket(at);
}

/* Copies a name to its brief form without the omitted parts.  Template arguments are shown LEVEL levels deep.  */
static void shorten_name(struct brief *brief, int level) {
  while (brief->at < brief->end) {
    const char *at = brief->at;
    size_t length = omitted_name_length(brief->begin, at);
    if (length > 0)
      brief->at += length;
    else if ((length = operator_name_length(brief->begin, at)) > 0)
      copy_brief_part(brief, length);
    else if (*at == '<' && at > brief->begin && level > 0 && is_closed_name_bracket(at)) {
      struct brief inner = {at + 1, at + 1, skip_name_bracket(at) - 1, brief->to};
      *inner.to++ = '<';
      shorten_name(&inner, level - 1);
      inner.to -= inner.to[-1] == ' '; /* "> >" becomes ">>" */
      *inner.to++ = '>';
      brief->to = inner.to;
      brief->at = skip_name_bracket(at);
    } else if (is_omitted_in_brief(brief, at))
      brief->at = skip_name_bracket(*at == ' ' ? at + 1 : at);
    else
      copy_brief_part(brief, 1);
  }
}

/* Returns the demangled name NAME without parameters and other details that matter only to the compiler.  Template
   arguments are shown LEVEL levels deep, and omitted at level 0.  Allocated.  */
char *brief_name(const char *name, int level) {
  char *text = allocate(strlen(name) + 1, 1);
  struct brief brief = {name, name, name + strlen(name), text};
  shorten_name(&brief, level);
  *brief.to = 0;
  return text;
}
