/* Reads a damaged profile: the records whose checksums are correct.  Counts what is lost.
   SPDX-License-Identifier: MIT

   A record with a damaged payload still states where the next record begins.  If its length is damaged, the next record
   is searched for.  The kind of a damaged record is inferred from its position, because the tag itself may be damaged.
   Sites refer to objects by index, so an empty object replaces a lost one; if the number of lost objects is unknown,
   the objects after the gap are not used.  Stacks refer to one another by index, so a stack of unknown kind replaces a
   lost one; a stack whose parent cannot be determined has no parent.  */

#include <string.h>
#include "fmt/reader.h"

/* The search for records examines at most this many bytes per byte of the file, to limit its time.  */
enum { LOOKS = 64 };

/* Returns whether a valid record starts at OFFSET of a damaged profile.  Its tag and length are checked first, as the
   checksum takes time.  */
static int is_valid_record_at(struct reader *reader, size_t offset) {
  struct cilkprof_record_header header;
  struct record record;
  struct cilkprof_read_error error = *reader->error;
  if (reader->size - offset < sizeof header)
    return 0;
  memcpy(&header, reader->bytes + offset, sizeof header);
  uint32_t tag = file_to_host_order32(reader, header.tag);
  uint64_t length = header.length;
  file_to_host_order64(reader, &length, 1);
  if (tag == 0 || tag >= CILKPROF_RECORD_TAGS || length > reader->size - offset ||
      reader->looked_at / LOOKS > reader->size)
    return 0;
  reader->looked_at += sizeof header + length;
  int right = record_read(reader, offset, &record) == 0;
  *reader->error = error;
  return right;
}

/* Describes in *RECORD what is lost at OFFSET, where a damaged record is: only that record, if a valid one or the end
   of the file follows it; otherwise everything up to the next valid record.  */
void record_skip_damaged(struct reader *reader, size_t offset, struct record *record) {
  struct cilkprof_record_header header;
  *record = (struct record){.offset = offset, .end = reader->size, .state = RECORD_GAP};
  size_t left = reader->size - offset;
  if (left < sizeof header)
    return;
  memcpy(&header, reader->bytes + offset, sizeof header);
  uint64_t length = header.length;
  file_to_host_order64(reader, &length, 1);
  left -= sizeof header;
  if (length <= left && cilkprof_padding(length) <= left - length) {
    size_t end = offset + sizeof header + length + cilkprof_padding(length);
    if (end == reader->size || is_valid_record_at(reader, end)) {
      record->state = RECORD_LOST;
      record->tag = file_to_host_order32(reader, header.tag);
      record->length = length;
      record->end = end;
      return;
    }
  }
  for (size_t at = offset + 8; at < reader->size; at += 8)
    if (is_valid_record_at(reader, at)) {
      record->end = at;
      return;
    }
}

/* Notes in READER that the walk through a damaged profile has passed RECORD.  This tells what lost records were:
   objects follow the RUN record and precede everything else but PROGRAM.  */
void record_note_passed(struct reader *reader, const struct record *record) {
  if (record->state != RECORD_WHOLE)
    return;
  if (record->tag == CILKPROF_RECORD_RUN)
    reader->past_run = 1;
  else if (record->tag != CILKPROF_RECORD_PROGRAM && record->tag != CILKPROF_RECORD_OBJECT)
    reader->past_run = reader->past_objects = 1;
}

/* Returns whether a damaged RECORD probably was a SITE record.  Its tag or its length, or both, may be damaged.  */
static int was_site_record(const struct record *record) {
  return record->tag == CILKPROF_RECORD_SITE ||
         (record->tag != CILKPROF_RECORD_PART && record->length == sizeof(struct cilkprof_site));
}

/* Returns whether a damaged RECORD probably was a STACK record, by its tag or its length, either of which may be
   damaged.  */
static int was_stack_record(const struct record *record) {
  return !was_site_record(record) &&
         (record->tag == CILKPROF_RECORD_STACK ||
          (record->tag != CILKPROF_RECORD_PART && record->length == sizeof(struct cilkprof_stack)));
}

/* Counts RECORD, which is damaged, among the losses in the first walk through the profile.  In CENSUS, a lost object or
   stack is counted like the others, because it keeps its index.  */
void record_count_lost(struct reader *reader, struct census *census, const struct record *record) {
  struct cilkprof_losses *losses = reader->losses;
  if (record->state == RECORD_GAP)
    losses->bytes += record->end - record->offset;
  else if (!reader->past_objects) {
    census->of[CILKPROF_RECORD_OBJECT]++; /* a lost object keeps its index */
    reader->storage_size += sizeof(struct cilkprof_object);
  } else if (was_site_record(record))
    losses->sites++;
  else if (was_stack_record(record)) {
    census->of[CILKPROF_RECORD_STACK]++;
    reader->storage_size += sizeof(struct cilkprof_stack);
    losses->others++;
  } else if (record->end < reader->size)
    losses->others++; /* the last record is END, which has a member of its own */
}

/* Adds a stack of unknown kind to PROFILE in the place of one whose record is lost, so that later stacks keep their
   indices.  */
static void add_stack_for_lost_record(struct cilkprof_profile *profile) {
  profile->stacks[profile->stack_count++] = (struct cilkprof_stack){
      .parent = CILKPROF_NO_CONTEXT, .object = CILKPROF_NO_OBJECT, .kind = CILKPROF_STACK_UNKNOWN};
}

/* Adds a placeholder for the stack of RECORD, which is lost, or notes that later indices of stacks are uncertain.
   Stacks follow the SAMPLING record, so a gap before that record contains none.  */
static void fill_lost_stack_record(struct reader *reader, const struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  if (record->state != RECORD_GAP && was_stack_record(record))
    add_stack_for_lost_record(profile);
  else if (record->state == RECORD_GAP && profile->has_sampling && profile->stack_count < reader->believed_stacks)
    reader->believed_stacks = profile->stack_count;
}

/* Fills the place of RECORD, which is damaged, in the second walk through the profile: with an empty object or an
   unknown stack, so that later ones keep their indices.  After a gap of unknown length, later indices are noted as
   uncertain.  */
void record_fill_lost(struct reader *reader, const struct census *census, const struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  if (reader->past_objects) {
    fill_lost_stack_record(reader, record);
    return;
  }
  if (record->state == RECORD_GAP)
    reader->believed = reader->believed < profile->object_count ? reader->believed : profile->object_count;
  else if (!reader->past_run && census->of[CILKPROF_RECORD_RUN] == 0)
    reader->past_run = 1; /* the lost record was RUN */
  else
    profile->objects[profile->object_count++] = (struct cilkprof_object){.path = ""};
}

/* Returns whether OBJECT stands for one whose record is lost: it has no path.  */
static int is_lost_object(const struct cilkprof_object *object) {
  return object->path[0] == 0;
}

/* Determines which objects are lost, after the last OBJECT record of a damaged profile has been read; only the first
   call does anything.  The result is certain if there are as many objects as the RUN record states, or one more because
   the lost TOTALS record after them was taken for an object.  Otherwise all objects from the first lost one on are
   given up.  */
static void determine_lost_objects(struct reader *reader) {
  struct cilkprof_profile *profile = reader->profile;
  if (reader->closed)
    return;
  reader->closed = 1;
  if (profile->object_count == profile->run.load_count + 1 &&
      is_lost_object(&profile->objects[profile->run.load_count]))
    profile->object_count--;
  if (profile->object_count == profile->run.load_count)
    reader->believed = SIZE_MAX;
  else
    for (size_t i = 0; i < profile->object_count && i < reader->believed; i++)
      if (is_lost_object(&profile->objects[i]))
        reader->believed = i;
  for (size_t i = 0; i < profile->object_count; i++) {
    if (i >= reader->believed)
      profile->objects[i] = (struct cilkprof_object){.path = ""};
    reader->losses->objects += is_lost_object(&profile->objects[i]);
  }
}

/* Returns whether OBJECT is the index of an object of the damaged profile that is not lost.  */
static int is_recovered_object(const struct cilkprof_profile *profile, uint32_t object) {
  return object < profile->object_count && !is_lost_object(&profile->objects[object]);
}

/* Returns whether neither the object with the description of SITE nor that with its callee is lost.  */
static int has_recovered_objects(const struct cilkprof_profile *profile, const struct cilkprof_site *site) {
  return is_recovered_object(profile, site->object) &&
         (site->callee_object == CILKPROF_NO_OBJECT || is_recovered_object(profile, site->callee_object));
}

/* Removes the parent, kind, object or address of STACK, the last one of a damaged profile, where they are not valid.
   STACK may be one that record_decode rejected.  */
static void repair_recovered_stack(const struct reader *reader, struct cilkprof_stack *stack) {
  const struct cilkprof_profile *profile = reader->profile;
  size_t above =
      profile->stack_count - 1 < reader->believed_stacks ? profile->stack_count - 1 : reader->believed_stacks;
  if (stack->parent >= above)
    stack->parent = CILKPROF_NO_CONTEXT;
  if (stack->kind >= CILKPROF_STACK_KINDS)
    stack->kind = CILKPROF_STACK_UNKNOWN;
  if (!is_recovered_object(profile, stack->object) || stack->kind >= CILKPROF_STACK_UNKNOWN) {
    stack->object = CILKPROF_NO_OBJECT;
    stack->address = 0;
  }
}

/* Decodes RECORD of a damaged profile as record_decode does, but leaves it out and counts it as lost if it is not
   valid.  Returns 0, or -1 with the error filled in if the profile cannot be used without it.  */
int record_recover(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  if (reader->past_objects)
    determine_lost_objects(reader);
  struct cilkprof_profile before = *profile;
  int result = record_decode(reader, record);
  switch (record->tag) {
  case CILKPROF_RECORD_PROGRAM:
    profile->program.flags |= CILKPROF_INCOMPLETE | CILKPROF_DAMAGED;
    return result;
  case CILKPROF_RECORD_SITE:
    if (result == 0 && has_recovered_objects(profile, &profile->sites[before.site_count]))
      return 0;
    reader->losses->sites++;
    break;
  case CILKPROF_RECORD_STACK:
    if (profile->stack_count > before.stack_count) {
      repair_recovered_stack(reader, &profile->stacks[before.stack_count]);
      return 0;
    }
    add_stack_for_lost_record(profile);
    reader->losses->others++;
    return 0;
  case CILKPROF_RECORD_SAMPLING:
  case CILKPROF_RECORD_TIMELINE:
  case CILKPROF_RECORD_TRANSITIONS:
  case CILKPROF_RECORD_STACK_SPAN:
  case CILKPROF_RECORD_COUNTERS:
  case CILKPROF_RECORD_USAGE:
  case CILKPROF_RECORD_WORKERS:
  case CILKPROF_RECORD_TREE:
  case CILKPROF_RECORD_LOOP:
  case CILKPROF_RECORD_ESTIMATE:
  case CILKPROF_RECORD_REGION:
  case CILKPROF_RECORD_WHATIF:
  case CILKPROF_RECORD_CONTEXT:
  case CILKPROF_RECORD_ROOT:
  case CILKPROF_RECORD_PART:
    if (result == 0)
      return 0;
    reader->losses->others++;
    break;
  default:
    return result;
  }
  *profile = before;
  return 0;
}

/* Removes loops, estimates, calling contexts and roots if any record is lost: they refer to sites by index, and
   contexts to one another.  */
static void drop_contexts_after_loss(struct reader *reader) {
  const struct cilkprof_losses *losses = reader->losses;
  struct cilkprof_profile *profile = reader->profile;
  if (losses->sites + losses->others + losses->bytes > 0) {
    reader->losses->others +=
        profile->loop_count + profile->estimate_count + profile->context_count + profile->root_count;
    profile->loop_count = profile->estimate_count = profile->context_count = profile->root_count = 0;
  }
}

/* Removes the stacks and the time line if the SAMPLING record is lost, because the stacks are shares of its values.
   Removes the transitions of threads, the counters and what is on the span in any case: they refer to objects, stacks
   and other threads by index.  */
static void drop_sampling_records_after_loss(struct reader *reader) {
  struct cilkprof_profile *profile = reader->profile;
  reader->losses->others += profile->thread_count + profile->counters_count + profile->stack_span_count;
  profile->thread_count = profile->counters_count = profile->stack_span_count = 0;
  if (profile->has_sampling)
    return;
  reader->losses->others += profile->stack_count;
  profile->stack_count = 0;
  profile->timeline = (struct cilkprof_timeline){0, 0, 0, NULL};
}

/* Replaces the lost totals of PROFILE by the sums over the sites that are left.  The burdened span is set to the
   span.  */
static void recover_totals_from_sites(struct cilkprof_profile *profile) {
  struct cilkprof_totals *totals = &profile->totals;
  for (size_t i = 0; i < profile->site_count; i++) {
    cilkprof_add(&totals->work, profile->sites[i].on_work.local.work, &profile->program.flags);
    cilkprof_add(&totals->span, profile->sites[i].on_span.local.span, &profile->program.flags);
  }
  if (totals->span > totals->work)
    totals->span = totals->work;
  totals->burdened_span = totals->span;
}

/* Removes or replaces everything that losses make unusable, at the end of the second walk through a damaged profile.
   Load addresses that do not match the objects are replaced by zeros: they differ from run to run, and the report does
   not depend on them.  */
void complete_recovered_profile(struct reader *reader, const struct census *census) {
  struct cilkprof_profile *profile = reader->profile;
  determine_lost_objects(reader);
  drop_contexts_after_loss(reader);
  drop_sampling_records_after_loss(reader);
  if (census->of[CILKPROF_RECORD_TOTALS] == 0) {
    reader->losses->totals = 1;
    recover_totals_from_sites(profile);
  }
  if (census->of[CILKPROF_RECORD_RUN] == 0)
    reader->losses->run = 1;
  if (profile->run.load_count != profile->object_count) {
    size_t size = profile->object_count * sizeof(uint64_t);
    profile->run.load_count = (uint32_t)profile->object_count;
    profile->run.load_addresses = memset(reader_allocate(reader, size), 0, size);
  }
}
