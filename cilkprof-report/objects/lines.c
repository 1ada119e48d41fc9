/* Source locations of addresses, from debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later

   Libraries that read debugging information trust it too much: a damaged file can make them crash, loop or use up the
   memory.  Therefore another process reads it, with limits on its resources.  If that process ends early, a second one
   is started, because the first may have failed for lack of memory and not because of the file.  If the second one ends
   too, although there is memory, the report continues without debugging information.  */

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
  pid_t process;  /* process that answers questions */
  int socket;     /* connection to PROCESS; -1: PROCESS has ended */
  bool waits;     /* PROCESS has answered all questions and waits for the next one */
  bool is_second; /* the first process ended early */
  const struct object *object;
  const char *last_file;
};

/* Starts the process that reads debugging information for LINES, and connects to it.  Returns false if that fails.  */
static bool start_debug_line_process(struct line_table *lines) {
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

struct line_table *open_debug_lines(const struct object *object) {
  struct line_table *lines = allocate(1, sizeof *lines);
  lines->object = object;
  if (start_debug_line_process(lines))
    return lines;
  free(lines);
  return NULL;
}

/* Starts a process that reads the debugging information of the program PATH, or its separate debugging information.  It
   is called early, because the new process inherits all memory of the report.  Returns NULL if PATH is not an object
   file or the process cannot be started.  */
struct line_table *prepare_debug_lines(const char *path, const char *debug_folders) {
  const char *wrong;
  const struct object *object = object_open(path, &wrong);
  const struct object *debug = object != NULL ? find_object_debug_info(object, debug_folders) : NULL;
  return object != NULL ? open_debug_lines(debug != NULL ? debug : object) : NULL;
}

/* Returns a copy of the first LENGTH bytes of FILE, the name of a source file, or the last copy if that is equal, as it
   is for most functions.  */
static const char *copy_debug_file_name(struct line_table *lines, const char *file, size_t length) {
  const char *last = lines->last_file;
  if (last == NULL || strncmp(last, file, length) != 0 || last[length] != 0)
    lines->last_file = format_string("%.*s", (int)length, file);
  return lines->last_file;
}

/* Receives an answer from the process that reads debugging information and puts it into *FRAME.  Returns false if there
   is no valid answer.  */
static bool receive_debug_line_answer(struct line_table *lines, struct line_frame *frame) {
  static struct line_answer answer;
  const size_t fixed = offsetof(struct line_answer, text);
  ssize_t size = recv(lines->socket, &answer, sizeof answer, 0);
  size_t before = (size_t)answer.file_length + answer.defined_length;
  if (size < (ssize_t)fixed || before > (size_t)size - fixed)
    return false;
  size_t name_length = (size_t)size - fixed - before;
  if (answer.file_length > 0)
    frame->at = (struct line_place){copy_debug_file_name(lines, answer.text, answer.file_length), answer.line};
  if (answer.defined_length > 0)
    frame->defined = (struct line_place){
        copy_debug_file_name(lines, answer.text + answer.file_length, answer.defined_length), answer.defined};
  if (name_length > 0)
    frame->name = format_string("%.*s", (int)name_length, answer.text + before);
  frame->is_static = answer.is_static;
  frame->inlined = answer.inlined;
  return true;
}

/* Ends the process that reads debugging information and returns its exit status.  A process that waits for questions
   ends by itself when the socket is shut down; another one may never end and is killed.  Closing the socket is not
   enough: processes that were started later for other objects have inherited this end of it.  */
static int end_debug_line_process(struct line_table *lines) {
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

/* Number of questions that always fit into the socket, together with their answers, so that neither process blocks the
   other.  */
enum { AT_ONCE = 64 };

/* Questions to a process, which are repeated to a second one if it fails.  */
struct questions {
  const uint64_t *addresses;
  size_t count;
  unsigned depth;
  struct line_frame *found;
};

/* Sends question number I of QUESTIONS to the process that reads debugging information.  Returns false if that
   fails.  */
static bool send_debug_line_question(struct line_table *lines, const struct questions *questions, size_t i) {
  struct line_question question = {questions->addresses[i], questions->depth};
  return send(lines->socket, &question, sizeof question, MSG_NOSIGNAL) == sizeof question;
}

/* Asks the process that reads debugging information all QUESTIONS and stores the answers.  Returns false if it does not
   answer them all.  */
static bool ask_all_debug_lines(struct line_table *lines, const struct questions *questions) {
  size_t count = questions->count;
  bool right = true;
  lines->waits = false;
  for (size_t first = 0; right && first < count; first += AT_ONCE) {
    size_t end = count - first < AT_ONCE ? count : first + AT_ONCE;
    for (size_t i = first; right && i < end; i++)
      right = send_debug_line_question(lines, questions, i);
    for (size_t i = first; right && i < end; i++)
      right = receive_debug_line_answer(lines, &questions->found[i]);
  }
  return lines->waits = right;
}

/* Ends the process that reads debugging information and asks a second one all QUESTIONS.  Returns false if that fails
   too, or if the first process used up its time, which the second one would do as well.  */
static bool ask_debug_lines_again(struct line_table *lines, const struct questions *questions) {
  int status = end_debug_line_process(lines);
  if (lines->is_second || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
    return false;
  lines->is_second = true;
  if (!start_debug_line_process(lines))
    return false;
  if (ask_all_debug_lines(lines, questions))
    return true;
  end_debug_line_process(lines);
  return false;
}

/* Sets FOUND[i] to the function to which the instruction at ADDRESSES[i] belongs at this depth of inlining, as far as
   it is known.  The innermost function has depth 1.  Tells the user if the debugging information cannot be read.  */
void find_debug_line_frames(struct line_table *lines, const uint64_t *addresses, size_t count, unsigned depth,
                            struct line_frame *found) {
  enum { LITTLE = 1 << 20 };
  struct questions questions = {addresses, count, depth, found};
  if (lines->socket < 0 || ask_all_debug_lines(lines, &questions) || ask_debug_lines_again(lines, &questions))
    return;
  free(allocate(LITTLE, 1)); /* fails if the reason is a lack of memory */
  note(lines->object->path, "its debugging information cannot be read; functions are shown without their lines");
}

void find_debug_lines(struct line_table *lines, const uint64_t *addresses, size_t count, struct line_place *found) {
  struct line_frame *frames = allocate(count, sizeof *frames);
  find_debug_line_frames(lines, addresses, count, 0, frames);
  for (size_t i = 0; i < count; i++)
    if (frames[i].at.file != NULL)
      found[i] = frames[i].at;
  free(frames);
}

/* Ends the process that reads debugging information, which may use much memory, and frees LINES, which may be NULL.  */
void close_debug_lines(struct line_table *lines) {
  if (lines != NULL && lines->socket >= 0)
    end_debug_line_process(lines);
  free(lines);
}
