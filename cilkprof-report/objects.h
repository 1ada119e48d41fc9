/* Executables and shared libraries, as the report reads them with libelf.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OBJECTS_H
#define CILKPROF_REPORT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include "fmt/description.h"

/* A site's description with its strings; they belong to the object.  */
struct description {
  uint64_t address;
  enum cilkprof_site_kind kind;
  unsigned flags;
  uint32_t line, column;
  const char *file, *caller, *callee, *unit;
  bool reached; /* a profile has measurements of it */
};

struct object {
  struct Elf *elf; /* stays open: strings and build-id lie in it */
  const char *path;
  const uint8_t *build_id;
  size_t build_id_size;
  bool has_symbols;
  struct stat status;
  struct description *descriptions; /* by address */
  size_t description_count;
};

static inline uint64_t object_modified_ns(const struct stat *status) {
  return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* Opens PATH and reads what it says of itself.  Returns NULL and what is wrong in one line when it is not an ELF file.
 */
struct object *object_open(const char *path, const char **wrong);

/* Reads its descriptions.  Returns NULL, or what is wrong in one line.  */
const char *object_read_descriptions(struct object *object);

/* NULL when there is none at ADDRESS.  */
struct description *object_description(const struct object *object, uint64_t address);

/* A build-id in hexadecimal, or "none".  Allocated.  */
char *format_build_id(const uint8_t *bytes, size_t size);

#endif
