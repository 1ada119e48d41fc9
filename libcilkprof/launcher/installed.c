/* Files that are installed in the same tree as this program.
   SPDX-License-Identifier: MIT  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "libcilkprof/launcher/launcher.h"

/* Returns the path of the file NAME, such as bin/cilkprof-report, in the tree in whose folder bin this program is.  The
   caller frees it.  Where /proc cannot be read, the path by which this program was started tells the folder.  */
char *installed_file(const char *name) {
  char *self = realpath("/proc/self/exe", NULL), *path = NULL;
  const char *started = (const char *)getauxval(AT_EXECFN); /* what the kernel was told to start */
  if (self == NULL && started != NULL)
    self = realpath(started, NULL);
  char *slash = self;
  for (int i = 0; i < 2 && slash != NULL; i++) /* strip the name of the program, then bin */
    if ((slash = strrchr(self, '/')) != NULL)
      *slash = 0;
  if (asprintf(&path, "%s/%s", slash != NULL ? self : "", name) < 0)
    fail_without_memory();
  free(self);
  return path;
}
