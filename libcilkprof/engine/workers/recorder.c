/* Recorders: what a worker needs to record a passage, besides its thread.
   SPDX-License-Identifier: MIT

   The records of an object are those of the first worker.  A recorder has others of the same layout, and
   instrumented code adds the distance to them, which is in the thread, to the address of a record.  It is the same for
   all objects, so a library that is loaded later may find its place taken: then recorders cannot be used any more.
   Records that no passage has reached are the same in all recorders, so these map one file of them, and have pages of
   their own only where they write.  A worker that waits for a child and runs another meanwhile needs a second recorder,
   so every thread has a list of those that it does not use.  */

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/places.h"
#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/engine/span/samples.h"
#include "libcilkprof/engine/span/span.h"
#include "libcilkprof/engine/workers/workers.h"

static __thread struct recorder *unused;

static struct __cilkprof_thread first_worker; /* when it was set up */

/* The objects that are loaded, executable or library, and all recorders.  */
enum { MOST_OBJECTS = RECORD_PLACES };
static struct {
  int taken; /* a lock */
  int full;  /* not all objects have records for all workers, or there is no memory: nothing is deferred any more */
  size_t object_count;
  struct recorded_object {
    char *start, *end; /* the first worker's records */
    site_t *sites, *sites_end;
    uint64_t *flags; /* of functions and sites before any was reached */
    int unloaded;
    struct unreached {
      int file; /* of records that were not reached, in memory; 0: not made yet; -1: there is none */
      dev_t device;
      ino_t number;
    } unreached;
  } objects[MOST_OBJECTS];
  struct recorder *recorders;
  uint64_t recorder_count;
} all;

/* Locks ALL.  It is held for some microseconds, when a recorder is made or a library loaded.  */
static void lock_recorders(void) {
  while (__atomic_exchange_n(&all.taken, 1, __ATOMIC_ACQUIRE))
    sched_yield();
}

/* Unlocks ALL.  */
static void unlock_recorders(void) {
  __atomic_store_n(&all.taken, 0, __ATOMIC_RELEASE);
}

/* Returns whether passages can be recorded: all objects have records for all workers, and there was memory.  */
int __cilkprof_recorders_usable(void) {
  return !__atomic_load_n(&all.full, __ATOMIC_RELAXED);
}

/* Makes everybody call children and run loops from here on, and pass nothing to other workers.  Returns whether
   somebody did so before.  */
static int defer_no_more(void) {
  return __atomic_exchange_n(&all.full, 1, __ATOMIC_RELAXED);
}

/* Returns the size of the record of a function, with which records begin.  */
static size_t function_record_size(void) {
  return (sizeof(function_t) + __CILKPROF_LINE - 1) / __CILKPROF_LINE * __CILKPROF_LINE;
}

/* Makes new recorders measure like this thread, the first worker, which has been set up; or makes none, where it is the
   only one.  */
void __cilkprof_recorders_start(void) {
  first_worker = THREAD;
  if (ENGINE.in_order)
    defer_no_more();
}

/* Returns the flags of the functions and sites of OBJECT, before any is reached; NULL if there is no memory.  */
static uint64_t *first_flags_of_object(const struct recorded_object *object) {
  size_t functions = (size_t)((char *)object->sites - object->start) / function_record_size(),
         sites = (size_t)(object->sites_end - object->sites);
  uint64_t *flags = __cilkprof_reserve((functions + sites) * sizeof *flags + 1);
  for (size_t i = 0; flags && i < functions; i++)
    flags[i] = ((const function_t *)(object->start + i * function_record_size()))->outside.flags;
  for (size_t i = 0; flags && i < sites; i++)
    flags[functions + i] = object->sites[i].flags;
  return flags;
}

/* Makes the site at TO like the site FROM, which had FLAGS before it was reached.  */
static void copy_unreached_site(site_t *to, const site_t *from, uint64_t flags) {
  uint64_t given = __CILKPROF_SITE_SPAWN | __CILKPROF_SITE_FOREIGN | __CILKPROF_SITE_LEAF | __CILKPROF_SITE_SERIAL;
  to->flags = flags & (given | ~(uint64_t)0 << __CILKPROF_SITE_COUNTABLE);
  to->function = from->function;
  to->description = from->description;
  to->target = from->target;
}

/* Fills in the records of OBJECT at PLACE, as they are before any is reached.  The first worker goes on meanwhile, so
   nothing is read of its records that changes.  */
static void fill_unreached_records(const struct recorded_object *object, char *place) {
  const uint64_t *flags = object->flags;
  for (const char *at = object->start; at < (char *)object->sites; at += function_record_size()) {
    const function_t *from = (const function_t *)at;
    function_t *to = (function_t *)(place + (at - object->start));
    to->mode = from->mode;
    to->address = from->address;
    copy_unreached_site(&to->outside, &from->outside, *flags++);
  }
  site_t *to = (site_t *)(place + ((char *)object->sites - object->start));
  for (const site_t *from = object->sites; from < object->sites_end; from++)
    copy_unreached_site(to++, from, *flags++);
}

/* Returns whether the file of UNREACHED records is still open: a program may close all files.  */
static int is_file_of_unreached_open(const struct unreached *unreached) {
  struct stat status;
  return unreached->file > 0 && fstat(unreached->file, &status) == 0 && status.st_dev == unreached->device &&
         status.st_ino == unreached->number;
}

/* Returns a new file in memory with BYTES, of which the first USED are written to; -1 if there is no memory.  Its
   number is none that the program would get.  */
static int new_file_in_memory(size_t bytes, size_t used) {
  enum { HIGH = 512 };
  int low = memfd_create("cilkprof", MFD_CLOEXEC), file = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HIGH);
  if (low >= 0)
    close(low);
  if (file < 0 || (ftruncate(file, (off_t)bytes) == 0 && fallocate(file, 0, 0, (off_t)used) == 0))
    return file;
  close(file);
  return -1;
}

/* Makes the file of the records of OBJECT that were not reached, if they are many.  */
static void make_file_of_unreached(struct recorded_object *object) {
  enum { FEW = 1 << 16 };
  size_t bytes = (size_t)(object->end - object->start);
  int file = bytes > FEW ? new_file_in_memory(bytes, (size_t)((char *)object->sites_end - object->start)) : -1;
  struct stat status = {0};
  char *place = file >= 0 && fstat(file, &status) == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                                                       : MAP_FAILED;
  if (place == MAP_FAILED && file >= 0)
    close(file);
  object->unreached = (struct unreached){place == MAP_FAILED ? -1 : file, status.st_dev, status.st_ino};
  if (place == MAP_FAILED)
    return;
  fill_unreached_records(object, place);
  munmap(place, bytes);
}

/* Maps BYTES of FILE, or of zeroed memory if that is -1, at PLACE, if there is nothing else.  Returns NULL if that
   fails.  */
static char *map_records_of_file(int file, uint64_t place, size_t bytes) {
  if (file < 0)
    return map_records_at(place, bytes);
  void *memory =
      mmap((void *)place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED_NOREPLACE | MAP_NORESERVE, file, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Makes records of OBJECT at DISTANCE from those of the first worker.  MAPPED: there is memory for them.  Returns 0, or
   -1 if there is none, or the place is taken.  */
static int copy_records_of_object(const struct recorded_object *object, uint64_t distance, int mapped) {
  uint64_t place = (uint64_t)object->start + distance;
  size_t bytes = (size_t)(object->end - object->start);
  int shared = !mapped && is_file_of_unreached_open(&object->unreached);
  char *memory = mapped ? (char *)place : map_records_of_file(shared ? object->unreached.file : -1, place, bytes);
  if ((uint64_t)memory != place) {
    if (memory)
      munmap(memory, bytes);
    return -1;
  }
  if (!shared)
    fill_unreached_records(object, memory);
  return 0;
}

/* Returns whether OBJECT, which is loaded after the program, was compiled for another mode, and says so.  */
static int is_object_of_other_mode(const struct recorded_object *object) {
  return all.object_count && object->start < (char *)object->sites && object->sites < object->sites_end &&
         __cilkprof_mode_differs((const function_t *)all.objects->start, (const function_t *)object->start,
                                 object->sites->description);
}

/* Gives all workers records of the object that was loaded last, whose sites are from BEGIN to END.  */
void __cilkprof_recorders_add_object(site_t *begin, site_t *end) {
  lock_recorders();
  struct recorded_object object = {
      .start = ENGINE.records, .end = ENGINE.records_end, .sites = begin, .sites_end = end};
  int failed = all.object_count == MOST_OBJECTS || is_object_of_other_mode(&object) ||
               !(object.flags = first_flags_of_object(&object));
  for (struct recorder *each = all.recorders; each && !failed; each = each->made_before)
    failed = copy_records_of_object(&object, each->state.records, 0) < 0;
  if (failed)
    defer_no_more();
  else
    all.objects[all.object_count++] = object;
  unlock_recorders();
}

/* Notes that the object whose records are from BEGIN to END is unloaded.  Recorders keep theirs of it, which workers
   may still have pointers to.  */
void __cilkprof_recorders_remove_object(uint64_t begin, uint64_t end) {
  lock_recorders();
  for (size_t i = 0; i < all.object_count; i++)
    all.objects[i].unloaded |= (uint64_t)all.objects[i].start >= begin && (uint64_t)all.objects[i].start < end;
  unlock_recorders();
}

/* Returns a distance from the records of the first worker at which there is nothing, or hardly; 0: there is no memory.
   Where the first object is not in its place (ThreadSanitizer leaves none), memory for its records is mapped at once,
   and MAPPED is set: another thread may take a place that is free.  There may be none for libraries then.  */
static uint64_t next_recorder_distance(int *mapped) {
  const struct recorded_object *first = all.objects;
  *mapped = (uint64_t)first->start - RECORDS_FIRST >= RECORDS_PLACE * RECORD_PLACES;
  if (!*mapped)
    return ++all.recorder_count * RECORDS_DISTANCE;
  char *place = map_records_at(0, (size_t)(first->end - first->start));
  return place ? (uint64_t)place - (uint64_t)first->start : 0;
}

/* Makes the files of the records that were not reached, of objects that have none.  This is done before a place is
   sought for the records of a recorder, which others may take meanwhile.  */
static void make_files_of_unreached_records(void) {
  for (size_t i = 0; i < all.object_count; i++)
    if (!all.objects[i].unreached.file && !all.objects[i].unloaded)
      make_file_of_unreached(&all.objects[i]);
}

/* Makes records of all objects for RECORDER, which is added to all.  Returns the distance to them from those of the
   first worker; 0: there is no memory.  */
static uint64_t make_records_of_recorder(struct recorder *recorder) {
  lock_recorders();
  make_files_of_unreached_records();
  int mapped;
  uint64_t distance = next_recorder_distance(&mapped);
  int failed = !__cilkprof_recorders_usable() || !distance;
  for (size_t i = 0; i < all.object_count && !failed; i++)
    failed = !all.objects[i].unloaded && copy_records_of_object(&all.objects[i], distance, mapped && i == 0) < 0;
  if (!failed) {
    recorder->state.records = distance;
    recorder->made_before = all.recorders;
    all.recorders = recorder;
  }
  unlock_recorders();
  return failed ? 0 : distance;
}

/* Makes the state of RECORDER in which a passage begins, which this thread has for now.  Returns 0, or -1 if there is
   no memory.  */
static int begin_recorder_state(struct recorder *recorder) {
  THREAD.profiled = &recorder->profiled;
  if (!(THREAD.records = make_records_of_recorder(recorder)) || __cilkprof_log_start() < 0 ||
      __cilkprof_frames_start() < 0 || (ENGINE.profiled->samples && __cilkprof_samples_start() < 0))
    return -1;
  THREAD.scale = first_worker.scale;
  THREAD.long_strand = first_worker.long_strand;
  THREAD.look_after = first_worker.look_after;
  recorder->profiled.timing_points.random = (uint64_t)recorder; /* not 0 */
  THREAD.foreign.key = 1;
  THREAD.recording = 1;
  recorder->state = THREAD;
  recorder->state.absent = 0;
  return 0;
}

/* Returns a new recorder; NULL if there is no memory.  Then what was deferred before is not recorded, and nothing more
   is deferred: the profile has most of the program, and no more memory is tried for.  */
static struct recorder *new_recorder(void) {
  if (!__cilkprof_recorders_usable())
    return NULL;
  struct recorder *recorder = __cilkprof_reserve(sizeof *recorder);
  struct __cilkprof_thread before = THREAD, absent = {.absent = 1};
  __cilkprof_worker_becomes(&absent);
  int made = recorder && begin_recorder_state(recorder) == 0;
  __cilkprof_worker_becomes(&before);
  __cilkprof_sample_worker();
  if (!made && !defer_no_more())
    __cilkprof_say("out of memory", "the rest runs on one worker, and part of the profile is missing", NULL);
  return made ? recorder : NULL;
}

/* Returns a recorder that this thread does not use; NULL if there is no memory.  */
struct recorder *__cilkprof_recorder_take(void) {
  struct recorder *recorder = unused;
  if (!recorder)
    return new_recorder();
  unused = recorder->next;
  return recorder;
}

/* Gives RECORDER back, whose records have been cleared.  */
void __cilkprof_recorder_give(struct recorder *recorder) {
  recorder->next = unused;
  unused = recorder;
}
