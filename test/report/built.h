/* Programs and libraries as they were built, for the makers of profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_TEST_BUILT_H
#define CILKPROF_TEST_BUILT_H

#include <libelf.h>
#include "fmt/profile.h"

struct built {
  Elf *elf;
  struct cilkprof_object object;
};

/* One line on standard error, and the end.  */
__attribute__((noreturn)) void test_report_die(const char *what, const char *which);

struct built test_report_built_open(const char *path);
/* Of a section, or of a symbol that is defined; 0: there is none.  */
uint64_t test_report_built_section(const struct built *built, const char *name);
uint64_t test_report_built_symbol(const struct built *built, const char *name);

int test_report_put_in_file(void *closure, const void *bytes, size_t size);

#endif
