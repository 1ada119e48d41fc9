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

static bool receive(struct line_table *lines, struct line_frame *frame) {
  static struct line_answer answer;
  const size_t fixed = offsetof(struct line_answer, text);
  ssize_t size = recv(lines->socket, &answer, sizeof answer, 0);
  size_t before = (size_t)answer.file_length + answer.defined_length;
  if (size < (ssize_t)fixed || before > (size_t)size - fixed)
    return false;
  size_t name_length = (size_t)size - fixed - before;
  if (answer.file_length > 0)
    frame->at = (struct line_place){keep_file(lines, answer.text, answer.file_length), answer.line};
  if (answer.defined_length > 0)
    frame->defined =
        (struct line_place){keep_file(lines, answer.text + answer.file_length, answer.defined_length), answer.defined};
  if (name_length > 0)
    frame->name = format_string("%.*s", (int)name_length, answer.text + before);
  frame->is_static = answer.is_static;
  frame->inlined = answer.inlined;
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

/* What is asked of a process, and of a second one if need be.  */
struct questions {
  const uint64_t *addresses;
  size_t count;
  unsigned depth;
  struct line_frame *found;
};

static bool send_question(struct line_table *lines, const struct questions *questions, size_t i) {
  struct line_question question = {questions->addresses[i], questions->depth};
  return send(lines->socket, &question, sizeof question, MSG_NOSIGNAL) == sizeof question;
}

static bool ask(struct line_table *lines, const struct questions *questions) {
  size_t count = questions->count;
  bool right = true;
  lines->waits = false;
  for (size_t first = 0; right && first < count; first += AT_ONCE) {
    size_t end = count - first < AT_ONCE ? count : first + AT_ONCE;
    for (size_t i = first; right && i < end; i++)
      right = send_question(lines, questions, i);
    for (size_t i = first; right && i < end; i++)
      right = receive(lines, &questions->found[i]);
  }
  return lines->waits = right;
}

/* A second process does not find more where the first was still at work when its time was over.  */
static bool ask_again(struct line_table *lines, const struct questions *questions) {
  int status = end_process(lines);
  if (lines->is_second || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
    return false;
  lines->is_second = true;
  if (!start_process(lines))
    return false;
  if (ask(lines, questions))
    return true;
  end_process(lines);
  return false;
}

void lines_find_frames(struct line_table *lines, const uint64_t *addresses, size_t count, unsigned depth,
                       struct line_frame *found) {
  enum { LITTLE = 1 << 20 };
  struct questions questions = {addresses, count, depth, found};
  if (lines->socket < 0 || ask(lines, &questions) || ask_again(lines, &questions))
    return;
  free(allocate(LITTLE, 1)); /* or it is for want of memory */
  note(lines->object->path, "its debugging information cannot be read; functions are shown without their lines");
}

void lines_find(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found) {
  struct line_frame *frames = allocate(count, sizeof *frames);
  lines_find_frames(lines, addresses, count, 0, frames);
  for (size_t i = 0; i < count; i++)
    if (frames[i].at.file != NULL)
      found[i] = frames[i].at;
  free(frames);
}

void lines_close(struct line_table *lines) {
  if (lines != NULL && lines->socket >= 0)
    end_process(lines);
  free(lines);
}
