/* The functions of an object by their addresses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMBOLS_H
#define CILKPROF_REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;

/* Behind the name of a static function at link time, if there are others of that name.  */
#define LTO_SUFFIX ".lto_priv."

struct symbol {
  uint64_t address, size;
  const char *name;
  const char *whole; /* with what the compiler appended to tell its copies and parts apart */
  const char
      *given; /* the same as descriptions have it, which tells static functions apart that were linked with -flto */
  const char *file; /* of a local function: the source file as the symbol table has it; or NULL */
  bool local;
};

struct symbols {
  struct symbol *symbols; /* by address */
  size_t count;
};

/* All function symbols of the file, which must stay open; none when it has none.  */
struct symbols symbols_read(struct Elf *elf);

/* The same from a text: lines with an address, a letter as nm prints it and a name.  */
struct symbols symbols_from_text(const char *path);

/* The function that ADDRESS is in, as far as its size is known, or NULL.  */
const struct symbol *symbol_around(const struct symbols *symbols, uint64_t address);

/* The function that starts at ADDRESS, or NULL.  */
const struct symbol *symbol_at(const struct symbols *symbols, uint64_t address);

#endif
