/* Descriptions of call sites, which the compiler writes to section "cilkprof_sites" of the object with the site.
   SPDX-License-Identifier: MIT

   The section is not loaded: only the file has it.  A profile refers to a site by the virtual address of its slot
   (libcilkprof/abi/slots.h), which the description of the site begins with.  Descriptions follow one another, each
   aligned to 8 bytes.  Duplicates may occur (templates, cloned functions): they cannot be distinguished, and their
   measurements are added.  */

#ifndef CILKPROF_FMT_DESCRIPTION_H
#define CILKPROF_FMT_DESCRIPTION_H

#include <stdint.h>

#define CILKPROF_DESCRIPTION_SECTION "cilkprof_sites"
#define CILKPROF_SLOT_SECTION        "cilkprof_slots"
#define CILKPROF_DESCRIPTION_MAGIC   0xC11DU

enum cilkprof_site_kind {
  CILKPROF_SITE_CALL = 0,
  CILKPROF_SITE_SPAWN = 1,
  CILKPROF_SITE_LOOP = 2,    /* a cilk_for: the callee is the loop itself, which has no name */
  CILKPROF_SITE_OUTSIDE = 3, /* code without instrumentation called the callee: the caller has no name */
  /* A loop of the caller that ran long, and calls nothing that is a site.  The callee is the function whose code the
     loop is, if that was inlined into the caller; else it has no name.  */
  CILKPROF_SITE_SERIAL_LOOP = 4,
  /* No site: the source file is the folder in which the compiler ran, to which files of other descriptions may be
     relative.  Neither caller nor callee has a name.  */
  CILKPROF_COMPILER_FOLDER = 5,
  /* No site: a loop of the caller, or of what was inlined into it, from LINE to line COLUMN.  */
  CILKPROF_LOOP_LINES = 6,
};

/* Flags of a description.  */
enum {
  CILKPROF_SITE_INDIRECT = 1,     /* the callee is known only at run time */
  CILKPROF_SITE_FORKS = 1,        /* OUTSIDE: of the unit's functions, only those that fork or join have events;
                                     LOOP_LINES: something in the loop is parallel */
  CILKPROF_SITE_CALLER_LOCAL = 2, /* the caller is a static function of UNIT */
  CILKPROF_SITE_CALLEE_LOCAL = 4, /* the callee is a static function of UNIT */
  CILKPROF_SITE_FOREIGN = 8,      /* the compiler did not see the callee's code, which may have no instrumentation */
  CILKPROF_SITE_BARE = 16,        /* OUTSIDE: the callee also exists without instrumentation, for cilkprof-run */
  CILKPROF_SITE_TASK = 32,        /* an OpenMP task that is a single call */
  CILKPROF_SITE_AT_CALL = 64, /* the site is in an inlined function of a library; the place is where that is called */
  CILKPROF_SITE_ATOMIC = 128, /* the loop's function, or the callee, updates memory atomically, as far as is known */
};

/* Four strings follow, each with a zero byte at its end: the source file of the site, the assembler symbols of the
   caller and of the callee (empty where there is none), and the unit, which is the compiler's main source file (empty
   unless one of them is static).  A fifth string may follow: the demangled C++ name of the callee with its parameters.
   Functions of the C++ library have it only in code that is compiled for what-if questions.  With AT_CALL a sixth one
   follows it, except for a serial loop, whose callee it is: the symbol of the library's function.  A seventh one is the
   line of the innermost loop without parallel parts around a call or serial loop, in decimal, with its file and a colon
   before it if that is not the site's.  An eighth one is the name of the clock that the caller reads before and after,
   to time what is called.  A string that others follow may be empty.  */
struct cilkprof_description {
  uint64_t site; /* the virtual address of its slot; 0: it is no site */
  uint16_t magic;
  uint8_t kind;
  uint8_t flags;
  uint32_t size; /* of the description with its strings, rounded up to a multiple of 8 */
  uint32_t line, column;
};

/* What a call site of a watched program is.  The site has no description: DESCRIPTION is the return address of the call
   of the runtime, and CALLEE one of these.  */
enum cilkprof_construct {
  CILKPROF_CONSTRUCT_PROGRAM = 0, /* no call: the whole program */
  CILKPROF_CONSTRUCT_PARALLEL = 1,
  CILKPROF_CONSTRUCT_LOOP = 2,
  CILKPROF_CONSTRUCT_SECTIONS = 3,
  CILKPROF_CONSTRUCT_SINGLE = 4,
  CILKPROF_CONSTRUCT_WORKSHARE = 5,
  CILKPROF_CONSTRUCT_DISTRIBUTE = 6,
  CILKPROF_CONSTRUCT_TASKLOOP = 7,
  CILKPROF_CONSTRUCT_SCOPE = 8,
  CILKPROF_CONSTRUCT_TASK = 9,
  CILKPROF_CONSTRUCT_CRITICAL = 10, /* what was done while a lock was held that was acquired here */
  CILKPROF_CONSTRUCT_LOCK = 11,
  CILKPROF_CONSTRUCT_ORDERED = 12,
  CILKPROF_CONSTRUCT_FORK = 13, /* a task of the program's own, by <cilkprof.h>; above these 8 bits its name's hash */
  CILKPROF_CONSTRUCTS
};

/* Returns the construct that CALLEE, of the site of a watched program, is.  */
static inline enum cilkprof_construct cilkprof_construct_of(uint64_t callee) {
  return (enum cilkprof_construct)(callee & 255);
}

/* Returns what the CALLEE of a site is whose tasks have NAME, or none if that is NULL or empty.  The name is the label
   of a region in the profile, too.  */
enum { CILKPROF_LONGEST_TASK_NAME = 63 };
static inline uint64_t cilkprof_task_kind(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (!name || !*name)
    return CILKPROF_CONSTRUCT_FORK;
  for (int i = 0; name[i] && i < CILKPROF_LONGEST_TASK_NAME; i++)
    hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
  return hash << 8 | CILKPROF_CONSTRUCT_FORK;
}

/* The section with notes of the compiler on what a profile leaves out: strings, each with a zero byte at its end, such
   as "p2p.c:12: the span ignores synchronization through flush".  It is not loaded.  */
#define CILKPROF_NOTES_SECTION ".cilkprof_notes"

#endif
