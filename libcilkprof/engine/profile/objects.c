/* The executable, and the shared libraries that hold sites or callees in the order in which they are asked for.
   SPDX-License-Identifier: MIT

   What points into a library that is unloaded becomes its object's index and its address there, in one word that no
   pointer has.  */

#include <link.h>
#include <string.h>
#include <unistd.h>

#include "fmt/live.h"
#include "libcilkprof/common/object.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/memory.h"

enum { MOST = 256, PATH_ROOM = 4096 };

#define ADDRESS_MARK  CILKPROF_LIVE_PLACE_MARK
#define ADDRESS_SHIFT CILKPROF_LIVE_PLACE_SHIFT
#define ADDRESS_BITS  (((uint64_t)1 << ADDRESS_SHIFT) - 1)
_Static_assert(MOST <= 1 << (63 - ADDRESS_SHIFT), "an index fits between the mark and the address");

static struct {
  uint32_t count;
  struct cilkprof_object objects[MOST];
  uint64_t load_addresses[MOST];
  char unloaded[MOST]; /* another object may be at its address now */
  char kept[MOST];     /* what the table says of it is in the engine's memory */
  char program[PATH_ROOM];
  char folder[PATH_ROOM]; /* where it was started, with a slash at its end; empty when that is unknown */
} table;

/* Returns whether ADDRESS is in a segment of the loaded object INFO.  */
static int is_in_profile_object(const struct dl_phdr_info *info, uint64_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
      return 1;
  }
  return 0;
}

/* Returns the path of the loaded object INFO; that of the executable, which has no name there, is asked of the
   system.  */
static const char *profile_object_path(const struct dl_phdr_info *info) {
  if (info->dlpi_name && *info->dlpi_name)
    return info->dlpi_name;
  __cilkprof_executable_path(table.program, PATH_ROOM);
  return table.program;
}

/* Adds the loaded object INFO to the table of objects: its path, build ID and load address.  Returns 1, which ends
   dl_iterate_phdr.  */
static int add_profile_object(struct dl_phdr_info *info, size_t size, void *nothing) {
  (void)size, (void)nothing;
  struct cilkprof_object *object = &table.objects[table.count];
  object->path = profile_object_path(info);
  object->build_id = __cilkprof_build_id(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, &object->build_id_size);
  table.load_addresses[table.count++] = info->dlpi_addr;
  return 1;
}

/* Adds the loaded object INFO to the table of objects if it holds ADDRESS.  A callback of dl_iterate_phdr: returns
   whether it did.  */
static int add_profile_object_holding(struct dl_phdr_info *info, size_t size, void *address) {
  return is_in_profile_object(info, (uint64_t)address) ? add_profile_object(info, size, NULL) : 0;
}

/* Begins the table of the profile's objects with the program, the first one that is loaded, and notes the folder in
   which it was started.  */
void __cilkprof_profile_objects_start(void) {
  if (getcwd(table.folder, PATH_ROOM - 1))
    strcat(table.folder, "/");
  else
    table.folder[0] = 0;
  dl_iterate_phdr(add_profile_object, NULL);
}

struct search {
  uint64_t address, load_address;
  int found;
};

/* Stores in CLOSURE, a search, where the loaded object INFO is loaded, if it holds the address that is searched for.  A
   callback of dl_iterate_phdr: returns whether it does.  */
static int find_profile_object_load_address(struct dl_phdr_info *info, size_t size, void *closure) {
  struct search *search = closure;
  (void)size;
  if (!is_in_profile_object(info, search->address))
    return 0;
  search->load_address = info->dlpi_addr;
  return search->found = 1;
}

/* Returns whether A and B are one file: they have the same path and build ID.  */
static int is_same_profile_object(const struct cilkprof_object *a, const struct cilkprof_object *b) {
  return strcmp(a->path, b->path) == 0 && a->build_id_size == b->build_id_size &&
         (a->build_id_size == 0 || memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

/* Returns the index of the object that was added to the table as LAST.  If it is one that was unloaded and is loaded
   again, that one takes its load address, and LAST is removed.  */
static uint32_t reuse_unloaded_profile_object(uint32_t last) {
  for (uint32_t i = 0; i < last; i++)
    if (table.unloaded[i] && is_same_profile_object(&table.objects[i], &table.objects[last])) {
      table.load_addresses[i] = table.load_addresses[last];
      table.unloaded[i] = 0;
      table.objects[last] = (struct cilkprof_object){0};
      table.count--;
      return i;
    }
  return last;
}

/* Returns the index of the object that holds ADDRESS, which is added to the table if it is new; CILKPROF_NO_OBJECT: it
   is in no object, or the table is full.  */
static uint32_t profile_object_at(const void *address) {
  struct search search = {.address = (uint64_t)address};
  dl_iterate_phdr(find_profile_object_load_address, &search);
  for (uint32_t i = 0; search.found && i < table.count; i++)
    if (table.load_addresses[i] == search.load_address && !table.unloaded[i])
      return i;
  uint32_t index = table.count;
  if (!search.found || index == MOST || !dl_iterate_phdr(add_profile_object_holding, (void *)(uintptr_t)address))
    return CILKPROF_NO_OBJECT;
  return reuse_unloaded_profile_object(index);
}

/* Returns the position of ADDRESS: its object, which is added to the table if it is new, and the address there.
   ADDRESS may also be what __cilkprof_profile_address_after_unloading returned.  */
struct cilkprof_object_address __cilkprof_profile_object_address(const void *address) {
  if ((uint64_t)address & ADDRESS_MARK)
    return (struct cilkprof_object_address){(uint64_t)address >> ADDRESS_SHIFT & (MOST - 1),
                                            (uint64_t)address & ADDRESS_BITS};
  struct cilkprof_object_address at = {profile_object_at(address), 0};
  if (at.object != CILKPROF_NO_OBJECT)
    at.address = (uint64_t)address - table.load_addresses[at.object];
  return at;
}

/* Returns what to keep in the place of ADDRESS when its library is unloaded: its object and the address there, in one
   word that no pointer has.  __cilkprof_profile_object_address returns the same for it as for ADDRESS.  Returns NULL if
   ADDRESS is in no object.  */
const void *__cilkprof_profile_address_after_unloading(const void *address) {
  struct cilkprof_object_address at = __cilkprof_profile_object_address(address);
  if (at.object == CILKPROF_NO_OBJECT || at.address > ADDRESS_BITS)
    return NULL;
  return (const void *)(ADDRESS_MARK | (uint64_t)at.object << ADDRESS_SHIFT | at.address);
}

/* Returns a copy of SIZE BYTES in the engine's memory, or NULL if there is none.  What the table says of an object is
   in the object itself, and goes when that is unloaded.  */
static void *keep_profile_object_bytes(const void *bytes, size_t size) {
  void *kept = __cilkprof_allocate(size);
  return kept ? memcpy(kept, bytes, size) : NULL;
}

/* Records that the object of INDEX is being unloaded, and copies what the table says of it to the engine's memory.  */
void __cilkprof_profile_object_unloaded(uint32_t index) {
  struct cilkprof_object *object = &table.objects[index];
  table.unloaded[index] = 1;
  if (table.kept[index])
    return;
  object->path = keep_profile_object_bytes(object->path, strlen(object->path) + 1);
  object->build_id = keep_profile_object_bytes(object->build_id, object->build_id_size);
  if (!object->path)
    object->path = "";
  if (!object->build_id)
    object->build_id_size = 0;
  table.kept[index] = 1;
}

struct range {
  uint64_t load_address, low, high;
};

/* Stores the bounds in memory of the loaded object INFO in CLOSURE, a range, if that has its load address.  A callback
   of dl_iterate_phdr: returns whether it has.  */
static int find_profile_object_range(struct dl_phdr_info *info, size_t size, void *closure) {
  struct range *range = closure;
  (void)size;
  if (info->dlpi_addr != range->load_address)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uint64_t low = info->dlpi_addr + segment->p_vaddr, high = low + segment->p_memsz;
    if (segment->p_type != PT_LOAD)
      continue;
    range->low = range->high == 0 || low < range->low ? low : range->low;
    range->high = high > range->high ? high : range->high;
  }
  return 1;
}

/* Sets LOW and HIGH to the bounds of the object of INDEX in memory, or to 0 if it has been unloaded.  */
void __cilkprof_profile_object_range(uint32_t index, uint64_t *low, uint64_t *high) {
  struct range range = {.load_address = table.load_addresses[index]};
  if (!table.unloaded[index])
    dl_iterate_phdr(find_profile_object_range, &range);
  *low = range.low;
  *high = range.high;
}

/* Returns the number of objects in the table: the program, and the libraries that hold sites or callees.  */
uint32_t __cilkprof_profile_object_count(void) {
  return table.count;
}

/* Returns the object of INDEX, whose path is valid until the next call.  The path is made absolute: a library may be
   loaded by a relative name, and the program may change its folder later.  */
struct cilkprof_object __cilkprof_profile_object(uint32_t index) {
  static char path[2 * PATH_ROOM];
  struct cilkprof_object object = table.objects[index];
  size_t folder = strlen(table.folder);
  if (*object.path == '/' || folder == 0 || strlen(object.path) >= sizeof path - folder)
    return object;
  strcpy(path, table.folder);
  strcpy(path + folder, object.path + (strncmp(object.path, "./", 2) == 0 ? 2 : 0));
  object.path = path;
  return object;
}

/* Returns the load addresses of all objects, in the order of the table.  */
const uint64_t *__cilkprof_profile_load_addresses(void) {
  return table.load_addresses;
}
