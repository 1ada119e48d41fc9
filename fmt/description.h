/* What the compiler knows of a call site, in section "cilkprof_sites" of the object that holds it.
   SPDX-License-Identifier: MIT

   The section is read-only and holds no pointer, so that it reads the same in the file and in memory; a profile names a
   description by its virtual address.  Descriptions stand one after another, each aligned to 8 bytes.  Duplicates may
   occur (templates, cloned functions): they are told apart by nothing and their measurements are added.  */

#ifndef CILKPROF_FMT_DESCRIPTION_H
#define CILKPROF_FMT_DESCRIPTION_H

#include <stdint.h>

#define CILKPROF_DESCRIPTION_SECTION "cilkprof_sites"
#define CILKPROF_DESCRIPTION_MAGIC   0xC11CU

enum cilkprof_site_kind {
  CILKPROF_SITE_CALL = 0,
  CILKPROF_SITE_SPAWN = 1,
  CILKPROF_SITE_LOOP = 2,    /* a cilk_for: the callee is the loop itself and has no name */
  CILKPROF_SITE_OUTSIDE = 3, /* the callee was entered by code without instrumentation: the caller has no name */
};

/* Flags of a description.  */
enum {
  CILKPROF_SITE_INDIRECT = 1,     /* the callee is only known at run time */
  CILKPROF_SITE_CALLER_LOCAL = 2, /* the caller is a static function of UNIT */
  CILKPROF_SITE_CALLEE_LOCAL = 4, /* the callee is a static function of UNIT */
  CILKPROF_SITE_FOREIGN = 8,      /* the callee's code was not seen by the compiler: it may have no instrumentation */
  CILKPROF_SITE_BARE = 16,        /* of an entry: the callee also is there without instrumentation, for cilkprof-run */
  CILKPROF_SITE_TASK = 32,        /* a task of OpenMP's that is a call */
};

/* Four strings follow, each ended by a zero byte: the source file of the site, the symbols of the caller and of the
   callee (as the assembler knows them; empty where there is none), and the unit: the compiler's main source file.
   There may be one more: the callee's name as C++ has it, with its parameters.  The library's own have none, but in
   code for what-if questions.  */
struct cilkprof_description {
  uint16_t magic;
  uint8_t kind;
  uint8_t flags;
  uint32_t size; /* of the description with its strings, rounded up to 8 */
  uint32_t line, column;
};

#endif
