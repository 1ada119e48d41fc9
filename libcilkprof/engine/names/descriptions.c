/* Descriptions of sites, while the program runs: they are in the files of its objects only, and are read there when a
   name is asked for, as for roots, what-if questions and callbacks.
   SPDX-License-Identifier: MIT  */

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/names/descriptions.h"

enum { MOST = 256 };

/* The bytes of a file in memory, or those of a part of it.  */
struct part {
  const char *bytes;
  size_t size;
};

struct described_object {
  uint64_t low, high, load_address; /* in memory */
  struct part descriptions;
  uint64_t first_slot; /* in the file */
  uint32_t slots;
  uint32_t *found; /* for each slot, 1 + where its description is; NULL: there are none */
};

static struct described_object *objects; /* room for MOST */
static int count;

/* Returns the part of FILE from OFFSET on, of SIZE bytes; an empty one if the file is shorter.  */
static struct part part_of_described_file(struct part file, uint64_t offset, uint64_t size) {
  if (offset > file.size || size > file.size - offset)
    return (struct part){NULL, 0};
  return (struct part){file.bytes + offset, (size_t)size};
}

/* Returns the header of the section NAME of FILE, an object; NULL if it has none.  */
static const ElfW(Shdr) * find_section_header(struct part file, const char *name) {
  const ElfW(Ehdr) *head = (const void *)file.bytes;
  if (file.size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
    return NULL;
  struct part table = part_of_described_file(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr)));
  const ElfW(Shdr) *sections = (const void *)table.bytes;
  if (!sections || head->e_shstrndx >= head->e_shnum || head->e_shoff % sizeof(uint64_t))
    return NULL;
  const ElfW(Shdr) *strings = &sections[head->e_shstrndx];
  struct part names = part_of_described_file(file, strings->sh_offset, strings->sh_size);
  for (int i = 0; i < head->e_shnum; i++) {
    struct part own = part_of_described_file(names, sections[i].sh_name, strlen(name) + 1);
    if (own.bytes && memcmp(own.bytes, name, own.size) == 0)
      return &sections[i];
  }
  return NULL;
}

/* Maps the file PATH.  Returns its bytes; there are none if it cannot be read.  Keeps errno.  */
static struct part map_described_object_file(const char *path) {
  int error = errno, file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  void *bytes = MAP_FAILED;
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0)
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0)
    close(file);
  errno = error;
  return bytes == MAP_FAILED ? (struct part){NULL, 0} : (struct part){bytes, (size_t)status.st_size};
}

/* Notes where the descriptions of OBJECT are, by the slots of their sites.  What is not valid ends them.  */
static void find_described_slots(struct described_object *object) {
  struct part all = object->descriptions;
  const struct cilkprof_description *each;
  for (size_t at = 0; at + sizeof *each <= all.size; at += each->size) {
    each = (const void *)(all.bytes + at);
    uint64_t slot = (each->site - object->first_slot) / sizeof(uint64_t);
    if (each->magic != CILKPROF_DESCRIPTION_MAGIC || each->size <= sizeof *each || each->size % sizeof(uint64_t) ||
        each->size > all.size - at || all.bytes[at + each->size - 1])
      return;
    if (each->site >= object->first_slot && slot < object->slots)
      object->found[slot] = (uint32_t)at + 1;
  }
}

/* Reads the descriptions of OBJECT from its file at PATH.  */
static void read_described_object(struct described_object *object, const char *path) {
  struct part file = map_described_object_file(path);
  const ElfW(Shdr) *descriptions = find_section_header(file, CILKPROF_DESCRIPTION_SECTION),
                   *slots = find_section_header(file, CILKPROF_SLOT_SECTION);
  if (!descriptions || !slots || descriptions->sh_size > UINT32_MAX || slots->sh_size > UINT32_MAX) {
    __cilkprof_say(path, "the names of its call sites cannot be read", "no root or what-if is found there");
    return;
  }
  object->descriptions = part_of_described_file(file, descriptions->sh_offset, descriptions->sh_size);
  object->first_slot = slots->sh_addr;
  object->slots = (uint32_t)(slots->sh_size / sizeof(uint64_t));
  object->found = __cilkprof_reserve(object->slots * sizeof *object->found);
  if (object->found)
    find_described_slots(object);
}

/* Adds the loaded object INFO to those that are described, if it holds SLOT.  A callback of dl_iterate_phdr: returns
   whether it does.  */
static int add_described_object_holding(struct dl_phdr_info *info, size_t size, void *slot) {
  struct described_object new = {.low = UINT64_MAX, .load_address = info->dlpi_addr};
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD)
      continue;
    new.low = start < new.low ? start : new.low;
    new.high = start + segment->p_memsz > new.high ? start + segment->p_memsz : new.high;
  }
  if ((uint64_t)slot < new.low || (uint64_t)slot >= new.high)
    return 0;
  read_described_object(&new, info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe");
  objects[count++] = new;
  return 1;
}

/* Returns the object that holds SLOT, among those that are described; NULL if it is not among them.  */
static struct described_object *described_object_at(const void *slot) {
  for (int i = 0; i < count; i++)
    if ((uint64_t)slot >= objects[i].low && (uint64_t)slot < objects[i].high)
      return &objects[i];
  return NULL;
}

/* Returns the description of the site with this SLOT, or one that says nothing if there is none.  It stays valid.  */
const struct cilkprof_description *__cilkprof_describe(const void *slot) {
  static const struct {
    struct cilkprof_description head;
    uint64_t strings;
  } nothing = {{.kind = CILKPROF_COMPILER_FOLDER, .size = sizeof nothing}, 0};
  struct described_object *object = described_object_at(slot);
  if (!objects)
    objects = __cilkprof_reserve(MOST * sizeof *objects);
  if (!object && objects && count < MOST && dl_iterate_phdr(add_described_object_holding, (void *)(uintptr_t)slot))
    object = described_object_at(slot);
  if (!object || !object->found)
    return &nothing.head;
  uint64_t index = ((uint64_t)slot - object->load_address - object->first_slot) / sizeof(uint64_t);
  uint32_t found = index < object->slots ? object->found[index] : 0;
  return found ? (const void *)(object->descriptions.bytes + found - 1) : &nothing.head;
}

/* Returns the string with NUMBER, one of SOURCE to NAME, in DESCRIPTION; an empty one if it is missing, as the full
   name may be.  */
const char *__cilkprof_description_string(const struct cilkprof_description *description, int number) {
  const char *string = (const char *)(description + 1), *end = (const char *)description + description->size;
  while (number-- > 0 && string < end)
    string += strlen(string) + 1;
  return string < end ? string : "";
}

/* Forgets the descriptions of a library that is unloaded, which holds the address INSIDE: another may be there then.
   Strings of it may still be in use, so its file stays mapped.  */
void __cilkprof_forget_descriptions(const void *inside) {
  struct described_object *object = described_object_at(inside);
  if (object)
    *object = objects[--count];
}
