/* Executables and shared libraries, read with libelf.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OBJECTS_H
#define CILKPROF_REPORT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include "fmt/description.h"

/* The description of a call site.  The strings belong to the object until object_forget_descriptions is called.  */
struct description {
  enum cilkprof_site_kind kind;
  unsigned flags;
  uint32_t line, column;
  const char *file, *caller, *callee, *unit;
  const char *library; /* symbol of the inlined library function that the site is part of; NULL: none */
  const char *loop;    /* line of the innermost serial loop around a call, or FILE:LINE; NULL: none */
  const char *clock;   /* by which the program itself times the call; NULL: it does not */
  bool reached;        /* a profile has the site */
};

/* Where the description of a site is: by the address that profiles have for the site, and in its section.  */
struct description_place {
  uint64_t site;
  size_t offset;
};

/* A section of descriptions.  They are not unpacked, because a large program has millions.  */
struct description_section {
  uint64_t address;
  char *bytes;
  size_t size;
  struct description_place *places; /* of all descriptions, sorted */
  size_t count, room;
  uint8_t *reached; /* bits for every 8 bytes: a profile has the description that starts there */
};

struct object {
  struct Elf *elf; /* stays open because symbols point into it */
  int descriptor;
  const char *path;
  const uint8_t *build_id;
  size_t build_id_size;
  bool has_symbols, has_lines;
  uint64_t runtime_start, runtime_end; /* code of the parallel runtime; equal: none */
  uint64_t engine_start, engine_end;   /* code of the engine that measures a serial run */
  uint64_t linkage_start, linkage_end; /* linkage code for calls to other objects (PLT); equal: none */
  bool is_emptied;                     /* the file has no code, but debugging information only */
  struct stat status;
  bool swap;         /* the file has the other byte order */
  const char *notes; /* of the compiler on what profiles leave out (fmt/description.h); NULL: there are none */
  size_t notes_size;
  struct description_section *sections;
  size_t section_count, section_room, description_count;
};

/* Returns the time at which the object file with this STATUS was last modified, in nanoseconds since 1970.  */
static inline uint64_t object_modified_ns(const struct stat *status) {
  return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* Opens PATH and reads its build-id and sections.  If PATH is not an ELF file or cannot be opened, returns NULL and
   sets *WRONG to a message of one line.  */
struct object *object_open(const char *path, const char **wrong);

/* Closes the file.  All data that was read stays valid, except names of symbols.  */
void object_close(struct object *object);

/* Reads the descriptions of OBJECT, if it has any.  Returns NULL, or an error message of one line.  */
const char *object_read_descriptions(struct object *object);

/* Reads the description of the site that profiles have as SITE, and marks it as reached.  Returns false if there is
   none.  */
bool object_reach_description(struct object *object, uint64_t site, struct description *description);

/* Position in a walk through all descriptions, initially {0}.  */
struct description_walk {
  size_t section, place;
};
/* Reads the next description, which may be that of a folder.  Returns false if there are no more.  */
bool object_next_description(const struct object *object, struct description_walk *walk,
                             struct description *description);

/* Frees the memory of the descriptions, which is large for large programs.  */
void object_forget_descriptions(struct object *object);

/* Returns a build-id in hexadecimal, or "none".  Allocated.  */
char *format_object_build_id(const uint8_t *bytes, size_t size);

#endif
