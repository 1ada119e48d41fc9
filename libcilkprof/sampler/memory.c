/* The sampler's memory: the shared part, the objects and the nodes, one after the other, in a live file if possible,
   so that a killed program leaves its samples.
   SPDX-License-Identifier: MIT

   Address space for everything is reserved at the start and mapped in pieces.  A piece of the file is allocated on
   disk before it is used, so that a full disk is an error here and not a signal later.  */

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fmt/live.h"
#include "libcilkprof/sampler/state.h"
#include "libcilkprof/common/file.h"
#include "libcilkprof/common/system.h"

enum { HEADER = 1 << 16, PIECE = 1 << 18 };

static struct {
  char *start; /* start of the address space, and of the shared part */
  size_t size;
  _Atomic size_t grown;
  atomic_flag growing;
  char path[PATH_MAX + 32]; /* path of the live file; empty if there is none */
} memory;

/* Returns SIZE rounded up to a multiple of TO.  */
static size_t rounded_sampler_size(size_t size, size_t to) {
  return (size + to - 1) / to * to;
}

/* Returns the offset of the objects in the sampler's address space, in bytes: they follow the shared part.  */
static size_t sampled_objects_offset(void) {
  return rounded_sampler_size(sizeof(struct shared), sizeof(struct node));
}

/* Returns the offset of the nodes of call paths in the sampler's address space, in bytes: they follow the objects.  */
static size_t sampled_nodes_offset(void) {
  return rounded_sampler_size(sampled_objects_offset() + MAX_OBJECTS * sizeof(struct object), sizeof(struct node));
}

/* Returns the path of the live file, which holds the samples while the program runs; NULL if there is no such file.  */
const char *__cilkprof_s_live_path(void) {
  return memory.path[0] ? memory.path : NULL;
}

/* Returns whether the live file may grow to END bytes: exceeding the limit would raise SIGXFSZ.  */
static bool is_live_samples_size_allowed(size_t end) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur);
}

/* Allocates SIZE bytes of the live file FILE on disk and maps them at offset FROM of the sampler's address space.
   Returns false if either fails.  */
static bool map_live_samples(int file, size_t from, size_t size) {
  return is_live_samples_size_allowed(HEADER + from + size) &&
         fallocate(file, 0, (off_t)(HEADER + from), (off_t)size) == 0 &&
         mmap(memory.start + from, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
              (off_t)(HEADER + from)) != MAP_FAILED;
}

/* Maps the sampler's memory up to SIZE bytes.  Returns false if there is none.  A piece that cannot be in the live file
   is anonymous memory: it is missing in the live file, but not in the profile.  */
static bool grow_sampler_memory(size_t size) {
  size_t from = atomic_load_explicit(&memory.grown, memory_order_relaxed);
  bool mapped = false;
  if (from >= size)
    return true;
  if (memory.path[0]) {
    int file = __cilkprof_file_live_open(memory.path);
    mapped = file >= 0 && map_live_samples(file, from, size - from);
    if (file >= 0)
      close(file);
  }
  mapped = mapped || mmap(memory.start + from, size - from, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  if (mapped)
    atomic_store_explicit(&memory.grown, size, memory_order_release);
  return mapped;
}

/* Makes sure that there is memory for NODES nodes of call paths.  Returns false if there is none, or if that are too
   many.  Called in the signal handler, too.  */
bool __cilkprof_s_memory_grow(uint64_t nodes) {
  size_t size = sampled_nodes_offset() + nodes * sizeof(struct node);
  if (atomic_load_explicit(&memory.grown, memory_order_acquire) >= size)
    return true;
  if (nodes > MAX_NODES)
    return false;
  while (atomic_flag_test_and_set_explicit(&memory.growing, memory_order_acquire))
    ;
  bool grown = grow_sampler_memory(rounded_sampler_size(size, PIECE));
  atomic_flag_clear_explicit(&memory.growing, memory_order_release);
  return grown;
}

/* Writes SIZE bytes to the live file whose descriptor CLOSURE points to.  Returns 0, or -1 if that fails.  */
static int put_live_samples(void *closure, const void *bytes, size_t size) {
  int file = *(int *)closure;
  return write(file, bytes, size) == (ssize_t)size ? 0 : -1;
}

/* Writes the first records of the live file, which tell a reader where the samples are in it.  Returns false if that
   fails, or if they do not fit in front of the samples.  */
static bool write_live_samples_header(int file) {
  struct cilkprof_writer writer = {.put = put_live_samples, .closure = &file};
  struct cilkprof_live_samples_payload payload = {
      .sampling = HEADER,
      .object_count = HEADER + offsetof(struct shared, object_count),
      .objects = HEADER + sampled_objects_offset(),
      .object_size = sizeof(struct object),
      .id_size = offsetof(struct object, id_size),
      .id = offsetof(struct object, id),
      .path = offsetof(struct object, path),
      .node_count = HEADER + offsetof(struct shared, node_count),
      .nodes = HEADER + sampled_nodes_offset(),
      .node_size = sizeof(struct node),
  };
  cilkprof_write_begin(&writer);
  __cilkprof_s_write_program(&writer, CILKPROF_MODE_SAMPLED, CILKPROF_INCOMPLETE);
  cilkprof_write_live_samples(&writer, &payload);
  return !writer.failed && lseek(file, 0, SEEK_CUR) <= HEADER;
}

/* Creates the live file, in the place of one that an earlier process with the same PID left.  If that fails, there is
   none, and samples are only in memory.  */
static void start_live_samples(void) {
  if (__cilkprof_file_live_name(memory.path, sizeof memory.path, SAMPLER.pid, SAMPLER.first) < 0) {
    memory.path[0] = 0;
    return;
  }
  int file = __cilkprof_file_live_create(memory.path);
  bool made = file >= 0 && write_live_samples_header(file);
  if (file >= 0)
    close(file);
  if (!made)
    __cilkprof_s_memory_end(true);
}

/* Reserves address space for the sampler's memory, creates the live file unless CILKPROF_LIVE is 0, and maps the first
   piece.  Returns false if there is no memory.  */
bool __cilkprof_s_memory_start(void) {
  memory.size = rounded_sampler_size(sampled_nodes_offset() + MAX_NODES * sizeof(struct node), PIECE);
  void *start = mmap(NULL, memory.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return false;
  memory.start = start;
  atomic_store(&memory.grown, 0);
  atomic_flag_clear(&memory.growing);
  if (!SAMPLER.agent->took && __cilkprof_environment_number("CILKPROF_LIVE", 0, 1)) {
    struct cilkprof_signals saved;
    __cilkprof_ignore_signals(&saved);
    start_live_samples();
    __cilkprof_restore_signals(&saved);
  }
  SAMPLER.shared = start;
  SAMPLER.objects = (struct object *)(memory.start + sampled_objects_offset());
  SAMPLER.nodes = (struct node *)(memory.start + sampled_nodes_offset());
  if (__cilkprof_s_memory_grow(1)) {
    SAMPLER.shared->node_count = 1;
    return true;
  }
  __cilkprof_s_memory_end(true);
  munmap(start, memory.size);
  return false;
}

/* Removes the live file if the profile was WRITTEN, and otherwise leaves it as it is.  From here on memory does not
   grow in the file.  */
void __cilkprof_s_memory_end(bool written) {
  if (memory.path[0] && written)
    unlink(memory.path);
  memory.path[0] = 0;
}

/* Unmaps the sampler's memory in a forked child.  The live file belongs to the parent, and is left alone.  */
void __cilkprof_s_memory_forked(void) {
  memory.path[0] = 0;
  munmap(memory.start, memory.size);
}
