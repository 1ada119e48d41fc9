/* Function symbols of an object, by address, read with libelf.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/symbols.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Returns the symbol NAME without the suffix of a clone or part (.constprop.0, .isra.0, .part.0, .cold), which is shown
   as the function itself.  Allocated, or NAME.  */
static const char *object_symbol_without_clone_suffix(const char *name) {
  const char *dot = name[0] != 0 ? strchr(name + 1, '.') : NULL;
  return dot != NULL ? format_string("%.*s", (int)(dot - name), name) : name;
}

/* Returns the symbol NAME without the suffix of a clone, but with LTO_SUFFIX and its number, which distinguish static
   functions of the same name.  Allocated, or NAME.  */
static const char *object_symbol_with_lto_suffix_only(const char *name) {
  const char *several = strstr(name, LTO_SUFFIX);
  if (several == NULL)
    return object_symbol_without_clone_suffix(name);
  const char *dot = strchr(several + strlen(LTO_SUFFIX), '.');
  return dot != NULL ? format_string("%.*s", (int)(dot - name), name) : name;
}

/* Returns whether SYMBOL is a function that is defined in its ELF file.  */
static bool is_elf_function_symbol(const GElf_Sym *symbol) {
  unsigned type = GELF_ST_TYPE(symbol->st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF;
}

/* Returns the number of bytes from SYMBOL to the end of its section.  Assembler code may have no sizes: a function then
   extends to the next one or to the end of the section.  */
static uint64_t rest_of_elf_section(Elf *elf, const GElf_Sym *symbol) {
  GElf_Shdr header;
  Elf_Scn *section = symbol->st_shndx < SHN_LORESERVE ? elf_getscn(elf, symbol->st_shndx) : NULL;
  if (section == NULL || gelf_getshdr(section, &header) == NULL || symbol->st_value < header.sh_addr)
    return 0;
  uint64_t before = symbol->st_value - header.sh_addr;
  return before < header.sh_size ? header.sh_size - before : 0;
}

/* Adds the functions in SECTION, a symbol table of ELF whose names are in section number STRINGS, to SYMBOLS.  Names
   are not copied.  */
static void add_elf_symbols(struct symbols *symbols, size_t *room, Elf *elf, Elf_Scn *section, size_t strings) {
  const char *file = NULL;
  errno = 0;
  Elf_Data *data = elf_getdata(section, NULL);
  check_memory_result(data);
  GElf_Sym from;
  for (int i = 0; data != NULL && gelf_getsym(data, i, &from) != NULL; i++) {
    const char *name = elf_strptr(elf, strings, from.st_name);
    if (name == NULL)
      continue;
    if (GELF_ST_TYPE(from.st_info) == STT_FILE)
      file = name;
    if (!is_elf_function_symbol(&from))
      continue;
    bool local = GELF_ST_BIND(from.st_info) == STB_LOCAL;
    symbols->symbols = grow_array(symbols->symbols, symbols->count, room, sizeof *symbols->symbols);
    symbols->symbols[symbols->count++] = (struct symbol){
        .address = from.st_value,
        .size = from.st_size > 0 ? from.st_size : rest_of_elf_section(elf, &from),
        .name = object_symbol_without_clone_suffix(name),
        .whole = name,
        .given = local ? object_symbol_with_lto_suffix_only(name) : NULL,
        .file = local ? file : NULL,
        .local = local,
    };
  }
}

/* Callback of qsort: compares two symbols by address.  A global symbol sorts before local ones at the same address,
   because callers know that one.  */
static int compare_elf_symbols(const void *left, const void *right) {
  const struct symbol *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  if (a->local != b->local)
    return a->local ? 1 : -1;
  return strcmp(a->name, b->name);
}

/* Returns all function symbols of the file ELF, which may be none, sorted by address.  The file must stay open, because
   the names point into it.  */
struct symbols read_elf_symbols(Elf *elf) {
  struct symbols symbols = {NULL, 0};
  size_t room = 0;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != NULL && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
      add_elf_symbols(&symbols, &room, elf, section, header.sh_link);
  }
  if (symbols.count > 0)
    qsort(symbols.symbols, symbols.count, sizeof *symbols.symbols, compare_elf_symbols);
  return symbols;
}

/* Callback of sorted_lower_bound: returns whether a symbol has a lower address than ADDRESS.  */
static bool is_object_symbol_before(const void *item, const void *address) {
  const struct symbol *symbol = item;
  return symbol->address < *(const uint64_t *)address;
}

/* Returns the symbol of the function that starts at ADDRESS, or NULL.  */
const struct symbol *object_symbol_at(const struct symbols *symbols, uint64_t address) {
  size_t i =
      sorted_lower_bound(symbols->symbols, symbols->count, sizeof *symbols->symbols, is_object_symbol_before, &address);
  bool found = i < symbols->count && symbols->symbols[i].address == address;
  return found ? &symbols->symbols[i] : NULL;
}

/* Returns whether SYMBOL is a better name than THAN for the same function.  Libraries have internal and old names
   beside those that users know, such as __libc_free and cfree for free.  */
static bool is_better_object_symbol(const struct symbol *symbol, const struct symbol *than) {
  size_t own = strspn(symbol->name, "_"), other = strspn(than->name, "_");
  return symbol->local == than->local && (own != other ? own < other : strlen(symbol->name) < strlen(than->name));
}

/* Returns the symbol of the function that contains ADDRESS, or NULL.  A function of unknown size, as all symbols from a
   text have, extends to the next one.  Chooses the best name among the symbols with the same address, which are
   adjacent.  */
const struct symbol *object_symbol_around(const struct symbols *symbols, uint64_t address) {
  uint64_t next = address + 1;
  size_t end =
      sorted_lower_bound(symbols->symbols, symbols->count, sizeof *symbols->symbols, is_object_symbol_before, &next);
  if (end == 0 || next == 0)
    return NULL;
  const struct symbol *symbol = object_symbol_at(symbols, symbols->symbols[end - 1].address);
  for (const struct symbol *other = symbol; other < symbols->symbols + end; other++)
    if (is_better_object_symbol(other, symbol))
      symbol = other;
  return symbol->size == 0 || address - symbol->address < symbol->size ? symbol : NULL;
}
