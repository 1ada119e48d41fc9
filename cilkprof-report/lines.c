/* Files and lines of addresses, from the debugging information, through BFD.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define PACKAGE "cilkprof" /* bfd.h wants it */
#include <bfd.h>
#include <stdlib.h>
#include "cilkprof-report/lines.h"
#include "cilkprof-report/support.h"
#include "cilkprof-report/symbols.h"

struct line_table {
  bfd *file;
  asymbol **symbols;
};

struct line_table *lines_open(const char *path) {
  bfd *file = symbols_open(path);
  if (file == NULL)
    return NULL;
  struct line_table *lines = allocate(1, sizeof *lines);
  long size = bfd_get_symtab_upper_bound(file);
  lines->file = file;
  lines->symbols = allocate(1, size > 0 ? (size_t)size : sizeof *lines->symbols);
  if (size > 0)
    bfd_canonicalize_symtab(file, lines->symbols);
  return lines;
}

static asection *section_at(bfd *file, uint64_t address) {
  for (asection *section = file->sections; section != NULL; section = section->next)
    if ((bfd_section_flags(section) & SEC_CODE) && address >= bfd_section_vma(section) &&
        address - bfd_section_vma(section) < bfd_section_size(section))
      return section;
  return NULL;
}

bool lines_find(struct line_table *lines, uint64_t address, const char **file, uint32_t *line) {
  asection *section = section_at(lines->file, address);
  const char *name = NULL, *function = NULL;
  unsigned number = 0;
  if (section == NULL ||
      !bfd_find_nearest_line(lines->file, section, lines->symbols, address - bfd_section_vma(section), &name, &function,
                             &number) ||
      name == NULL)
    return false;
  *file = name;
  *line = number;
  return true;
}
