/* The symbols and sections of an ELF file.
   SPDX-License-Identifier: MIT  */

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"

/* Calls VISIT for each symbol of the symbol table in SECTION, with its name, whether it is defined, and DATA.  */
static void launcher_visit_symbol_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, symbol_visitor *visit,
                                        void *data) {
  Elf_Data *table = elf_getdata(section, NULL);
  GElf_Sym symbol;
  for (int i = 1; table != NULL && gelf_getsym(table, i, &symbol) != NULL; i++) {
    const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
    if (name != NULL)
      visit(name, symbol.st_shndx != SHN_UNDEF, data);
  }
}

/* Calls VISIT for each symbol of all symbol tables of ELF, with its name, whether it is defined, and DATA.  */
void launcher_visit_symbols(Elf *elf, symbol_visitor *visit, void *data) {
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != NULL && (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB))
      launcher_visit_symbol_table(elf, section, &header, visit, data);
  }
}

/* Calls VISIT with DATA for each section of ELF, with its name, and that it is defined.  */
static void launcher_visit_sections(Elf *elf, symbol_visitor *visit, void *data) {
  size_t names;
  GElf_Shdr header;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
    if (name != NULL)
      visit(name, true, data);
  }
}

/* Calls WALK with VISIT and DATA for the ELF file at PATH.  Returns false if the file cannot be read, or is not an ELF
   file.  */
static bool launcher_visit_file(const char *path, void (*walk)(Elf *, symbol_visitor *, void *), symbol_visitor *visit,
                                void *data) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
  bool readable = elf != NULL && elf_kind(elf) == ELF_K_ELF;
  if (readable)
    walk(elf, visit, data);
  elf_end(elf);
  if (file >= 0)
    close(file);
  return readable;
}

/* Calls VISIT with DATA for each symbol of the ELF file at PATH.  Returns false if the file cannot be read, or is not
   an ELF file.  */
bool launcher_visit_file_symbols(const char *path, symbol_visitor *visit, void *data) {
  return launcher_visit_file(path, launcher_visit_symbols, visit, data);
}

/* Does so for each section.  */
bool launcher_visit_file_sections(const char *path, symbol_visitor *visit, void *data) {
  return launcher_visit_file(path, launcher_visit_sections, visit, data);
}
