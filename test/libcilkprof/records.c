/* Prints the bytes of a profile, record by record, without those of the run: they differ every time.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmt/profile.h"
#include "fmt/layout.h"

static unsigned char bytes[1 << 24];

/* Prints the records of the file that the argument names, one a line in hexadecimal.  Fails if the last one is cut
   off.  */
int main(int argc, char *argv[]) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return EXIT_FAILURE;
  size_t size = fread(bytes, 1, sizeof bytes, file), at = sizeof(struct cilkprof_file_header);
  struct cilkprof_record_header header;
  while (at + sizeof header <= size) {
    memcpy(&header, bytes + at, sizeof header);
    size_t end = at + sizeof header + header.length + cilkprof_padding(header.length);
    if (end > size)
      return EXIT_FAILURE;
    printf("%u:", header.tag);
    for (; header.tag != CILKPROF_RECORD_RUN && at < end; at++)
      printf(" %02x", bytes[at]);
    putchar('\n');
    at = end;
  }
  return at == size ? EXIT_SUCCESS : EXIT_FAILURE;
}
