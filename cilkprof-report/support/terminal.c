/* The terminal: colours and width.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

enum color color_parse(const char *when) {
  static const char *const names[] = {[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
  if (when == NULL)
    return COLOR_ALWAYS;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(when, names[i]) == 0)
      return (enum color)i;
  fail(when, "colours are auto, always or never");
}

/* Returns whether the environment has a VARIABLE that is neither empty nor 0.  */
static bool is_terminal_variable_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && value[0] != 0 && strcmp(value, "0") != 0;
}

bool color_wanted(enum color color) {
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (color != COLOR_AUTO)
    return color == COLOR_ALWAYS;
  if (no_color != NULL && no_color[0] != 0)
    return false;
  if (is_terminal_variable_set("CLICOLOR_FORCE") || is_terminal_variable_set("FORCE_COLOR"))
    return true;
  return isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

unsigned terminal_width(void) {
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  unsigned asked = columns != NULL ? (unsigned)atoi(columns) : 0;
  if (asked > 0 && asked < 100000)
    return asked;
  if (!isatty(STDOUT_FILENO))
    return 0;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Prints to OUT as fprintf does, in STYLE, such as the bold face of titles, if COLOR is true.  */
void print_styled(FILE *out, bool color, enum style style, const char *format, ...) {
  static const char *const codes[] = {
      [STYLE_TITLE] = "1",
      [STYLE_GOOD] = "32",
      [STYLE_NOTICE] = "33",
      [STYLE_BAD] = "1;31",
  };
  va_list arguments;
  if (color)
    fprintf(out, "\033[%sm", codes[style]);
  va_start(arguments, format);
  vfprintf(out, format, arguments);
  va_end(arguments);
  if (color)
    fputs("\033[0m", out);
}
