/* Build IDs and paths of objects.
   SPDX-License-Identifier: MIT  */

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/common/object.h"

/* Returns the build ID in the ELF notes from AT to END and stores its length in *SIZE; NULL if there is none.  Names
   and contents of notes are padded to multiples of 4 bytes.  */
static const uint8_t *find_build_id_in_notes(const char *at, const char *end, uint32_t *size) {
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    const ElfW(Nhdr) *note = (const void *)at;
    const char *name = at + sizeof *note, *content = name + ((note->n_namesz + 3) & ~3U);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
      *size = note->n_descsz;
      return (const uint8_t *)content;
    }
    at = content + ((note->n_descsz + 3) & ~3U);
  }
  return NULL;
}

/* Returns the build ID in memory of the object with COUNT program HEADERS that is loaded at LOAD_ADDRESS, and stores
   its length in *SIZE; NULL if it has none.  */
const uint8_t *__cilkprof_build_id(const ElfW(Phdr) * headers, size_t count, uintptr_t load_address, uint32_t *size) {
  const uint8_t *id = NULL;
  for (size_t i = 0; i < count && !id; i++)
    if (headers[i].p_type == PT_NOTE) {
      const char *notes = (const char *)load_address + headers[i].p_vaddr;
      id = find_build_id_in_notes(notes, notes + headers[i].p_memsz, size);
    }
  return id;
}

/* Puts the path of the executable into PATH, as far as it fits into SIZE bytes, with a zero byte at its end.  Returns
   its length.  Where /proc cannot be read, it is the name by which the program was called.  */
size_t __cilkprof_executable_path(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length < 0) {
    size_t full = strlen(program_invocation_name);
    length = (ssize_t)(full < size ? full : size - 1);
    memcpy(path, program_invocation_name, (size_t)length);
  }
  path[length] = 0;
  return (size_t)length;
}
