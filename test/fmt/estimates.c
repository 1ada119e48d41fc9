/* Estimates that cannot be are refused.
   SPDX-License-Identifier: MIT  */

#include "test/fmt/refused.h"

/* Reads the sample with a right estimate, and with each kind of wrong one.  Returns the exit status.  */
int main(void) {
  static const char numbers[] = "differ in the number of invocations";
  struct tap tap = {0, 0};
  struct sample s = test_fmt_sample_profile();
  test_fmt_check_sample(&tap, &s, NULL, "the sample");
  s.estimate.site = 2;
  test_fmt_check_sample(&tap, &s, "an estimate refers to an unlisted call site", "an estimate of an unknown site");
  s = test_fmt_sample_profile();
  s.estimate.followed++;
  test_fmt_check_sample(&tap, &s, numbers, "more calls than the site has");
  s = test_fmt_sample_profile();
  s.estimate.followed--;
  test_fmt_check_sample(&tap, &s, numbers, "fewer calls than the site has");
  s = test_fmt_sample_profile();
  s.estimate.counted = UINT64_MAX;
  s.estimate.followed = s.sites[1].on_work.local.count + 1;
  test_fmt_check_sample(&tap, &s, numbers, "numbers whose sum wraps");
  s.program.flags |= CILKPROF_INCOMPLETE;
  test_fmt_check_sample(&tap, &s, NULL, "the same in a run that is not complete");
  return tap_end(&tap);
}
