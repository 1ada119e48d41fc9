/* What the preprocessor has not read yet.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "libcilkprof/cc/gcc/front-end.h"

/* How the preprocessor's buffer of a file begins, in all versions of GCC: its header is not there for plugins.  */
struct buffer_start {
  const unsigned char *cur;       /* in a line that ends in a newline, without continuations */
  const unsigned char *line_base; /* where that line begins */
  const unsigned char *next_line; /* as it is in the file */
  const unsigned char *buf, *limit;
};

namespace {

/* A place in what follows in a file.  */
struct following_text {
  const unsigned char *at, *next_line, *limit;
  /* Returns true if the file ends here.  */
  bool ended() const {
    return !next_line && at >= limit;
  }
  /* Returns true if TEXT, of two characters, is here.  */
  bool starts_with(const char *text) const {
    return !ended() && at[0] == text[0] && at[1] == text[1];
  }
  /* Goes on by one character.  */
  void advance() {
    if (*at++ == '\n' && next_line)
      at = next_line, next_line = NULL;
  }
  /* Goes on to END, of two characters, or to the end of the file.  */
  void advance_to(const char *end) {
    while (!ended() && !starts_with(end))
      advance();
  }
};

} // namespace

/* Returns true if the line after the last token that READER has read is a directive, or if its file ends there.  */
bool gcc_directive_follows_p(cpp_reader *reader) {
  const buffer_start *buffer = (const buffer_start *)cpp_get_buffer(reader);
  if (!buffer)
    return true;
  following_text text = {buffer->cur, buffer->next_line, buffer->limit};
  bool begins = false; /* a line does */
  while (!text.ended())
    if (text.starts_with("/*")) {
      text.advance(), text.advance();
      text.advance_to("*/");
      if (!text.ended())
        text.advance(), text.advance();
    } else if (text.starts_with("//"))
      while (!text.ended() && *text.at != '\n')
        text.advance();
    else if (text.starts_with("\\\n"))
      text.advance(), text.advance();
    else if (ISSPACE(*text.at)) {
      begins |= *text.at == '\n';
      text.advance();
    } else
      return begins && (*text.at == '#' || text.starts_with("%:"));
  return true;
}
