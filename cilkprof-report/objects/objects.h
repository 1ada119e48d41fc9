/* Executables and shared libraries, as the report reads them with libelf.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OBJECTS_H
#define CILKPROF_REPORT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include "fmt/description.h"

/* A site's description with its strings, which belong to the object until object_forget_descriptions.  */
struct description {
  uint64_t address;
  enum cilkprof_site_kind kind;
  unsigned flags;
  uint32_t line, column;
  const char *file, *caller, *callee, *unit;
  bool reached; /* a profile has measurements of it */
};

/* A section of descriptions.  They are found by their addresses in it and not unpacked: a large program has
   millions.  */
struct description_section {
  uint64_t address;
  char *bytes;
  size_t size;
  uint8_t *starts, *reached; /* a bit for every 8 bytes: a description starts there, and a profile has it */
};

struct object {
  struct Elf *elf; /* stays open: the symbols lie in it */
  int descriptor;
  const char *path;
  const uint8_t *build_id;
  size_t build_id_size;
  bool has_symbols, has_lines;
  uint64_t runtime_start, runtime_end; /* where the code of the parallel runtime is; equal: nowhere */
  uint64_t linkage_start, linkage_end; /* and the code that leads to other objects */
  bool is_emptied;                     /* its code was taken out, as of a file for debuggers */
  struct stat status;
  bool swap; /* it has the other byte order */
  struct description_section *sections;
  size_t section_count, section_room, description_count;
};

static inline uint64_t object_modified_ns(const struct stat *status) {
  return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* Opens PATH and reads what it says of itself.  Returns NULL and what is wrong in one line when it is not an ELF
   file.  */
struct object *object_open(const char *path, const char **wrong);

/* Closes the file.  What was read of it stays, but for the names of symbols.  */
void object_close(struct object *object);

/* Reads its descriptions, if it has any.  Returns NULL, or what is wrong in one line.  */
const char *object_read_descriptions(struct object *object);

/* The description at ADDRESS, which from then on is reached; false when there is none.  */
bool object_reach(struct object *object, uint64_t address, struct description *description);

/* All descriptions in turn.  Starts as {0}.  */
struct description_walk {
  size_t section, offset;
};
bool object_next(const struct object *object, struct description_walk *walk, struct description *description);

/* Frees their memory, of which a large program has much.  */
void object_forget_descriptions(struct object *object);

/* A build-id in hexadecimal, or "none".  Allocated.  */
char *format_build_id(const uint8_t *bytes, size_t size);

#endif
