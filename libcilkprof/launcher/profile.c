/* A run for a profile, and whether it was written.
   SPDX-License-Identifier: MIT

   The program writes the profile itself, to a file that depends on its environment.  It tells by the first byte of a
   temporary file whether that worked.  */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

static char *path;
static bool written; /* also if it cannot be known */
static pid_t last;   /* the process of the last run */

/* Removes the file by which the program tells whether its profile was written, when cilkprof-run exits.  */
static void remove_launched_profile_note(void) {
  unlink(path);
}

/* Runs PROGRAM as SETUP says, once, and notes whether it wrote its profile.  Returns its status, as returned by
   wait.  */
int launch_for_profile(const struct program *program, struct run_setup setup) {
  static int file;
  char answer = CILKPROF_NOT_WRITTEN[0];
  if (path == NULL) {
    file = open_launcher_temporary(&path);
    atexit(remove_launched_profile_note);
  }
  bool can_tell = pwrite(file, &answer, 1, 0) == 1, may_grow = can_tell || errno != EFBIG;
  setup.settings[1] = (struct setting){CILKPROF_WRITTEN_TO, path};
  struct run_result ended = run_launched_program(program, &setup);
  last = ended.process;
  written |= may_grow && (!can_tell || pread(file, &answer, 1, 0) != 1 || answer == CILKPROF_WRITTEN[0]);
  return ended.status;
}

/* Returns whether a run wrote its profile.  */
bool is_launched_profile_written(void) {
  return written;
}

/* Returns the live file that the last run left beside its profile, for the caller to free; NULL if there is none.  */
char *find_launched_live_file(void) {
  const char *variable = getenv("CILKPROF_OUT");
  const char *profile = variable != NULL ? variable : "", *slash = strrchr(profile, '/');
  char *folder = slash != NULL ? strndup(profile, (size_t)(slash - profile) + 1) : strdup("./");
  char suffix[32], *found = NULL;
  snprintf(suffix, sizeof suffix, ".%d.live", (int)last);
  DIR *files = folder != NULL ? opendir(folder) : NULL;
  struct dirent *file;
  while (files != NULL && found == NULL && (file = readdir(files)) != NULL) {
    size_t length = strlen(file->d_name);
    if (length > strlen(suffix) && strcmp(file->d_name + length - strlen(suffix), suffix) == 0 &&
        asprintf(&found, "%s%s", slash != NULL ? folder : "", file->d_name) < 0)
      fail_without_memory();
  }
  if (files != NULL)
    closedir(files);
  free(folder);
  return found;
}
