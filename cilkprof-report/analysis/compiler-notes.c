/* The finding about notes of the compiler: what the profile of the program leaves out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/objects/binding.h"
#include "cilkprof-report/support/support.h"

/* Returns TEXT, which is freed and may be empty, with NOTE at its end: "PLACE: MESSAGE" becomes "MESSAGE (PLACE)".  */
static char *add_note_for_finding(char *text, const char *note) {
  const char *message = strstr(note, ": ");
  int place = message != NULL ? (int)(message - note) : 0;
  char *longer = format_string("%s%s%s (%.*s)", text, *text != 0 ? "; " : "", message != NULL ? message + 2 : note,
                               place, escape(note));
  free(text);
  return longer;
}

/* Adds a finding with the first few different notes of the program, and how many others there are.  Several units may
   have the same one.  */
void judge_compiler_notes(struct verdict *verdict) {
  enum { MOST = 4 };
  const struct bound_object *program = verdict->model->program_file;
  const char *known[MOST];
  size_t count = 0, more = 0;
  const char *at = program != NULL ? program->object->notes : NULL,
             *end = at != NULL ? at + program->object->notes_size : NULL;
  char *text = format_string("%s", "");
  for (; at < end; at += strlen(at) + 1) {
    size_t same = 0;
    while (same < count && strcmp(known[same], at) != 0)
      same++;
    if (same < count)
      continue;
    more += count == MOST;
    if (count < MOST) {
      known[count++] = at;
      text = add_note_for_finding(text, at);
    }
  }
  if (count > 0)
    add_finding(verdict, FINDING_NOT_FOLLOWED, TONE_NOTICE,
                more > 0 ? format_string("%s; and %zu more.", text, more) : format_string("%s.", text));
  free(text);
}
