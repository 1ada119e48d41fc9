/* Makes the linker say which option is missing, if a unit is linked without the library that it needs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_NEEDS_H
#define CILKPROF_CC_NEEDS_H

struct needed_library {
  const char *option;            /* that links it */
  bool (*has)(const char *name); /* of a symbol: it is the library's */
  const char *message;           /* a symbol that it defines, and whose name says which option is missing */
  /* A unit that refers to this symbol has the other message, which another object of the library defines; or NULL.  */
  const char *special, *special_message;
};

/* ASKING: this unit may need it.  The link-time compiler sees what other units need.  */
void register_needed_library(const char *plugin, needed_library *library, bool asking);

#endif
