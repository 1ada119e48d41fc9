/* Files and lines of addresses, from the debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later

   Debugging information is a language of its own, and what understands it trusts it too much: a damaged file can make
   it crash, loop or fill the memory.  So another process reads it, one with limits.  When it ends early, a second one
   is asked: the first may have ended for want of memory, which is not the file's fault.  When that ends as well, and
   there is memory, the report goes on without it.  */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cilkprof-report/objects/debug-info.h"
#include "cilkprof-report/objects/find.h"
#include "cilkprof-report/objects/lines.h"
#include "cilkprof-report/support/support.h"

struct line_table {
  pid_t process; /* that knows the answers */
  int socket;    /* to it; -1: it has ended */
  bool waits;    /* for the next question: it answered all others */
  bool is_second;
  const struct object *object;
  const char *last_file;
};

static bool start_process(struct line_table *lines) {
  int ends[2];
  lines->socket = -1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  lines->process = fork();
  if (lines->process == 0) {
    close(ends[0]);
    debug_info_serve(lines->object, ends[1]);
  }
  close(ends[1]);
  if (lines->process < 0) {
    close(ends[0]);
    return false;
  }
  lines->socket = ends[0];
  return true;
}

struct line_table *lines_open(const struct object *object) {
  struct line_table *lines = allocate(1, sizeof *lines);
  lines->object = object;
  if (start_process(lines))
    return lines;
  free(lines);
  return NULL;
}

struct line_table *lines_prepare(const char *path, const char *debug_folders) {
  const char *wrong;
  const struct object *object = object_open(path, &wrong);
  const struct object *debug = object != NULL ? find_debug_info(object, debug_folders) : NULL;
  return object != NULL ? lines_open(debug != NULL ? debug : object) : NULL;
}

/* Most functions are in the file of the one before.  */
static const char *keep_file(struct line_table *lines, const char *file, size_t length) {
  const char *last = lines->last_file;
  if (last == NULL || strncmp(last, file, length) != 0 || last[length] != 0)
    lines->last_file = format_string("%.*s", (int)length, file);
  return lines->last_file;
}

static bool receive(struct line_table *lines, struct line_place *line) {
  static struct line_answer answer;
  ssize_t size = recv(lines->socket, &answer, sizeof answer, 0);
  if (size < (ssize_t)offsetof(struct line_answer, file))
    return false;
  size_t length = (size_t)size - offsetof(struct line_answer, file);
  if (length > 0)
    *line = (struct line_place){keep_file(lines, answer.file, length), answer.line};
  return true;
}

/* One that waits for questions ends by itself; another may never.  To close the socket would not tell it: the processes
   of other objects, which were started later, have this end of it too.  Returns how it ended.  */
static int end_process(struct line_table *lines) {
  int status = 0;
  shutdown(lines->socket, SHUT_RDWR);
  close(lines->socket);
  lines->socket = -1;
  if (!lines->waits)
    kill(lines->process, SIGKILL);
  while (waitpid(lines->process, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

/* So many questions fit into the socket whatever the answers are: neither process waits for the other to read.  */
enum { AT_ONCE = 64 };

static bool ask(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found) {
  bool right = true;
  lines->waits = false;
  for (size_t first = 0; right && first < count; first += AT_ONCE) {
    size_t end = count - first < AT_ONCE ? count : first + AT_ONCE;
    for (size_t i = first; right && i < end; i++)
      right = send(lines->socket, &addresses[i], sizeof *addresses, MSG_NOSIGNAL) == sizeof *addresses;
    for (size_t i = first; right && i < end; i++)
      right = receive(lines, &found[i]);
  }
  return lines->waits = right;
}

/* A second process does not find more where the first was still at work when its time was over.  */
static bool ask_again(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found) {
  int status = end_process(lines);
  if (lines->is_second || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
    return false;
  lines->is_second = true;
  if (!start_process(lines))
    return false;
  if (ask(lines, addresses, count, found))
    return true;
  end_process(lines);
  return false;
}

void lines_find(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found) {
  enum { LITTLE = 1 << 20 };
  if (lines->socket < 0 || ask(lines, addresses, count, found) || ask_again(lines, addresses, count, found))
    return;
  free(allocate(LITTLE, 1)); /* or it is for want of memory */
  note(lines->object->path, "its debugging information cannot be read; functions are shown without their lines");
}

void lines_close(struct line_table *lines) {
  if (lines != NULL && lines->socket >= 0)
    end_process(lines);
  free(lines);
}
