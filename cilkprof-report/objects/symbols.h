/* Function symbols of an object, by address.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SYMBOLS_H
#define CILKPROF_REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;

/* Follows the name of a static function in a program linked with -flto, if there are others of the same name.  */
#define LTO_SUFFIX ".lto_priv."

struct symbol {
  uint64_t address, size;
  const char *name;
  const char *whole; /* with the suffix of the compiler for clones and parts of functions */
  /* Name in descriptions, which distinguishes static functions of programs linked with -flto; NULL if not LOCAL.  */
  const char *given;
  const char *file; /* of a local function: the source file in the symbol table; or NULL */
  bool local;
};

struct symbols {
  struct symbol *symbols; /* sorted by address */
  size_t count;
};

/* Returns all function symbols of the file, which may be none.  The file must stay open, because the names point into
   it.  */
struct symbols read_elf_symbols(struct Elf *elf);

/* Returns the symbols in the text file PATH.  Its lines have an address, a letter and a name, as nm prints them.  */
struct symbols object_symbols_from_text(const char *path);

/* Returns the function that contains ADDRESS, or NULL.  A function of unknown size extends to the next one.  */
const struct symbol *object_symbol_around(const struct symbols *symbols, uint64_t address);

/* Returns the function that starts at ADDRESS, or NULL.  */
const struct symbol *object_symbol_at(const struct symbols *symbols, uint64_t address);

#endif
