/* Programs and libraries as they were built.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "test/report/built.h"

/* Prints WHAT is wrong with WHICH, a file or word, and exits with status 2.  */
void test_report_die(const char *what, const char *which) {
  fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, which);
  exit(2);
}

/* Sets the build-id of BUILT from SECTION, if it has a note with one.  The name of the note must be GNU's: SystemTap
   has notes of the same type.  */
static void test_report_find_build_id(struct built *built, Elf_Scn *section) {
  Elf_Data *data = elf_getdata(section, NULL);
  GElf_Nhdr note;
  size_t name, description;
  for (size_t at = 0, next; (next = gelf_getnote(data, at, &note, &name, &description)) > 0; at = next)
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
        memcmp((const char *)data->d_buf + name, "GNU", sizeof "GNU") == 0) {
      built->object.build_id = (const uint8_t *)data->d_buf + description;
      built->object.build_id_size = note.n_descsz;
    }
}

/* Returns the program or library PATH, opened and with its build ID; it stays open until the process ends.  Exits if it
   is not an ELF file.  */
struct built test_report_built_open(const char *path) {
  struct built built = {.object.path = realpath(path, NULL)};
  GElf_Shdr header;
  elf_version(EV_CURRENT);
  built.elf = elf_begin(open(path, O_RDONLY), ELF_C_READ, NULL);
  if (built.elf == NULL || elf_kind(built.elf) != ELF_K_ELF)
    test_report_die("not an ELF file", path);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(built.elf, section)) != NULL;)
    if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_NOTE)
      test_report_find_build_id(&built, section);
  return built;
}

/* Returns the address of the section NAME of BUILT; 0 if there is none, or if it is not loaded.  */
uint64_t test_report_built_section(const struct built *built, const char *name) {
  GElf_Shdr header;
  size_t names;
  elf_getshdrstrndx(built->elf, &names);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(built->elf, section)) != NULL;)
    if (gelf_getshdr(section, &header) != NULL && strcmp(elf_strptr(built->elf, names, header.sh_name), name) == 0)
      return header.sh_addr;
  return 0;
}

/* Returns the address of the symbol NAME, 0 if there is none.  */
uint64_t test_report_built_symbol(const struct built *built, const char *name) {
  GElf_Shdr header;
  GElf_Sym symbol;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(built->elf, section)) != NULL;) {
    if (gelf_getshdr(section, &header) == NULL || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; gelf_getsym(data, i, &symbol) != NULL; i++)
      if (symbol.st_shndx != SHN_UNDEF && strcmp(elf_strptr(built->elf, header.sh_link, symbol.st_name), name) == 0)
        return symbol.st_value;
  }
  return 0;
}

/* Writes SIZE bytes to the file CLOSURE: the callback of a writer of profiles.  Returns 0, or -1 if that failed.  */
int test_report_put_in_file(void *closure, const void *bytes, size_t size) {
  return fwrite(bytes, 1, size, closure) == size ? 0 : -1;
}
