/* The functions of an object by their addresses, through BFD.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PACKAGE "cilkprof" /* bfd.h wants it */
#include <bfd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/support.h"
#include "cilkprof-report/symbols.h"

/* BFD would print what it dislikes in a file; a symbol that it cannot read is shown as an address.  */
static void ignore_message(const char *format, va_list arguments) {
  (void)format;
  (void)arguments;
}

bfd *symbols_open(const char *path) {
  bfd_init();
  bfd_set_error_handler(ignore_message);
  bfd *file = bfd_openr(path, NULL);
  if (file != NULL && !bfd_check_format(file, bfd_object)) {
    bfd_close(file);
    file = NULL;
  }
  return file;
}

/* Clones of a function (.constprop.0, .isra.0, .part.0, .cold) are the function.  */
static const char *without_clone_suffix(const char *name) {
  const char *dot = name[0] != 0 ? strchr(name + 1, '.') : NULL;
  return dot != NULL ? format_string("%.*s", (int)(dot - name), name) : format_string("%s", name);
}

static void add_symbols(struct symbols *symbols, size_t *room, asymbol **table, long count) {
  const char *file = NULL;
  for (long i = 0; i < count; i++) {
    const asymbol *from = table[i];
    if (from->flags & BSF_FILE)
      file = format_string("%s", from->name);
    if (!(from->flags & BSF_FUNCTION) || bfd_is_und_section(from->section))
      continue;
    bool local = (from->flags & BSF_LOCAL) != 0;
    symbols->symbols = grow(symbols->symbols, symbols->count, room, sizeof *symbols->symbols);
    symbols->symbols[symbols->count++] = (struct symbol){
        .address = bfd_asymbol_value(from),
        .name = without_clone_suffix(from->name),
        .file = local ? file : NULL,
        .local = local,
    };
  }
}

/* Where several names share an address, the global one counts: it is the one that callers know.  */
static int compare_symbols(const void *left, const void *right) {
  const struct symbol *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  if (a->local != b->local)
    return a->local ? 1 : -1;
  return strcmp(a->name, b->name);
}

struct symbols symbols_read(const char *path) {
  struct symbols symbols = {NULL, 0};
  size_t room = 0;
  bfd *file = symbols_open(path);
  if (file == NULL)
    return symbols;
  long size = bfd_get_symtab_upper_bound(file);
  if (size > 0) {
    asymbol **table = allocate(1, (size_t)size);
    add_symbols(&symbols, &room, table, bfd_canonicalize_symtab(file, table));
    free(table);
  }
  size = bfd_get_dynamic_symtab_upper_bound(file);
  if (size > 0) {
    asymbol **table = allocate(1, (size_t)size);
    add_symbols(&symbols, &room, table, bfd_canonicalize_dynamic_symtab(file, table));
    free(table);
  }
  bfd_close(file);
  if (symbols.count > 0)
    qsort(symbols.symbols, symbols.count, sizeof *symbols.symbols, compare_symbols);
  return symbols;
}

const struct symbol *symbol_at(const struct symbols *symbols, uint64_t address) {
  size_t low = 0, high = symbols->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (symbols->symbols[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < symbols->count && symbols->symbols[low].address == address;
  return found ? &symbols->symbols[low] : NULL;
}
