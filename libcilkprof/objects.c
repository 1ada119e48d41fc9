/* The executable and the shared libraries that hold sites or callees, in the order in which they are asked for.
   SPDX-License-Identifier: MIT  */

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/engine.h"

enum { MOST = 256, PATH_ROOM = 4096 };

static struct {
  uint32_t count;
  struct cilkprof_object objects[MOST];
  uint64_t load_addresses[MOST];
  char program[PATH_ROOM];
} table;

static int holds(const struct dl_phdr_info *info, uint64_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
      return 1;
  }
  return 0;
}

static void find_build_id(const struct dl_phdr_info *info, struct cilkprof_object *object) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE)
      continue;
    const char *at = (const char *)info->dlpi_addr + segment->p_vaddr, *end = at + segment->p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr) *note = (const void *)at;
      const char *name = at + sizeof *note, *content = name + ((note->n_namesz + 3) & ~3U);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
        object->build_id = (const uint8_t *)content;
        object->build_id_size = note->n_descsz;
        return;
      }
      at = content + ((note->n_descsz + 3) & ~3U);
    }
  }
}

static const char *path_of(const struct dl_phdr_info *info) {
  if (info->dlpi_name && *info->dlpi_name)
    return info->dlpi_name;
  ssize_t length = readlink("/proc/self/exe", table.program, PATH_ROOM - 1);
  if (length < 0)
    return program_invocation_name;
  table.program[length] = 0;
  return table.program;
}

static int add_if_it_holds(struct dl_phdr_info *info, size_t size, void *address) {
  (void)size;
  if (!holds(info, (uint64_t)address))
    return 0;
  struct cilkprof_object *object = &table.objects[table.count];
  object->path = path_of(info);
  find_build_id(info, object);
  table.load_addresses[table.count++] = info->dlpi_addr;
  return 1;
}

struct search {
  uint64_t address, load_address;
  int found;
};

static int find_load_address(struct dl_phdr_info *info, size_t size, void *closure) {
  struct search *search = closure;
  (void)size;
  if (!holds(info, search->address))
    return 0;
  search->load_address = info->dlpi_addr;
  return search->found = 1;
}

uint32_t __cilkprof_object_of(const void *address) {
  struct search search = {.address = (uint64_t)address};
  dl_iterate_phdr(find_load_address, &search);
  for (uint32_t i = 0; search.found && i < table.count; i++)
    if (table.load_addresses[i] == search.load_address)
      return i;
  uint32_t index = table.count;
  if (!search.found || index == MOST || !dl_iterate_phdr(add_if_it_holds, (void *)(uintptr_t)address))
    return CILKPROF_NO_OBJECT;
  return index;
}

uint64_t __cilkprof_address_in_object(const void *address, uint32_t object) {
  return (uint64_t)address - table.load_addresses[object];
}

uint32_t __cilkprof_object_count(void) {
  return table.count;
}

const struct cilkprof_object *__cilkprof_object(uint32_t index) {
  return &table.objects[index];
}

const uint64_t *__cilkprof_load_addresses(void) {
  return table.load_addresses;
}
