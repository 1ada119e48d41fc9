/* The executable and the shared libraries, listed when a sample first finds them: they may be unloaded before the
   end.
   SPDX-License-Identifier: MIT  */

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libcilkprof/common/object.h"
#include "libcilkprof/sampler/state.h"

static atomic_flag adding = ATOMIC_FLAG_INIT;

/* Prepares the list of objects when sampling starts, and releases its lock.  */
void __cilkprof_s_objects_start(void) {
  __cilkprof_s_loaded_start();
  atomic_flag_clear(&adding); /* another thread may have held it when the process was forked */
}

/* Returns how many objects are listed.  Those with lower indices are complete.  */
static uint32_t sampled_object_count(void) {
  return (uint32_t)__atomic_load_n(&SAMPLER.shared->object_count, __ATOMIC_ACQUIRE);
}

struct segments {
  const ElfW(Phdr) * first;
  unsigned long count;
};

/* Returns the program headers of an object.  Those of the executable come from the auxiliary vector, because the
   mapping of a static executable need not start with the ELF header.  */
static struct segments sampled_object_segments(const struct loaded *found) {
  const ElfW(Ehdr) *header = (const void *)found->low;
  if (!*found->name)
    return (struct segments){(const void *)getauxval(AT_PHDR), getauxval(AT_PHNUM)};
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return (struct segments){NULL, 0};
  return (struct segments){(const void *)((const char *)header + header->e_phoff), header->e_phnum};
}

/* Copies the build ID of the object FOUND, if it has one, into OBJECT.  */
static void find_sampled_build_id(struct object *object, const struct loaded *found) {
  const struct segments segments = sampled_object_segments(found);
  uint32_t size = 0;
  const uint8_t *id = __cilkprof_build_id(segments.first, segments.count, found->load_address, &size);
  object->id_size = size < sizeof object->id ? size : sizeof object->id;
  if (id)
    memcpy(object->id, id, object->id_size);
}

/* Sets the path of OBJECT to NAME, as the dynamic linker knows it; the executable's name is empty there.  Makes the
   path absolute: a library may be loaded by a relative name, and the program may change its directory later.  */
static void find_sampled_object_path(struct object *object, const char *name) {
  size_t length = 0;
  if (!*name) {
    __cilkprof_executable_path(object->path, sizeof object->path);
    return;
  }
  if (*name != '/' && strchr(name, '/') && getcwd(object->path, sizeof object->path - 1)) {
    length = strlen(object->path);
    object->path[length++] = '/';
  }
  strncpy(object->path + length, name, sizeof object->path - 1 - length);
}

/* Returns whether OBJECT of the list is the one found.  Another library may have been at the same address before.  */
static bool is_same_sampled_object(const struct object *object, const struct loaded *found) {
  const char *name = found->name;
  if (object->low != found->low)
    return false;
  if (!*name)
    return true;
  size_t length = strlen(object->path), end = strlen(name);
  return length >= end && strcmp(object->path + length - end, name) == 0;
}

/* Returns the index of the object FOUND among the first COUNT of the list of sampled objects; CILKPROF_NO_OBJECT if it
   is not there.  */
static uint32_t find_sampled_object(const struct loaded *found, uint32_t count) {
  for (uint32_t i = count; i-- > 0;)
    if (is_same_sampled_object(&SAMPLER.objects[i], found))
      return i;
  return CILKPROF_NO_OBJECT;
}

/* Adds the object FOUND to the list, unless another thread has done so, and returns its index; CILKPROF_NO_OBJECT if
   the list is full.  Waits for other threads that add objects.  */
static uint32_t add_sampled_object(const struct loaded *found) {
  while (atomic_flag_test_and_set_explicit(&adding, memory_order_acquire))
    ;
  uint32_t count = sampled_object_count(), index = find_sampled_object(found, count);
  if (index == CILKPROF_NO_OBJECT && count < MAX_OBJECTS) {
    struct object *object = &SAMPLER.objects[count];
    object->low = found->low;
    object->load_address = found->load_address;
    find_sampled_build_id(object, found);
    find_sampled_object_path(object, found->name);
    index = count;
    __atomic_store_n(&SAMPLER.shared->object_count, count + 1, __ATOMIC_RELEASE);
  }
  atomic_flag_clear_explicit(&adding, memory_order_release);
  return index;
}

/* Returns the index of the object that holds PC, listing it at its first sample, and sets *ADDRESS to PC's address in
   its file.  Returns CILKPROF_NO_OBJECT, and sets *ADDRESS to PC, if there is none.  */
uint32_t __cilkprof_s_object_of(uintptr_t pc, uint64_t *address) {
  struct loaded found;
  *address = pc;
  if (!__cilkprof_s_loaded_at(pc, &found))
    return CILKPROF_NO_OBJECT;
  uint32_t index = find_sampled_object(&found, sampled_object_count());
  if (index == CILKPROF_NO_OBJECT)
    index = add_sampled_object(&found);
  if (index != CILKPROF_NO_OBJECT)
    *address = pc - SAMPLER.objects[index].load_address;
  return index;
}

/* Lists the object that holds CODE in the profile, even if it has no samples, so that the report can name it.  */
void __cilkprof_s_name_object(const void *code) {
  uint64_t address;
  if (!code || !atomic_load(&__cilkprof_s_on))
    return;
  if (SELF)
    SELF->busy = true;
  atomic_signal_fence(memory_order_seq_cst);
  __cilkprof_s_object_of((uintptr_t)code, &address);
  atomic_signal_fence(memory_order_seq_cst);
  if (SELF)
    SELF->busy = false;
}
