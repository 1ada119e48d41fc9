/* Tells the user why a profile does not exist, from what the program file and other files show.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/model/input.h"
#include "cilkprof-report/support/support.h"
#include "fmt/layout.h"

/* Returns whether the live file PATH belongs to a run of PROGRAM, or may do so because PROGRAM is NULL or the file
   cannot be accessed.  */
static bool is_live_model_input_of(const char *path, const struct object *program) {
  struct cilkprof_profile profile;
  struct cilkprof_read_error error;
  if (program == NULL || access(path, R_OK) != 0)
    return true;
  struct file file = read_whole_file(path, CILKPROF_FILE_MAGIC);
  if (cilkprof_read_in_place(file.bytes, file.size, &profile, &error) != 0)
    return false;
  bool same = is_profiled_object(program, &profile);
  cilkprof_profile_free(&profile);
  return same;
}

/* Fails if there is a live file for the profile PATH, which does not exist: the run was killed, or goes on.  Live files
   of programs other than PROGRAM, which may be NULL, are ignored.  */
static void check_model_input_live_files(const char *path, const struct object *program) {
  glob_t found = {0};
  char *pattern = format_string("%s.*.live", path);
  glob(pattern, 0, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (is_live_model_input_of(found.gl_pathv[i], program))
      fail(path, "No such file or directory; %s was left by a run that was killed or is still going",
           found.gl_pathv[i]);
  globfree(&found);
  free(pattern);
}

/* Returns if the profile PATH exists or is standard input.  Otherwise fails with the likely reason, if PROGRAM, which
   may be NULL, gives one: a live file is left of its run, it was compiled without -fcilkprof, or it was not run.
   Where there is no such program, says how to make a profile.  */
void check_model_input_present(const char *path, const char *program) {
  const char *wrong;
  if (strcmp(path, "-") == 0 || access(path, F_OK) == 0 || errno != ENOENT)
    return;
  struct object *object = program != NULL ? object_open(program, &wrong) : NULL;
  check_model_input_live_files(path, object);
  if (object == NULL)
    fail(path, "No such file or directory; name a profile, or make one: cilkprof ./prog");
  if (object_read_descriptions(object) != NULL)
    return;
  if (object->section_count == 0)
    fail(path, "No such file or directory; %s was compiled without -fcilkprof", program);
  fail(path, "No such file or directory; run %s first, which writes it at its end", program);
}
