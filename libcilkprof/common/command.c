/* The command line, read from /proc: the program may have no main in C, and may change its arguments.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libcilkprof/common/file.h"

enum { MOST = 1 << 12, BYTES = 1 << 16 };

/* The command line.  It is large, so it is not part of every program's data.  */
static struct {
  const char *arguments[MOST];
  char bytes[BYTES];
} * command;
static uint32_t count; /* of its arguments; 0: only the name of the program is known */

/* Reads the command line of the process from /proc, before the program can change its arguments.  Where it cannot be
   read, the command line is only the name of the program.  */
void __cilkprof_command_start(void) {
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (!command)
    command = mmap(NULL, sizeof *command, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (command == MAP_FAILED)
    command = NULL;
  ssize_t size = file < 0 || !command ? -1 : read(file, command->bytes, BYTES - 1);
  if (file >= 0)
    close(file);
  count = 0;
  if (size <= 0)
    return;
  command->bytes[size] = 0;
  for (const char *at = command->bytes; at < command->bytes + size && count < MOST; at += strlen(at) + 1)
    command->arguments[count++] = at;
}

/* Returns the arguments of the command line as they were when __cilkprof_command_start was called, and stores their
   number in *NUMBER.  They stay valid.  */
const char *const *__cilkprof_command(uint32_t *number) {
  static const char *name[1];
  name[0] = program_invocation_name;
  *number = count ? count : 1;
  return count ? command->arguments : name;
}
