/* Checks that bytes are refused by the reader of profiles, or read.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_REFUSED_H
#define CILKPROF_TEST_REFUSED_H

#include "test/fmt/profile-bytes.h"
#include "test/fmt/tap.h"

/* Reads BYTES and frees them.  Checks that they are refused with a message that has WANTED in it or, if WANTED is NULL,
   that they are read.  WHAT names the test.  */
static inline void test_fmt_check_read(struct tap *tap, struct bytes bytes, const char *wanted, const char *what) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error = {0, "it was read"};
  int result = cilkprof_read(bytes.data, bytes.size, &profile, &error);
  int passed = wanted == NULL ? result == 0 : result == -1 && strstr(error.message, wanted) != NULL;
  if (!tap_check(tap, passed, "%s", what))
    printf("# offset %zu: %s\n", error.offset, error.message);
  if (result == 0)
    cilkprof_profile_free(&profile);
  free(bytes.data);
}

/* Writes the profile S and reads it, as test_fmt_check_read does.  */
static inline void test_fmt_check_sample(struct tap *tap, const struct sample *s, const char *wanted,
                                         const char *what) {
  test_fmt_check_read(tap, test_fmt_write_sample(s), wanted, what);
}

#endif
