/* Runs inputs that fuzzing has found, without a fuzzer: replay FILE...
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include "test/fuzz/fuzz.h"

/* Runs every file that the arguments name as an input, and names it first: the last one named is the one that crashed.
   Returns 1 if a file cannot be read.  */
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
      perror(argv[i]);
      return 1;
    }
    size_t size = (size_t)ftell(file);
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    rewind(file);
    if (bytes == NULL || fread(bytes, 1, size, file) != size) {
      perror(argv[i]);
      return 1;
    }
    fclose(file);
    fprintf(stderr, "%s\n", argv[i]);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
  }
  fprintf(stderr, "%d inputs\n", argc - 1);
  return 0;
}
