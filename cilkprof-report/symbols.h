/* The functions of an object by their addresses, through BFD.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMBOLS_H
#define CILKPROF_REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
  uint64_t address;
  const char *name;
  const char *file; /* of a local function: the source file as the symbol table has it; or NULL */
  bool local;
};

struct symbols {
  struct symbol *symbols; /* by address */
  size_t count;
};

/* The file for BFD, which prints nothing about it; NULL when it is none of an object.  */
struct bfd *symbols_open(const char *path);

/* All function symbols of the file; none when it cannot be read or has none.  */
struct symbols symbols_read(const char *path);

/* The same from a text: lines with an address, a letter as nm prints it and a name.  */
struct symbols symbols_from_text(const char *path);

/* The function that starts at ADDRESS, or NULL.  */
const struct symbol *symbol_at(const struct symbols *symbols, uint64_t address);

#endif
