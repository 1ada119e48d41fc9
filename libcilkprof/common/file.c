/* Writing a profile: to a temporary file that replaces the old profile when it is complete.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libcilkprof/common/file.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/common/system.h"

enum { BUFFER = 1 << 14 };

static struct {
  char pattern[PATH_MAX]; /* the absolute name of the file with its % directives */
  char name[PATH_MAX], temporary[PATH_MAX];
  int file;
  size_t filled;
  char buffer[BUFFER];
  char note[PATH_MAX]; /* the file that tells cilkprof-run whether the profile of process NOTED was written */
  int noted;           /* 0: nowhere */
} output;

/* Remembers the file in which cilkprof-run expects a note whether the profile of this process was written, if it
   expects one.  */
static void start_profile_note(void) {
  const char *path = __cilkprof_process_setting(CILKPROF_WRITTEN_TO);
  if (!path || strlen(path) >= sizeof output.note)
    return;
  strcpy(output.note, path);
  output.noted = getpid();
}

/* Tells cilkprof-run whether the profile of process PID was written, if it wants to know.  Keeps errno.  */
static void note_profile_written(int pid, int written) {
  int error = errno, file = pid == output.noted ? open(output.note, O_WRONLY | O_CLOEXEC) : -1;
  ssize_t size = file < 0 ? 0 : write(file, written ? CILKPROF_WRITTEN : CILKPROF_NOT_WRITTEN, 1);
  (void)size; /* cilkprof-run then takes the profile as not written */
  if (file >= 0)
    close(file);
  errno = error;
}

/* Reads the name of the profile from CILKPROF_OUT, with "cilkprof.out" as the default, and makes it absolute, because
   the program may change its directory.  Also reads what cilkprof-run expects from this process.  A name that is too
   long becomes empty, and nothing can be written.  */
void __cilkprof_file_start(void) {
  start_profile_note();
  const char *pattern = secure_getenv("CILKPROF_OUT");
  if (!pattern || !*pattern)
    pattern = "cilkprof.out";
  size_t length = 0;
  if (*pattern != '/' && getcwd(output.pattern, PATH_MAX - 1)) {
    for (char *c = output.pattern; *c; c++)
      if (*c == '%') { /* a % in the directory's name is doubled, to stand for itself */
        memmove(c + 1, c, strlen(c) + 1 < (size_t)(output.pattern + PATH_MAX - 1 - c) ? strlen(c) + 1 : 0);
        c++;
      }
    length = strlen(output.pattern);
    output.pattern[length++] = '/';
  }
  if (length + strlen(pattern) < PATH_MAX)
    strcpy(output.pattern + length, pattern);
  else
    output.pattern[0] = 0;
}

/* Appends TEXT to the name of the profile, which is *LENGTH long.  Returns 0, or -1 if the name becomes too long.  */
static int append_to_file_name(size_t *length, const char *text) {
  size_t more = strlen(text);
  if (*length + more >= PATH_MAX)
    return -1;
  memcpy(output.name + *length, text, more + 1);
  *length += more;
  return 0;
}

/* Sets the name of the profile of PROCESS, and that of the temporary file: expands %p to the PID, %h to the host name
   and %% to a percent sign.  A forked process, one that is not FIRST, gets its PID appended unless the pattern has %p.
   Returns 0, or -1 with errno set if the pattern is empty or the name is too long.  */
static int expand_profile_file_name(int process, int first) {
  char pid[32];
  struct utsname host;
  snprintf(pid, sizeof pid, "%d", process);
  if (uname(&host) < 0)
    strcpy(host.nodename, "localhost");
  size_t length = 0;
  int names_process = 0, failed = !output.pattern[0];
  output.name[0] = 0;
  for (const char *c = output.pattern; *c && !failed; c++) {
    char plain[2] = {*c, 0};
    const char *text = plain;
    if (c[0] == '%' && c[1] == 'p')
      text = pid, names_process = 1, c++;
    else if (c[0] == '%' && c[1] == 'h')
      text = host.nodename, c++;
    else if (c[0] == '%' && c[1] == '%')
      c++;
    failed = append_to_file_name(&length, text) < 0;
  }
  if (!failed && process != first && !names_process)
    failed = append_to_file_name(&length, ".") < 0 || append_to_file_name(&length, pid) < 0;
  int size = snprintf(output.temporary, PATH_MAX, "%s.%s.tmp", output.name, pid);
  errno = ENAMETOOLONG;
  return failed || size >= PATH_MAX ? -1 : 0;
}

/* Writes the buffer to the file of the profile.  Returns 0, or -1 with errno set.  */
static int flush_profile_file(void) {
  for (size_t done = 0; done < output.filled;) {
    ssize_t size = write(output.file, output.buffer + done, output.filled - done);
    if (size < 0 && errno == EINTR)
      continue;
    if (size <= 0)
      return -1;
    done += (size_t)size;
  }
  output.filled = 0;
  return 0;
}

/* Writes SIZE bytes to the file of the profile, through the buffer.  Is the PUT of the writer (fmt/profile.h); CLOSURE
   is not used.  Returns 0, or -1 if writing failed.  */
static int put_into_profile_file(void *closure, const void *bytes, size_t size) {
  (void)closure;
  for (const char *from = bytes; size;) {
    if (output.filled == BUFFER && flush_profile_file() < 0)
      return -1;
    size_t part = BUFFER - output.filled < size ? BUFFER - output.filled : size;
    memcpy(output.buffer + output.filled, from, part);
    output.filled += part;
    from += part;
    size -= part;
  }
  return 0;
}

/* Returns whether the profile replaces the file of its name as a whole.  A device or a pipe is written to directly.  */
static int is_profile_file_replaced(void) {
  struct stat status;
  return stat(output.name, &status) < 0 || S_ISREG(status.st_mode);
}

/* Returns the name of the profile of process PID; NULL if it has none, or if it is a device or a pipe.  FIRST is the
   process that started.  */
static const char *replaced_profile_file_name(int pid, int first) {
  return expand_profile_file_name(pid, first) == 0 && is_profile_file_replaced() ? output.name : NULL;
}

/* Puts the name of the live file of process PID, beside its profile, into PATH, which has SIZE bytes.  FIRST is the
   process that started.  Returns 0, or -1 if it has no live file: its name is too long, or the profile is written to a
   device or a pipe.  */
int __cilkprof_file_live_name(char *path, size_t size, int pid, int first) {
  const char *name = replaced_profile_file_name(pid, first);
  return name && snprintf(path, size, "%s.%d.live", name, pid) < (int)size ? 0 : -1;
}

/* Writes the profile, whose records CONTENTS writes, to a temporary file that replaces the old profile when it is
   complete.  Returns 0, or -1 with errno set; then the old profile is unchanged.  */
static int write_profile_file(void (*contents)(struct cilkprof_writer *writer)) {
  struct cilkprof_writer writer = {.put = put_into_profile_file};
  const char *name = is_profile_file_replaced() ? output.temporary : output.name;
  output.file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output.file < 0)
    return -1;
  output.filled = 0;
  contents(&writer);
  int failed = cilkprof_write_end(&writer) < 0 || flush_profile_file() < 0;
  int error = errno;
  if (close(output.file) < 0 && !failed)
    failed = 1, error = errno;
  if (name == output.name) {
    errno = error;
    return failed ? -1 : 0;
  }
  if (!failed && rename(name, output.name) == 0)
    return 0;
  error = failed ? error : errno;
  unlink(name);
  errno = error;
  return -1;
}

/* Writes the profile of process PID, whose records, except for the last, CONTENTS writes.  A process other than FIRST,
   the one that started, gets a file of its own.  Returns 0, or -1 with errno set.  */
int __cilkprof_file_write(int pid, int first, void (*contents)(struct cilkprof_writer *writer)) {
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  int failed = expand_profile_file_name(pid, first) < 0 || write_profile_file(contents) < 0;
  note_profile_written(pid, !failed);
  __cilkprof_restore_signals(&saved);
  return failed ? -1 : 0;
}

/* Prints a message about the profile's file that was named last: WRONG, or the text of errno if that is NULL, and
   ADVICE, which may be NULL.  */
void __cilkprof_file_say(const char *wrong, const char *advice) {
  __cilkprof_say(output.name[0] ? output.name : "CILKPROF_OUT", wrong ? wrong : strerror(errno), advice);
}
