/* Loops that cannot be are refused.
   SPDX-License-Identifier: MIT  */

#include "test/fmt/profile-bytes.h"
#include "test/fmt/tap.h"

/* Reads S, and checks that it is refused with a message that has WANTED in it; NULL: that it is read, with so many
   LOOPS.  */
static void test_fmt_loops(struct tap *tap, const struct sample *s, const char *wanted, size_t loops,
                           const char *what) {
  struct bytes bytes = test_fmt_write_sample(s);
  struct cilkprof_profile profile;
  struct cilkprof_read_error error = {0, ""};
  int result = cilkprof_read(bytes.data, bytes.size, &profile, &error);
  if (!tap_check(tap, wanted == NULL ? result == 0 : result != 0 && strstr(error.message, wanted) != NULL, "%s", what))
    printf("# %d: %s\n", result, error.message);
  if (result == 0) {
    tap_check(tap, profile.loop_count == loops, "%s: %zu loops", what, loops);
    cilkprof_profile_free(&profile);
  }
  free(bytes.data);
}

/* Reads the sample with a right loop, without one, and with each kind of wrong one.  Returns the exit status.  */
int main(void) {
  static const char contradiction[] = "values of a loop are inconsistent";
  struct tap tap = {0, 0};
  struct sample s = test_fmt_sample_profile();
  test_fmt_loops(&tap, &s, NULL, 1, "the sample");
  s.loop.executions = 0; /* it is not written */
  test_fmt_loops(&tap, &s, NULL, 0, "a profile without loops");
  s = test_fmt_sample_profile();
  s.loop.site = 2;
  test_fmt_loops(&tap, &s, "a loop refers to an unlisted call site", 0, "a loop at an unknown site");
  s = test_fmt_sample_profile();
  s.loop.pieces = s.loop.executions - 1;
  test_fmt_loops(&tap, &s, contradiction, 0, "fewer pieces than executions");
  s = test_fmt_sample_profile();
  s.loop.single = s.loop.executions + 1;
  test_fmt_loops(&tap, &s, contradiction, 0, "more executions with single iterations than executions");
  s = test_fmt_sample_profile();
  s.loop.longest[6] = s.loop.work + 1;
  test_fmt_loops(&tap, &s, contradiction, 0, "a share that is longer than all");
  s = test_fmt_sample_profile();
  s.loop.more[0] = s.loop.longest[0] + 1;
  test_fmt_loops(&tap, &s, contradiction, 0, "more on the span than the longest shares");
  s.program.flags |= CILKPROF_INCOMPLETE;
  test_fmt_loops(&tap, &s, NULL, 1, "the same in a run that is not complete");
  return tap_end(&tap);
}
