/* Reading a damaged profile: what its checksums vouch for, and what has been lost.
   SPDX-License-Identifier: MIT

   A record that is damaged inside still says where the next one begins; one whose length is damaged does not, and then
   the next is looked for.  What a damaged record was is told by where it stands, as its tag may be what is damaged.
   Sites name objects by their places in the file: a lost object leaves an empty one behind, and where it is not known
   how many were lost, those behind the gap are not believed.  So do stacks name one another: a lost one leaves one
   behind of which nothing is known, and what was below one that is not to be found has nothing above.  */

#include <string.h>
#include "fmt/reader.h"

/* How much is looked at for each byte of the file, at most: a file must not cost more time than it is worth.  */
enum { LOOKS = 64 };

/* Whether a right record starts at OFFSET.  Its length is looked at before its bytes are.  */
static int is_record(struct reader *reader, size_t offset) {
  struct cilkprof_record_header header;
  struct record record;
  struct cilkprof_read_error error = *reader->error;
  if (reader->size - offset < sizeof header)
    return 0;
  memcpy(&header, reader->bytes + offset, sizeof header);
  uint32_t tag = reader_order32(reader, header.tag);
  uint64_t length = header.length;
  reader_order64(reader, &length, 1);
  if (tag == 0 || tag >= CILKPROF_RECORD_TAGS || length > reader->size - offset ||
      reader->looked_at / LOOKS > reader->size)
    return 0;
  reader->looked_at += sizeof header + length;
  int right = record_read(reader, offset, &record) == 0;
  *reader->error = error;
  return right;
}

/* The record at OFFSET is damaged.  *RECORD becomes what is lost: it, if another follows where it ends; otherwise all
   up to the next that is right.  */
void record_skip(struct reader *reader, size_t offset, struct record *record) {
  struct cilkprof_record_header header;
  *record = (struct record){.offset = offset, .end = reader->size, .state = RECORD_GAP};
  size_t left = reader->size - offset;
  if (left < sizeof header)
    return;
  memcpy(&header, reader->bytes + offset, sizeof header);
  uint64_t length = header.length;
  reader_order64(reader, &length, 1);
  left -= sizeof header;
  if (length <= left && cilkprof_padding(length) <= left - length) {
    size_t end = offset + sizeof header + length + cilkprof_padding(length);
    if (end == reader->size || is_record(reader, end)) {
      record->state = RECORD_LOST;
      record->tag = reader_order32(reader, header.tag);
      record->length = length;
      record->end = end;
      return;
    }
  }
  for (size_t at = offset + 8; at < reader->size; at += 8)
    if (is_record(reader, at)) {
      record->end = at;
      return;
    }
}

/* Objects stand behind the run and before everything else.  */
void record_passed(struct reader *reader, const struct record *record) {
  if (record->state != RECORD_WHOLE)
    return;
  if (record->tag == CILKPROF_RECORD_RUN)
    reader->past_run = 1;
  else if (record->tag != CILKPROF_RECORD_PROGRAM && record->tag != CILKPROF_RECORD_OBJECT)
    reader->past_run = reader->past_objects = 1;
}

/* Of a damaged record either the tag or the length is still right, or none.  */
static int was_site(const struct record *record) {
  return record->tag == CILKPROF_RECORD_SITE ||
         (record->tag != CILKPROF_RECORD_PART && record->length == sizeof(struct cilkprof_site));
}

static int was_stack(const struct record *record) {
  return !was_site(record) &&
         (record->tag == CILKPROF_RECORD_STACK ||
          (record->tag != CILKPROF_RECORD_PART && record->length == sizeof(struct cilkprof_stack)));
}

void record_count_lost(struct reader *reader, struct census *census, const struct record *record) {
  struct cilkprof_losses *losses = reader->losses;
  if (record->state == RECORD_GAP)
    losses->bytes += record->end - record->offset;
  else if (!reader->past_objects) {
    census->of[CILKPROF_RECORD_OBJECT]++; /* one that is lost keeps its place */
    reader->storage_size += sizeof(struct cilkprof_object);
  } else if (was_site(record))
    losses->sites++;
  else if (was_stack(record)) {
    census->of[CILKPROF_RECORD_STACK]++;
    reader->storage_size += sizeof(struct cilkprof_stack);
    losses->others++;
  } else if (record->end < reader->size)
    losses->others++; /* the last one is END, which is missed by itself */
}

static void put_unknown_stack(struct cilkprof_profile *profile) {
  profile->stacks[profile->stack_count++] = (struct cilkprof_stack){
      .parent = CILKPROF_NO_CONTEXT, .object = CILKPROF_NO_OBJECT, .kind = CILKPROF_STACK_UNKNOWN};
}

/* Stacks stand behind the sampling: in a gap before it there was none.  */
static void fill_lost_stacks(struct reader *reader, const struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  if (record->state != RECORD_GAP && was_stack(record))
    put_unknown_stack(profile);
  else if (record->state == RECORD_GAP && profile->has_sampling && profile->stack_count < reader->believed_stacks)
    reader->believed_stacks = profile->stack_count;
}

void record_fill_lost(struct reader *reader, const struct census *census, const struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  if (reader->past_objects) {
    fill_lost_stacks(reader, record);
    return;
  }
  if (record->state == RECORD_GAP)
    reader->believed = reader->believed < profile->object_count ? reader->believed : profile->object_count;
  else if (!reader->past_run && census->of[CILKPROF_RECORD_RUN] == 0)
    reader->past_run = 1; /* this was it */
  else
    profile->objects[profile->object_count++] = (struct cilkprof_object){.path = ""};
}

static int is_lost(const struct cilkprof_object *object) {
  return object->path[0] == 0;
}

/* All objects have been read.  When they are as many as the run says, or one more because the totals behind them were
   taken for one, it is known which of them are lost.  */
static void close_objects(struct reader *reader) {
  struct cilkprof_profile *profile = reader->profile;
  if (reader->closed)
    return;
  reader->closed = 1;
  if (profile->object_count == profile->run.load_count + 1 && is_lost(&profile->objects[profile->run.load_count]))
    profile->object_count--;
  if (profile->object_count == profile->run.load_count)
    reader->believed = SIZE_MAX;
  else
    for (size_t i = 0; i < profile->object_count && i < reader->believed; i++)
      if (is_lost(&profile->objects[i]))
        reader->believed = i;
  for (size_t i = 0; i < profile->object_count; i++) {
    if (i >= reader->believed)
      profile->objects[i] = (struct cilkprof_object){.path = ""};
    reader->losses->objects += is_lost(&profile->objects[i]);
  }
}

static int is_known(const struct cilkprof_profile *profile, uint32_t object) {
  return object < profile->object_count && !is_lost(&profile->objects[object]);
}

static int is_known_site(const struct cilkprof_profile *profile, const struct cilkprof_site *site) {
  return is_known(profile, site->object) &&
         (site->callee_object == CILKPROF_NO_OBJECT || is_known(profile, site->callee_object));
}

/* One that the reader refused, too.  */
static void repair_stack(const struct reader *reader, struct cilkprof_stack *stack) {
  const struct cilkprof_profile *profile = reader->profile;
  size_t above =
      profile->stack_count - 1 < reader->believed_stacks ? profile->stack_count - 1 : reader->believed_stacks;
  if (stack->parent >= above)
    stack->parent = CILKPROF_NO_CONTEXT;
  if (stack->kind >= CILKPROF_STACK_KINDS)
    stack->kind = CILKPROF_STACK_UNKNOWN;
  if (!is_known(profile, stack->object) || stack->kind >= CILKPROF_STACK_UNKNOWN) {
    stack->object = CILKPROF_NO_OBJECT;
    stack->address = 0;
  }
}

int record_recover(struct reader *reader, struct record *record) {
  struct cilkprof_profile *profile = reader->profile;
  if (reader->past_objects)
    close_objects(reader);
  struct cilkprof_profile before = *profile;
  int result = record_decode(reader, record);
  switch (record->tag) {
  case CILKPROF_RECORD_PROGRAM:
    profile->program.flags |= CILKPROF_INCOMPLETE | CILKPROF_DAMAGED;
    return result;
  case CILKPROF_RECORD_SITE:
    if (result == 0 && is_known_site(profile, &profile->sites[before.site_count]))
      return 0;
    reader->losses->sites++;
    break;
  case CILKPROF_RECORD_STACK:
    if (profile->stack_count > before.stack_count) {
      repair_stack(reader, &profile->stacks[before.stack_count]);
      return 0;
    }
    put_unknown_stack(profile);
    reader->losses->others++;
    return 0;
  case CILKPROF_RECORD_SAMPLING:
  case CILKPROF_RECORD_TIMELINE:
  case CILKPROF_RECORD_USAGE:
  case CILKPROF_RECORD_TREE:
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

/* Contexts and roots name sites by their places, and contexts one another: they are right only when none is missing. */
static void drop_contexts(struct reader *reader) {
  const struct cilkprof_losses *losses = reader->losses;
  if (losses->sites + losses->others + losses->bytes > 0) {
    reader->losses->others += reader->profile->context_count + reader->profile->root_count;
    reader->profile->context_count = reader->profile->root_count = 0;
  }
}

/* Without it nobody knows what the stacks are shares of.  */
static void drop_samples(struct reader *reader) {
  struct cilkprof_profile *profile = reader->profile;
  if (profile->has_sampling)
    return;
  reader->losses->others += profile->stack_count;
  profile->stack_count = 0;
  profile->timeline = (struct cilkprof_timeline){0, 0, 0, NULL};
}

/* The totals that are left: of the sites that are.  */
static void add_up(struct cilkprof_profile *profile) {
  struct cilkprof_totals *totals = &profile->totals;
  for (size_t i = 0; i < profile->site_count; i++) {
    cilkprof_add(&totals->work, profile->sites[i].on_work.local.work, &profile->program.flags);
    cilkprof_add(&totals->span, profile->sites[i].on_span.local.span, &profile->program.flags);
  }
  if (totals->span > totals->work)
    totals->span = totals->work;
  totals->burdened_span = totals->span;
}

/* Load addresses differ from run to run and nothing of the report depends on them.  */
void profile_complete(struct reader *reader, const struct census *census) {
  struct cilkprof_profile *profile = reader->profile;
  close_objects(reader);
  drop_contexts(reader);
  drop_samples(reader);
  if (census->of[CILKPROF_RECORD_TOTALS] == 0) {
    reader->losses->totals = 1;
    add_up(profile);
  }
  if (census->of[CILKPROF_RECORD_RUN] == 0)
    reader->losses->run = 1;
  if (profile->run.load_count != profile->object_count) {
    size_t size = profile->object_count * sizeof(uint64_t);
    profile->run.load_count = (uint32_t)profile->object_count;
    profile->run.load_addresses = memset(reader_allocate(reader, size), 0, size);
  }
}
