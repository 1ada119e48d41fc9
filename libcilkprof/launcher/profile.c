/* A run for a profile, and whether it was written.
   SPDX-License-Identifier: MIT

   The program writes the profile itself, to a file that depends on its environment.  It tells by the first byte of a
   temporary file whether that worked.  */

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libcilkprof/launcher/launcher.h"
#include "libcilkprof/common/protocol.h"

static char *path;
static bool written; /* also if it cannot be known */

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
  bool can_tell = pwrite(file, &answer, 1, 0) == 1;
  setup.settings[1] = (struct setting){CILKPROF_WRITTEN_TO, path};
  int status = run_launched_program(program, &setup);
  written |= !can_tell || pread(file, &answer, 1, 0) != 1 || answer == CILKPROF_WRITTEN[0];
  return status;
}

/* Returns whether a run of PROGRAM wrote its profile.  A program with raised privileges obeys no environment, and
   cannot tell.  */
bool is_launched_profile_written(const struct program *program) {
  struct stat file;
  return written || (stat(program->path, &file) == 0 && file.st_mode & (S_ISUID | S_ISGID));
}
