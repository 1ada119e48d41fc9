/* The command line, read from /proc: the program may have no main in C, and may change its arguments.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/common/file.h"

enum { MOST = 1 << 12, BYTES = 1 << 16 };

static struct {
  const char *arguments[MOST];
  char bytes[BYTES];
  uint32_t count;
} command;

/* Reads the command line of the process from /proc, before the program can change its arguments.  Where it cannot be
   read, the command line is only the name of the program.  */
void __cilkprof_command_start(void) {
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, command.bytes, BYTES - 1);
  if (file >= 0)
    close(file);
  command.count = 0;
  if (size <= 0) {
    command.arguments[0] = program_invocation_name;
    command.count = 1;
    return;
  }
  for (const char *at = command.bytes; at < command.bytes + size && command.count < MOST; at += strlen(at) + 1)
    command.arguments[command.count++] = at;
}

/* Returns the arguments of the command line as they were when __cilkprof_command_start was called, and stores their
   number in *COUNT.  They stay valid.  */
const char *const *__cilkprof_command(uint32_t *count) {
  *count = command.count;
  return command.arguments;
}
