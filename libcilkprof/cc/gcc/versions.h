/* Which versions of GCC these plugins are for.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC promises nothing to plugins: what a version renames does not compile, and what it gives another meaning compiles
   and profiles wrongly.  So only versions with which the tests were run are in the list, and others are refused.  */

#ifndef CILKPROF_CC_GCC_VERSIONS_H
#define CILKPROF_CC_GCC_VERSIONS_H

/* The build reads this line as well.  */
#define TESTED_GCC_VERSIONS 11, 12, 13, 14, 15, 16

#define GCC_BEFORE(major) (BUILDING_GCC_VERSION < (major)*1000)

/* Returns true if the tests were run with this MAJOR version of GCC.  */
constexpr bool tested_gcc_version_p(int major) {
  for (int tested : {TESTED_GCC_VERSIONS})
    if (tested == major)
      return true;
  return false;
}

static_assert(tested_gcc_version_p(BUILDING_GCC_VERSION / 1000),
              "these plugins were never tested with this version of GCC: see libcilkprof/cc/gcc/README.md");

#endif
