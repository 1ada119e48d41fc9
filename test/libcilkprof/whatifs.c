/* Prints the what-ifs of a profile: candidate, factor, count, work and span.
   SPDX-License-Identifier: MIT  */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmt/profile.h"

static unsigned char bytes[1 << 24];

/* Prints the what-ifs of the profile that the argument names, one a line.  Fails if it cannot be read.  */
int main(int argc, char *argv[]) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (!file || cilkprof_read(bytes, fread(bytes, 1, sizeof bytes, file), &profile, &error) < 0)
    return EXIT_FAILURE;
  for (size_t i = 0; i < profile.whatif_count; i++) {
    const struct cilkprof_whatif *whatif = &profile.whatifs[i];
    printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", whatif->candidate, whatif->faster, whatif->count,
           whatif->work, whatif->span);
  }
  cilkprof_profile_free(&profile);
  return EXIT_SUCCESS;
}
