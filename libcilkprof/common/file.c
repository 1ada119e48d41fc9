/* Writing a profile: to a temporary file that replaces the old profile when it is complete.
   SPDX-License-Identifier: MIT

   The folder may be one in which others can create files.  So a file is only ever created, under a name that nobody can
   foresee, and never opened where something is already; what is in the place of the profile is replaced, and not
   followed if it is a link.  Only a device or a pipe that CILKPROF_OUT names is opened as it is, and never waited for
   without end.  */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/common/file.h"
#include "libcilkprof/common/protocol.h"
#include "libcilkprof/common/system.h"

enum {
  BUFFER = 1 << 14,
  PATIENCE_MS = 10000, /* for a reader that takes nothing */
  NAMES = 16,          /* tried for the temporary file */
};

static struct {
  char pattern[PATH_MAX]; /* the absolute name of the file with its % directives */
  int chosen;             /* the name is not the default */
  const char *wrong;      /* why nothing was written; NULL: errno tells */
  uint64_t random[2];     /* for the names of temporary files */
  dev_t live_device;      /* the device and the number of the live file that was created */
  ino_t live_number;
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
  int error = errno, file = pid == output.noted ? open(output.note, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
  ssize_t size = file < 0 ? 0 : write(file, written ? CILKPROF_WRITTEN : CILKPROF_NOT_WRITTEN, 1);
  (void)size; /* cilkprof-run then takes the profile as not written */
  if (file >= 0)
    close(file);
  errno = error;
}

/* Chooses at random what the names of temporary files will be.  It is done at the start, because the program may later
   restrict its system calls.  Without random numbers the time and an address must do.  */
static void start_temporary_names(void) {
  struct timespec now;
  if (syscall(SYS_getrandom, output.random, sizeof output.random, GRND_NONBLOCK) == sizeof output.random)
    return;
  clock_gettime(CLOCK_REALTIME, &now);
  output.random[0] ^= (uint64_t)now.tv_nsec << 32 ^ (uint64_t)(uintptr_t)&now;
  output.random[1] ^= (uint64_t)now.tv_sec << 32 ^ (uint64_t)getpid();
}

/* Returns VALUE with its bits mixed: each bit of the result depends on all of them.  */
static uint64_t mixed_bits(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

/* Returns the next number for the name of a temporary file of PROCESS.  */
static uint64_t next_temporary_number(int process) {
  output.random[0] += 0x9e3779b97f4a7c15 + (uint64_t)process;
  return mixed_bits(output.random[1] ^ mixed_bits(output.random[0])) >> 16;
}

/* Reads the name of the profile, which cilkprof-run or CILKPROF_OUT gives, with "cilkprof.out" as the default, and
   makes it absolute, because the program may change its directory.  Also reads what cilkprof-run expects from this
   process.  A name that is too long becomes empty, and nothing can be written.  */
void __cilkprof_file_start(void) {
  start_profile_note();
  start_temporary_names();
  const char *pattern = __cilkprof_process_setting(CILKPROF_OUT_TO);
  if (!pattern)
    pattern = secure_getenv("CILKPROF_OUT");
  output.chosen = pattern && *pattern;
  if (!output.chosen)
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

/* Sets the name of the profile of PROCESS: expands %p to the PID, %h to the host name and %% to a percent sign.  A
   forked process, one that is not FIRST, gets its PID appended unless the pattern has %p.  Returns 0, or -1 with errno
   set if the pattern is empty or the name is too long.  */
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
  errno = ENAMETOOLONG;
  return failed ? -1 : 0;
}

/* Waits until a device or a pipe takes more of the profile.  Returns 0, or -1 if it has taken nothing for long.  */
static int await_profile_reader(void) {
  struct pollfd reader = {.fd = output.file, .events = POLLOUT};
  int ready = poll(&reader, 1, PATIENCE_MS);
  if (ready > 0 || (ready < 0 && errno == EINTR))
    return 0;
  output.wrong = "its reader has stopped reading";
  return -1;
}

/* Writes the buffer to the file of the profile.  Returns 0, or -1 with errno or output.wrong set.  */
static int flush_profile_file(void) {
  for (size_t done = 0; done < output.filled;) {
    ssize_t size = write(output.file, output.buffer + done, output.filled - done);
    if (size < 0 && (errno == EINTR || (errno == EAGAIN && await_profile_reader() == 0)))
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

/* Returns whether the name of the profile is that of an open file, as /dev/stdout, whose name cannot be given to
   another one.  */
static int names_open_file(void) {
  static const char *const beginnings[] = {"/dev/std", "/dev/fd/", "/proc/"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(output.name, beginnings[i], strlen(beginnings[i])) == 0)
      return 1;
  return 0;
}

/* Returns whether the profile replaces the file of its name as a whole.  A device or a pipe is written to directly.  */
static int is_profile_file_replaced(void) {
  struct stat status;
  return !names_open_file() && (stat(output.name, &status) < 0 || S_ISREG(status.st_mode));
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

/* Creates the live file at PATH, in place of one that an earlier process with this number left.  Returns its
   descriptor, or -1.  */
int __cilkprof_file_live_create(const char *path) {
  struct stat status;
  unlink(path);
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file >= 0 && fstat(file, &status) == 0) {
    output.live_device = status.st_dev;
    output.live_number = status.st_ino;
  }
  return file;
}

/* Opens the live file at PATH again.  Returns its descriptor, or -1, also if another file has taken its place.  */
int __cilkprof_file_live_open(const char *path) {
  struct stat status;
  int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 ||
      (fstat(file, &status) == 0 && status.st_dev == output.live_device && status.st_ino == output.live_number))
    return file;
  close(file);
  return -1;
}

/* Creates the temporary file for the profile of PROCESS, beside it, and returns its descriptor, or -1 with errno
   set.  */
static int create_temporary_profile(int process) {
  int file = -1;
  for (int tries = 0; file < 0 && tries < NAMES; tries++) {
    if (snprintf(output.temporary, PATH_MAX, "%s.%d.%012llx.tmp", output.name, process,
                 (unsigned long long)next_temporary_number(process)) >= PATH_MAX) {
      errno = ENAMETOOLONG;
      return -1;
    }
    file = open(output.temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST)
      return -1;
  }
  return file;
}

/* Opens the device or pipe that CILKPROF_OUT names.  Returns its descriptor, or -1 with errno or output.wrong set.  A
   disk holds other things, and what is not named there was put in the place of a profile by somebody.  */
static int open_profile_device(void) {
  struct stat status;
  int file = -1;
  if (stat(output.name, &status) == 0 && S_ISBLK(status.st_mode))
    output.wrong = "it is a block device";
  else if (!output.chosen)
    output.wrong = "it is not a file; remove it, or name it in CILKPROF_OUT";
  else if ((file = open(output.name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) < 0)
    output.wrong = errno == ENXIO ? "nobody reads it" : NULL;
  else if (fstat(file, &status) < 0 || !(S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode))) {
    output.wrong = "it is another name of an open file; give the name of that";
    close(file);
    file = -1;
  }
  return file;
}

/* Writes what CONTENTS writes to output.file, and closes it.  Returns 0, or -1 with errno or output.wrong set.  */
static int write_profile_contents(void (*contents)(struct cilkprof_writer *writer)) {
  struct cilkprof_writer writer = {.put = put_into_profile_file};
  output.filled = 0;
  contents(&writer);
  int failed = cilkprof_write_end(&writer) < 0 || flush_profile_file() < 0;
  int error = errno;
  if (close(output.file) < 0 && !failed)
    failed = 1, error = errno;
  errno = error;
  return failed ? -1 : 0;
}

/* Writes the profile of PROCESS, whose records CONTENTS writes, to a temporary file that replaces the old profile when
   it is complete.  Returns 0, or -1 with errno or output.wrong set; then the old profile is unchanged.  */
static int write_profile_file(int process, void (*contents)(struct cilkprof_writer *writer)) {
  int replaced = is_profile_file_replaced();
  output.file = replaced ? create_temporary_profile(process) : open_profile_device();
  if (output.file < 0)
    return -1;
  int failed = write_profile_contents(contents) < 0;
  if (!replaced)
    return failed ? -1 : 0;
  if (!failed && rename(output.temporary, output.name) == 0)
    return 0;
  int error = errno;
  unlink(output.temporary);
  errno = error;
  return -1;
}

/* Writes the profile of process PID, whose records, except for the last, CONTENTS writes.  A process other than FIRST,
   the one that started, gets a file of its own.  Returns 0, or -1 with errno set.  */
int __cilkprof_file_write(int pid, int first, void (*contents)(struct cilkprof_writer *writer)) {
  struct cilkprof_signals saved;
  __cilkprof_ignore_signals(&saved);
  output.wrong = NULL;
  int failed = expand_profile_file_name(pid, first) < 0 || write_profile_file(pid, contents) < 0;
  note_profile_written(pid, !failed);
  __cilkprof_restore_signals(&saved);
  return failed ? -1 : 0;
}

/* Prints a message about the profile's file that was named last: WRONG, or why nothing was written if that is NULL, and
   ADVICE, which may be NULL.  */
void __cilkprof_file_say(const char *wrong, const char *advice) {
  if (!wrong)
    wrong = output.wrong ? output.wrong : strerror(errno);
  __cilkprof_say(output.name[0] ? output.name : "CILKPROF_OUT", wrong, advice);
}
