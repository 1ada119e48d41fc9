/* Which loaded object holds an address, for signal handlers.
   SPDX-License-Identifier: MIT

   glibc 2.35 and later tell it without a lock, by _dl_find_object.  That is looked up at run time, because a reference,
   even a weak one, would keep a program that was built there from starting with an older glibc.  There, only
   dl_iterate_phdr tells, which waits for the lock of the dynamic linker, and a handler must not: a thread of ours lists
   the objects every 10 ms.  A static program loads nothing, and they are listed once.  */

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libcilkprof/sampler/state.h"

/* struct dl_find_object, which an older glibc does not declare.  */
struct system_object {
  unsigned long long flags;
  void *start, *end;
  struct link_map *map;
  void *eh_frame;
  unsigned long long reserved[7];
};
#ifdef DLFO_STRUCT_HAS_EH_DBASE
_Static_assert(sizeof(struct system_object) == sizeof(struct dl_find_object), "the C library writes it");
#endif
static int (*find_system_object)(void *, struct system_object *);

/* Not there in a static program.  */
#pragma weak dlsym

/* Looks up what the C library has for this.  A constructor: not when a thread spawns first, as another one may be
   loading a library then, and wait for it.  */
__attribute__((constructor)) static void look_for_system_objects(void) {
  if (dlsym)
    find_system_object = (int (*)(void *, struct system_object *))dlsym(RTLD_DEFAULT, "_dl_find_object");
}

/* A listed object.  It is only added, and later marked as absent, because handlers may look at it at any time.  */
struct listed {
  struct loaded object;
  uintptr_t high;
  bool stays;         /* it was there at the first look, and is taken to stay */
  uint64_t beginning; /* of its list of unwind tables */
  atomic_bool present;
  bool found; /* by this look at the objects */
  char name[4096];
};
enum { MAX_LISTED = 1024 };
static struct listed *listed;
static _Atomic unsigned listed_count;

/* Reads the first word of the unwind tables of OBJECT into *WORD.  They may be unmapped, so the kernel is asked.  */
static bool read_loaded_beginning(const struct loaded *object, uint64_t *word) {
  struct iovec here = {word, sizeof *word}, there = {(void *)(uintptr_t)object->eh_frame, sizeof *word};
  return object->eh_frame && process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof *word;
}

/* Sets ENTRY to the place of the object INFO.  Its name is not set.  */
static void place_loaded_object(const struct dl_phdr_info *info, struct listed *entry) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  *entry = (struct listed){.object = {.low = UINTPTR_MAX, .load_address = info->dlpi_addr}};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_GNU_EH_FRAME)
      entry->object.eh_frame = (const uint8_t *)start;
    if (segment->p_type != PT_LOAD)
      continue;
    if (start / page * page < entry->object.low)
      entry->object.low = start / page * page;
    if (start + segment->p_memsz > entry->high)
      entry->high = start + segment->p_memsz;
  }
}

/* Lists the object INFO, unless it is listed.  A callback of dl_iterate_phdr: returns 1, which ends the look, if no
   object was loaded or unloaded since the last one.  */
static int list_loaded_object(struct dl_phdr_info *info, size_t size, void *is_first) {
  static unsigned long long known;
  (void)size;
  if (*(bool *)is_first && known == info->dlpi_adds + info->dlpi_subs)
    return 1;
  known = info->dlpi_adds + info->dlpi_subs;
  *(bool *)is_first = false;
  struct listed place;
  place_loaded_object(info, &place);
  unsigned count = atomic_load(&listed_count);
  for (unsigned i = 0; i < count; i++)
    if (listed[i].object.low == place.object.low && listed[i].high == place.high &&
        strncmp(listed[i].name, info->dlpi_name, sizeof place.name - 1) == 0) {
      listed[i].found = true;
      return 0;
    }
  if (count < MAX_LISTED) {
    struct listed *entry = &listed[count];
    *entry = place;
    entry->found = true;
    strncpy(entry->name, info->dlpi_name, sizeof entry->name - 1);
    entry->object.name = entry->name;
    if (!read_loaded_beginning(&entry->object, &entry->beginning))
      entry->object.eh_frame = NULL;
    atomic_store(&listed_count, count + 1);
  }
  return 0;
}

/* Lists the objects that are loaded now.  */
static void list_loaded_objects(void) {
  static bool again;
  bool is_first = true;
  for (unsigned i = 0; i < atomic_load(&listed_count); i++)
    listed[i].found = false;
  dl_iterate_phdr(list_loaded_object, &is_first);
  for (unsigned i = 0; !is_first && i < atomic_load(&listed_count); i++)
    atomic_store(&listed[i].present, listed[i].found);
  for (unsigned i = 0; !again && i < atomic_load(&listed_count); i++)
    listed[i].stays = true;
  again = true;
}

/* Lists the objects again and again, in a thread of its own.  Does not return.  */
__attribute__((noreturn)) static void *watch_loaded_objects(void *unused) {
  static const struct timespec interval = {.tv_nsec = 10000000};
  (void)unused;
  for (;;) {
    nanosleep(&interval, NULL);
    list_loaded_objects();
  }
}

/* Starts that thread, which takes no signals of the program, once in each process.  Calls the C library's function, as
   a thread of the program would be sampled.  */
static void start_loaded_watch(void) {
  static pid_t watched;
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  if (!create || watched == getpid() || pthread_attr_init(&attributes) != 0)
    return;
  watched = getpid();
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  create(&thread, &attributes, watch_loaded_objects, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

/* Prepares for __cilkprof_s_loaded_at.  */
void __cilkprof_s_loaded_start(void) {
  look_for_system_objects();
  if (find_system_object)
    return;
  if (!listed) {
    void *memory = mmap(NULL, MAX_LISTED * sizeof *listed, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return;
    listed = memory;
  }
  list_loaded_objects();
  if (dlsym)
    start_loaded_watch();
}

/* Sets FOUND to the loaded object that holds PC.  Returns false if there is none.  */
bool __cilkprof_s_loaded_at(uintptr_t pc, struct loaded *found) {
  struct system_object object;
  if (find_system_object) {
    if (find_system_object((void *)pc, &object) != 0 || !object.map)
      return false;
    *found = (struct loaded){object.map->l_name, (uintptr_t)object.start, object.map->l_addr, object.eh_frame};
    return true;
  }
  for (unsigned i = atomic_load(&listed_count); i-- > 0;) {
    const struct listed *entry = &listed[i];
    uint64_t beginning;
    if (!atomic_load(&entry->present) || pc < entry->object.low || pc >= entry->high)
      continue;
    *found = entry->object;
    if (entry->stays || !found->eh_frame)
      return true;
    /* If another one has its place, that may not be known yet.  */
    return read_loaded_beginning(found, &beginning) && beginning == entry->beginning;
  }
  return false;
}
