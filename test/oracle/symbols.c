/* What an executable says of itself: the names of its functions, and the section of site descriptions.
   SPDX-License-Identifier: MIT  */

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmt/description.h"
#include "test/oracle/measure.h"

struct executable {
  struct executable *next;
  char *path;
  const char *bytes;
  const Elf64_Shdr *sections;
  size_t section_count;
};

static struct executable *executables;

/* Returns the ELF header of EXECUTABLE.  */
static const Elf64_Ehdr *oracle_header(const struct executable *executable) {
  return (const Elf64_Ehdr *)executable->bytes;
}

/* Returns the executable PATH, which is mapped the first time and stays so.  Fails if it cannot be read.  */
const struct executable *oracle_executable_open(const char *path) {
  for (const struct executable *known = executables; known; known = known->next)
    if (!strcmp(known->path, path))
      return known;
  struct executable *new = oracle_allocate(sizeof *new);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) < 0)
    oracle_fail("%s: cannot be opened", path);
  void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    oracle_fail("%s: not an executable", path);
  *new = (struct executable){.next = executables, .path = strdup(path), .bytes = bytes};
  new->sections = (const Elf64_Shdr *)(new->bytes + oracle_header(new)->e_shoff);
  new->section_count = oracle_header(new)->e_shnum;
  return executables = new;
}

/* Returns the address at which the first byte of the file of EXECUTABLE is linked.  */
uint64_t oracle_executable_base(const struct executable *executable) {
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(executable->bytes + oracle_header(executable)->e_phoff);
  for (size_t i = 0; i < oracle_header(executable)->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0)
      return segments[i].p_vaddr;
  return 0;
}

/* Returns the name of the function at ADDRESS in EXECUTABLE, or NULL if there is none.  Functions that the compiler
   found to be identical share an address; of their names the alphabetically first is returned.  */
const char *oracle_executable_function(const struct executable *executable, uint64_t address) {
  const char *found = NULL;
  for (size_t s = 0; s < executable->section_count; s++) {
    const Elf64_Shdr *section = &executable->sections[s];
    if (section->sh_type != SHT_SYMTAB)
      continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(executable->bytes + section->sh_offset);
    const char *names = executable->bytes + executable->sections[section->sh_link].sh_offset;
    for (size_t i = 0; i < section->sh_size / sizeof *symbols; i++) {
      const char *name = names + symbols[i].st_name;
      if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_value == address &&
          (!found || strcmp(name, found) < 0))
        found = name;
    }
  }
  return found;
}

/* Returns the description of the site at address SITE of EXECUTABLE.  Fails if there is none.  */
const void *oracle_executable_description(const struct executable *executable, uint64_t site) {
  const char *names = executable->bytes + executable->sections[oracle_header(executable)->e_shstrndx].sh_offset;
  for (size_t s = 0; s < executable->section_count; s++) {
    const Elf64_Shdr *section = &executable->sections[s];
    const struct cilkprof_description *each = (const void *)(executable->bytes + section->sh_offset);
    const char *end = (const char *)each + section->sh_size;
    if (strcmp(names + section->sh_name, CILKPROF_DESCRIPTION_SECTION) != 0)
      continue;
    for (; (const char *)each < end; each = (const void *)((const char *)each + each->size))
      if (each->site == site)
        return each;
  }
  oracle_fail("%s: no site is described for 0x%lx", executable->path, (unsigned long)site);
}
