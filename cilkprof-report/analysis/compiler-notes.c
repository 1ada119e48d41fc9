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

/* What is known of the notes so far.  Several units may have the same one.  */
enum { MOST_NOTES = 4 };
struct notes_for_finding {
  const char *known[MOST_NOTES]; /* the first different ones */
  size_t count, more;
  char *text; /* of these */
};

/* Adds the notes that OBJECT, the program or a library, has to NOTES.  */
static void add_object_notes_for_finding(struct notes_for_finding *notes, const struct object *object) {
  const char *at = object->notes, *end = at != NULL ? at + object->notes_size : NULL;
  for (; at < end; at += strlen(at) + 1) {
    size_t same = 0;
    while (same < notes->count && strcmp(notes->known[same], at) != 0)
      same++;
    if (same < notes->count)
      continue;
    notes->more += notes->count == MOST_NOTES;
    if (notes->count < MOST_NOTES) {
      notes->known[notes->count++] = at;
      notes->text = add_note_for_finding(notes->text, at);
    }
  }
}

/* Adds a finding with the first few different notes of the program and its libraries, and how many others there
   are.  */
void judge_compiler_notes(struct verdict *verdict) {
  const struct binding *files = verdict->model->files;
  struct notes_for_finding notes = {.text = format_string("%s", "")};
  for (size_t i = 0; files != NULL && i < files->count; i++)
    if (files->files[i] != NULL && files->files[i]->object != NULL)
      add_object_notes_for_finding(&notes, files->files[i]->object);
  if (notes.count > 0)
    add_finding(verdict, FINDING_NOT_FOLLOWED, TONE_NOTICE,
                notes.more > 0 ? format_string("%s; and %zu more.", notes.text, notes.more)
                               : format_string("%s.", notes.text));
  free(notes.text);
}
