/* Files and lines of addresses, from the debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later

   Debugging information is a language of its own, and BFD, which understands it, trusts it too much: a damaged file
   can make it crash, loop or fill the memory.  So another process asks BFD, one with limits.  When it ends early, the
   report goes on without it.  */

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "cilkprof-report/debug-info.h"
#include "cilkprof-report/lines.h"
#include "cilkprof-report/support.h"

struct line_table {
  int socket; /* to the process that knows the answers; -1: it has ended */
  const struct object *object;
};

struct line_table *lines_open(const struct object *object) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return NULL;
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    debug_info_serve(object, ends[1]);
  }
  close(ends[1]);
  if (process < 0) {
    close(ends[0]);
    return NULL;
  }
  struct line_table *lines = allocate(1, sizeof *lines);
  lines->socket = ends[0];
  lines->object = object;
  return lines;
}

bool lines_find(struct line_table *lines, uint64_t address, const char **file, uint32_t *line) {
  static struct line_answer answer;
  if (lines->socket < 0)
    return false;
  ssize_t size = -1;
  if (send(lines->socket, &address, sizeof address, MSG_NOSIGNAL) == sizeof address)
    size = recv(lines->socket, &answer, sizeof answer, 0);
  if (size < (ssize_t)offsetof(struct line_answer, file)) {
    note(lines->object->path, "its debugging information cannot be read; functions are shown without their lines");
    close(lines->socket);
    lines->socket = -1;
    return false;
  }
  size_t length = (size_t)size - offsetof(struct line_answer, file);
  if (length == 0)
    return false;
  *file = format_string("%.*s", (int)length, answer.file);
  *line = answer.line;
  return true;
}
