/* The live file: the site records in a shared mapping of a file beside the profile.
   SPDX-License-Identifier: MIT

   A process can end in ways that leave no time to write anything: kill -9, a crash, the end of the stack.  So the pages
   that hold the site records are those of a file from the start.  What is counted is in the file at once, at no cost to
   the code that counts, and survives the process.  The file begins like a profile; its last record (fmt/live.h) says
   what the pages behind it mean.  When the profile itself has been written, the file is removed.

   Nothing of the program lies on these pages (records.c).  A forked process gets pages of its own: the file stays its
   parent's.  The file is opened anew whenever it grows, so that no descriptor is in the program's way.  */

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
#include "libcilkprof/common/file.h"
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

static int open_file(int flags) {
  return open(live.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
}

static uint64_t round_up(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

/* Room at the end of the file; 0 when there is none.  Pages without room on the disk would end the program.  */
static uint64_t extend(int file, uint64_t size) {
  uint64_t offset = live.end;
  if (posix_fallocate(file, (off_t)offset, (off_t)round_up(size, GRAIN)) != 0)
    return 0;
  live.end += round_up(size, GRAIN);
  return offset;
}

static int copy_to(int file, const char *from, uint64_t size, uint64_t offset) {
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

/* The pages of a chunk become those of the file.  */
static void map_chunk(int file, struct cilkprof_live_chunk *chunk) {
  uint64_t offset = extend(file, chunk->size);
  void *start = (void *)chunk->address;
  if (offset == 0 || copy_to(file, start, chunk->size, offset) < 0 ||
      mmap(start, chunk->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) == MAP_FAILED)
    return;
  chunk->offset = offset;
}

/* What the file begins with, in memory.  */
struct header {
  char *bytes;
  size_t filled;
};

static int put(void *closure, const void *bytes, size_t size) {
  struct header *header = closure;
  if (size > HEADER - header->filled)
    return -1;
  memcpy(header->bytes + header->filled, bytes, size);
  header->filled += size;
  return 0;
}

static void write_live(struct cilkprof_writer *writer) {
  struct cilkprof_live_range ranges[MOST] = {{0, 0}};
  uint32_t objects = __cilkprof_object_count();
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
    __cilkprof_object_range(i, &ranges[i].low, &ranges[i].high);
  cilkprof_write_live(writer, &payload, live.chunks, ranges);
}

/* A process that is killed while this is written leaves a file that is damaged at its beginning; it happens at the
   start and when libraries are loaded.  */
static int write_header(int file) {
  struct header header = {__cilkprof_reserve(HEADER), 0};
  struct cilkprof_writer writer = {.put = put, .closure = &header};
  if (!header.bytes)
    return -1;
  for (uint32_t i = 0; i < live.count; i++) /* their objects are listed */
    __cilkprof_object_address((const void *)live.chunks[i].address);
  __cilkprof_write_preamble(&writer, ENGINE.flags | CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
  write_live(&writer);
  int failed = writer.failed || copy_to(file, header.bytes, HEADER, 0) < 0;
  munmap(header.bytes, HEADER);
  return failed ? -1 : 0;
}

/* Everything that is not in the file yet.  */
static void map_all(int file) {
  for (uint32_t i = 0; i < live.count; i++)
    if (live.chunks[i].offset == 0)
      map_chunk(file, &live.chunks[i]);
  if (write_header(file) < 0)
    live.failed = 1;
}

static void grow(void) {
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  int file = open_file(0);
  if (file >= 0) {
    map_all(file);
    close(file);
  }
  __cilkprof_restore_signals(&saved);
}

static int add_chunk(uint64_t start, uint64_t end) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  start = round_up(start, page);
  end = end / page * page;
  if (start >= end || live.count == MOST)
    return -1;
  live.chunks[live.count++] = (struct cilkprof_live_chunk){start, end - start, 0};
  return 0;
}

extern EXPORT void __cilkprof_records_add(char *start, char *end);
void __cilkprof_records_add(char *start, char *end) {
  int error = errno;
  if (add_chunk((uint64_t)start, (uint64_t)end) == 0 && live.on)
    grow();
  errno = error;
}

void *__cilkprof_live_pool(size_t size) {
  char *pool = __cilkprof_reserve(size);
  if (pool && live.on && add_chunk((uint64_t)pool, (uint64_t)pool + size) == 0)
    grow();
  return pool;
}

void __cilkprof_live_first(site_t *site) {
  if (live.first_site)
    *live.first_site = site;
}

/* The pages of a chunk become the process's own, with what they hold or with COPY, which held that before.  */
static int make_private(struct cilkprof_live_chunk *chunk, void *copy) {
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

static void forget_file(void) {
  live.on = 0;
  live.first_site = NULL;
  live.count = 0;
}

int __cilkprof_live_detach(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++)
    if (make_private(&live.chunks[i], NULL) < 0)
      return -1;
  forget_file();
  return 0;
}

static void before_fork(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++)
    if (live.chunks[i].offset && (live.copies[i] = __cilkprof_reserve(live.chunks[i].size)))
      memcpy(live.copies[i], (const void *)live.chunks[i].address, live.chunks[i].size);
}

static void in_parent(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++)
    if (live.copies[i]) {
      munmap(live.copies[i], live.chunks[i].size);
      live.copies[i] = NULL;
    }
}

/* Without memory for pages of its own the child must not count: it would count in its parent's file.  */
static void in_child(void) {
  for (uint32_t i = 0; live.on && i < live.count; i++) {
    if (make_private(&live.chunks[i], live.copies[i]) < 0)
      ENGINE.finished = 1, stop_recording();
    live.copies[i] = NULL;
  }
  forget_file();
  ENGINE.process = getpid();
}

void __cilkprof_forks_start(void) {
  __register_atfork(before_fork, in_parent, in_child, &__dso_handle);
}

void __cilkprof_live_unload(uint64_t begin, uint64_t end) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < live.count; i++) {
    if (live.chunks[i].address < begin || live.chunks[i].address >= end)
      live.chunks[kept++] = live.chunks[i];
    else if (make_private(&live.chunks[i], NULL) < 0)
      live.failed = 1;
  }
  live.count = kept;
  if (live.on)
    grow();
}

void __cilkprof_live_start(void) {
  if (__cilkprof_file_live_name(live.path, PATH_MAX, ENGINE.pid, ENGINE.pid) < 0)
    return;
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  unlink(live.path); /* of an earlier process with this number */
  live.end = 0;
  if (live.first_site)
    munmap(live.first_site, GRAIN);
  live.first_site = NULL;
  for (uint32_t i = 0; i < live.count; i++)
    live.chunks[i].offset = 0;
  int file = open_file(O_CREAT | O_EXCL);
  if (file >= 0) {
    if (extend(file, HEADER) == 0 && live.end == HEADER) {
      uint64_t state = extend(file, GRAIN);
      void *first = state ? mmap(NULL, GRAIN, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)state) : MAP_FAILED;
      live.first_site = first == MAP_FAILED ? NULL : first;
    }
    live.on = live.first_site != NULL;
    if (live.on) {
      *live.first_site = ENGINE.first_site;
      map_all(file);
    } else
      unlink(live.path);
    close(file);
  }
  __cilkprof_restore_signals(&saved);
}

void __cilkprof_live_end(int written) {
  if (live.on && written)
    unlink(live.path);
}

const char *__cilkprof_live_path(void) {
  return live.on && !live.failed ? live.path : NULL;
}
