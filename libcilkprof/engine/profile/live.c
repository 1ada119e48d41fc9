/* The live file: the site records in a shared mapping of a file beside the profile.
   SPDX-License-Identifier: MIT

   A process can end in ways that leave no time to write anything: kill -9, a crash, the end of the stack.  So the pages
   that hold the site records are those of a file from the start.  What is counted is in the file at once, at no cost to
   the code that counts, and survives the process.  The file begins like a profile; its last record (fmt/live.h) says
   what the pages after it mean.  When the profile itself has been written, the file is removed.

   Nothing of the program lies on these pages.  A forked process gets pages of its own: the file stays its parent's.
   The file is opened anew whenever it grows, so that no descriptor is in the program's way.  */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmt/live.h"
#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/profile/live.h"
#include "libcilkprof/engine/profile/output.h"
#include "libcilkprof/engine/span/counted_sums.h"
#include "libcilkprof/common/file.h"
#include "libcilkprof/engine/profile/slots.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"

/* pthread_atfork itself is in a part of the C library that is linked before this one.  */
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *owner);
extern HIDDEN void *__dso_handle;

enum { HEADER = 1 << 17, GRAIN = 1 << 16, MOST = 512 };

static struct {
  int on, failed;
  char path[PATH_MAX];
  uint64_t end; /* of the file */
  uint32_t count;
  struct cilkprof_live_chunk chunks[MOST]; /* OFFSET 0: not in the file */
  void *copies[MOST];                      /* while the process forks */
  site_t **first_site;                     /* in the file */
} live;

/* Returns VALUE, a size or an address, rounded up to a multiple of TO.  */
static uint64_t round_up_live_size(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

/* Adds SIZE bytes, rounded up, to the end of the live file, with room for them on the disk: pages without it would end
   the program.  Returns their offset, or 0 if there is no room or the file was empty.  */
static uint64_t extend_live_file(int file, uint64_t size) {
  uint64_t offset = live.end;
  if (posix_fallocate(file, (off_t)offset, (off_t)round_up_live_size(size, GRAIN)) != 0)
    return 0;
  live.end += round_up_live_size(size, GRAIN);
  return offset;
}

/* Writes SIZE bytes at FROM to FILE, the live file, at OFFSET.  Returns 0, or -1 if not all could be written.  */
static int copy_to_live_file(int file, const char *from, uint64_t size, uint64_t offset) {
  while (size > 0) {
    ssize_t written = pwrite(file, from, size, (off_t)offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return -1;
    from += written;
    offset += (uint64_t)written;
    size -= (uint64_t)written;
  }
  return 0;
}

/* Makes the pages of CHUNK, which hold site records, those of FILE, the live file, with what they contain.  If that is
   not possible, they stay as they are.  */
static void map_live_chunk(int file, struct cilkprof_live_chunk *chunk) {
  uint64_t offset = extend_live_file(file, chunk->size);
  void *start = (void *)chunk->address;
  if (offset == 0 || copy_to_live_file(file, start, chunk->size, offset) < 0 ||
      mmap(start, chunk->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) == MAP_FAILED)
    return;
  chunk->offset = offset;
}

/* What the file begins with, in memory.  */
struct header {
  char *bytes;
  size_t filled;
};

/* Appends SIZE BYTES to the header of the live file in memory, CLOSURE, for a writer.  Returns 0, or -1 if the header
   is full.  */
static int put_in_live_header(void *closure, const void *bytes, size_t size) {
  struct header *header = closure;
  if (size > HEADER - header->filled)
    return -1;
  memcpy(header->bytes + header->filled, bytes, size);
  header->filled += size;
  return 0;
}

/* Writes the record that says what the pages of the live file after its header mean: the layout of site records, and
   where chunks and objects are in memory.  */
static void write_live_record(struct cilkprof_writer *writer) {
  struct cilkprof_live_range ranges[MOST] = {{0, 0}};
  uint32_t objects = __cilkprof_profile_object_count();
  struct cilkprof_live_payload payload = {
      .first_site = HEADER,
      .record_size = sizeof(site_t),
      .next = offsetof(site_t, next),
      .description = offsetof(site_t, description),
      .callee = offsetof(site_t, callee),
      .flags = offsetof(site_t, flags),
      .count = offsetof(site_t, count),
      .local_work = offsetof(site_t, local_work),
      .local_off_span = offsetof(site_t, local_off_span),
      .local_off_burdened_span = offsetof(site_t, local_off_burdened_span),
      .top_call_site = offsetof(site_t, top_call_site),
      .top_caller = offsetof(site_t, top_caller),
      .spawn = __CILKPROF_SITE_SPAWN,
      .leaf = __CILKPROF_SITE_LEAF,
      .chunk_count = live.count,
      .range_count = objects,
  };
  for (uint32_t i = 0; i < objects && i < MOST; i++)
    __cilkprof_profile_object_range(i, &ranges[i].low, &ranges[i].high);
  cilkprof_write_live(writer, &payload, live.chunks, ranges);
}

/* Writes the header of FILE, the live file.  Returns 0, or -1 if it cannot.  A process that is killed meanwhile leaves
   a file that is damaged at its beginning; this happens only at the start and when libraries are loaded.  */
static int write_live_header(int file) {
  struct header header = {__cilkprof_reserve(HEADER), 0};
  struct cilkprof_writer writer = {.put = put_in_live_header, .closure = &header};
  if (!header.bytes)
    return -1;
  for (uint32_t i = 0; i < live.count; i++) /* their objects are listed */
    __cilkprof_profile_object_address((const void *)live.chunks[i].address);
  __cilkprof_profile_write_preamble(&writer, ENGINE.flags | CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  write_live_record(&writer);
  int failed = writer.failed || copy_to_live_file(file, header.bytes, HEADER, 0) < 0;
  munmap(header.bytes, HEADER);
  return failed ? -1 : 0;
}

/* Maps all chunks of site records that are not in FILE, the live file, yet, and writes its header anew.  Returns 0, or
   -1 if it cannot: then the file still has the header that it had.  */
static int map_live_chunks(int file) {
  for (uint32_t i = 0; i < live.count; i++)
    if (live.chunks[i].offset == 0)
      map_live_chunk(file, &live.chunks[i]);
  return write_live_header(file);
}

/* Brings the live file up to date after chunks of site records were added or removed.  */
static void grow_live_file(void) {
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  int file = __cilkprof_file_live_open(live.path);
  if (file >= 0) {
    map_live_chunks(file);
    close(file);
  }
  __cilkprof_restore_signals(&saved);
}

/* Notes the whole pages between START and END as a chunk of site records for the live file.  Returns 0, or -1 if there
   are none or there are too many chunks.  */
static int add_live_chunk(uint64_t start, uint64_t end) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  start = round_up_live_size(start, page);
  end = end / page * page;
  if (start >= end || live.count == MOST)
    return -1;
  live.chunks[live.count++] = (struct cilkprof_live_chunk){start, end - start, 0};
  return 0;
}

extern EXPORT void __cilkprof_records_add(char *start, char *end);
/* Adds the records from START to END, those of an instrumented object that is loaded, to the live file.  Every such
   object calls this (records.c).  */
void __cilkprof_records_add(char *start, char *end) {
  int error = errno;
#ifdef __CILKPROF_PARALLEL
  ENGINE.records = start;
  ENGINE.records_end = end;
#endif
  if (add_live_chunk((uint64_t)start, (uint64_t)end) == 0 && live.on)
    grow_live_file();
  errno = error;
}

/* Returns SIZE bytes of zeroed memory for site records, in the live file if there is one; NULL if there is no
   memory.  */
void *__cilkprof_live_pool(size_t size) {
  char *pool = __cilkprof_reserve(size);
  if (pool && live.on && add_live_chunk((uint64_t)pool, (uint64_t)pool + size) == 0)
    grow_live_file();
  return pool;
}

/* Records SITE in the live file, if there is one, as the first one of the list of sites.  */
void __cilkprof_live_first(site_t *site) {
  if (live.first_site)
    *live.first_site = site;
}

/* Makes the pages of CHUNK the process's own and no longer those of the live file, with what they contain or with COPY,
   an earlier copy of that, which is used up.  Returns 0, or -1 if there is no memory.  */
static int make_live_chunk_private(struct cilkprof_live_chunk *chunk, void *copy) {
  if (chunk->offset == 0)
    return 0;
  if (!copy) {
    copy = __cilkprof_reserve(chunk->size);
    if (!copy)
      return -1;
    memcpy(copy, (const void *)chunk->address, chunk->size);
  }
  void *at = (void *)chunk->address;
  return mremap(copy, chunk->size, chunk->size, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED ? -1 : 0;
}

/* Forgets the live file and its chunks in a process to which the file does not belong.  */
static void forget_live_file(void) {
  live.on = 0;
  live.first_site = NULL;
  live.count = 0;
}

/* Detaches all memory from the live file, in a copy of the process that must not change it.  Returns 0, or -1 if there
   is no memory for that.  */
int __cilkprof_live_detach(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++)
    if (make_live_chunk_private(&live.chunks[i], NULL) < 0)
      return -1;
  forget_live_file();
  return 0;
}

/* Copies the chunks of the live file before a fork, as pages of the child's own.  */
static void copy_live_chunks_before_fork(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++)
    if (live.chunks[i].offset && (live.copies[i] = __cilkprof_reserve(live.chunks[i].size)))
      memcpy(live.copies[i], (const void *)live.chunks[i].address, live.chunks[i].size);
}

/* Frees the copies of the live file's chunks in the parent, after a fork.  */
static void free_live_copies_in_parent(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++)
    if (live.copies[i]) {
      munmap(live.copies[i], live.chunks[i].size);
      live.copies[i] = NULL;
    }
}

/* Leaves the live file to the parent, in a forked child, which gets pages of its own.  Without memory for them the
   child must not count: it would count in its parent's file.  */
static void leave_live_file_in_child(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++) {
    if (make_live_chunk_private(&live.chunks[i], live.copies[i]) < 0)
      ENGINE.finished = 1, stop_thread_recording();
    live.copies[i] = NULL;
  }
  forget_live_file();
  ENGINE.process = getpid();
}

/* Makes forked processes leave the live file to their parent, from now on.  */
void __cilkprof_forks_start(void) {
  __register_atfork(copy_live_chunks_before_fork, free_live_copies_in_parent, leave_live_file_in_child, &__dso_handle);
}

/* Detaches the site records of a library that is unloaded, from BEGIN to END in memory, from the live file.  */
void __cilkprof_live_unload(uint64_t begin, uint64_t end) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < live.count; i++) {
    if (live.chunks[i].address < begin || live.chunks[i].address >= end)
      live.chunks[kept++] = live.chunks[i];
    else
      make_live_chunk_private(&live.chunks[i], NULL);
  }
  live.count = kept;
  if (live.on)
    grow_live_file();
}

/* Makes the live file beside the profile, in place of one that an earlier process with this number left, and maps the
   site records to it.  Without room for it on the disk there is none.  */
void __cilkprof_live_start(void) {
  if (__cilkprof_file_live_name(live.path, PATH_MAX, ENGINE.pid, ENGINE.pid) < 0)
    return;
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  live.end = 0;
  if (live.first_site)
    munmap(live.first_site, GRAIN);
  live.first_site = NULL;
  for (uint32_t i = 0; i < live.count; i++)
    live.chunks[i].offset = 0;
  int file = __cilkprof_file_live_create(live.path);
  if (file >= 0) {
    if (extend_live_file(file, HEADER) == 0 && live.end == HEADER) {
      uint64_t state = extend_live_file(file, GRAIN);
      void *first = state ? mmap(NULL, GRAIN, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)state) : MAP_FAILED;
      live.first_site = first == MAP_FAILED ? NULL : first;
    }
    live.on = live.first_site != NULL;
    if (live.on) {
      *live.first_site = ENGINE.first_site;
      live.failed = map_live_chunks(file) < 0;
    } else
      unlink(live.path);
    close(file);
  }
  __cilkprof_restore_signals(&saved);
}

/* Removes the live file if WRITTEN: the profile itself has been written.  */
void __cilkprof_live_end(int written) {
  if (live.on && written)
    unlink(live.path);
}

/* Returns the path of the live file, or NULL if there is none or it has no header.  */
const char *__cilkprof_live_path(void) {
  return live.on && !live.failed ? live.path : NULL;
}
