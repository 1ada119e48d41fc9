/* The greedy scheduler by brute force: every strand is an event, all workers are looked at for each; and the work and
   the span of a tree, from their definitions.
   SPDX-License-Identifier: GPL-3.0-or-later

   What it shares with the emulator is the rules: of workers that go on at the same time the lowest does first; then, as
   long as there is anything to take, the lowest that is idle takes it from the lowest that has it: what is outermost
   there, and of a loop the larger half of the tasks that have not begun.  */

#include "test/emulation/trees.h"

enum { WORKERS = 1024, OFFERS = 256 };

struct place { /* in a tree */
  const struct plain_node *node;
  struct place *parent;
  enum { SEQUENCE, OWN, LOOP, SHARE, SPAWNS } kind;
  size_t item;
  uint64_t repeats; /* of the item, that are done */
  int stage;
  uint64_t active;
  bool waits;
  uint64_t at, end; /* of a share */
};

struct hand {                   /* a worker */
  struct place *place;          /* where it is; NULL: it is idle */
  struct place *offers[OFFERS]; /* where others may take something from it, outermost first */
  int offered;                  /* the number of OFFERS */
  bool running;                 /* it works, and does not wait */
  double left;                  /* how much of that work */
};

static struct {
  struct hand hands[WORKERS];
  unsigned count;
  int owner[8], queue[8][WORKERS], waiting[8];
  bool finished;
} all;

/* Returns a new place in NODE, inside of PARENT.  */
static struct place *naive_enter(struct place *parent, const struct plain_node *node, int kind) {
  struct place *place = calloc(1, sizeof *place);
  *place = (struct place){.node = node, .parent = parent, .kind = kind};
  return place;
}

/* Returns whether ITEM is a task.  */
static bool naive_is_task_item(const struct item *item) {
  return item->node != NULL && item->node->kind == 'T';
}

/* Returns the task with that NUMBER, repetitions counted, of SECTION.  */
static const struct item *naive_task_number(const struct plain_node *section, uint64_t number) {
  for (size_t i = 0;; i++)
    if (naive_is_task_item(&section->items[i])) {
      if (number < section->items[i].repeat)
        return &section->items[i];
      number -= section->items[i].repeat;
    }
}

/* Returns how many tasks SECTION has, repetitions counted.  */
static uint64_t naive_count_tasks(const struct plain_node *section) {
  uint64_t count = 0;
  for (size_t i = 0; i < section->count; i++)
    count += naive_is_task_item(&section->items[i]) ? section->items[i].repeat : 0;
  return count;
}

/* Makes HAND begin to work for a time of AMOUNT.  Returns false if that is none, so that it goes on at once.  */
static bool naive_do_work(struct hand *hand, double amount) {
  if (amount <= 0)
    return false;
  hand->running = true;
  hand->left = amount;
  return true;
}

/* Goes to the next repetition, or the next item, of PLACE.  */
static void naive_advance(struct place *place) {
  place->stage = 0;
  if (++place->repeats == place->node->items[place->item].repeat) {
    place->repeats = 0;
    place->item++;
  }
}

/* Makes HAND idle, as it has nothing more to do.  */
static void naive_idle(struct hand *hand) {
  hand->place = NULL;
  hand->offered = 0;
}

/* Takes PLACE back if nobody has taken it from HAND.  */
static void naive_withdraw(struct hand *hand, const struct place *place) {
  if (hand->offered > 0 && hand->offers[hand->offered - 1] == place)
    hand->offered--;
}

/* Lets others take from PLACE.  */
static void naive_offer(struct hand *hand, struct place *place) {
  if (hand->offered == OFFERS)
    abort();
  hand->offers[hand->offered++] = place;
}

/* Makes HAND enter NODE inside of its place.  Returns whether it stops, because it works or waits.  */
static bool naive_go_into(struct hand *hand, const struct plain_node *node) {
  int self = (int)(hand - all.hands);
  hand->place =
      naive_enter(hand->place, node, test_emulation_is_section(node) ? node->kind == 'P' ? SPAWNS : LOOP : SEQUENCE);
  if (node->kind != 'L')
    return false;
  if (all.owner[node->lock] < 0) {
    all.owner[node->lock] = self;
    return false;
  }
  all.queue[node->lock][all.waiting[node->lock]++] = self;
  return true;
}

/* Makes HAND leave PLACE, a task, a lock or the program, all of whose items are done.  Returns whether it stops.  */
static bool naive_leave_sequence(struct hand *hand, struct place *place) {
  hand->place = place->parent;
  if (place->node->kind == 'L') {
    int lock = (int)place->node->lock;
    all.owner[lock] = -1;
    if (all.waiting[lock] > 0) {
      struct hand *next = &all.hands[all.owner[lock] = all.queue[lock][0]];
      memmove(all.queue[lock], all.queue[lock] + 1, (size_t)--all.waiting[lock] * sizeof(int));
      next->running = true;
      next->left = 0;
    }
  }
  if (hand->place == NULL) {
    all.finished = true;
    return true;
  }
  if (place->node->kind == 'T' && hand->place->kind == SPAWNS) {
    struct place *section = hand->place;
    section->active--;
    if (hand->offered > 0 && hand->offers[hand->offered - 1] == section)
      hand->offered--;
    else if (section->active > 0 || !section->waits)
      naive_idle(hand);
  }
  return false;
}

/* Makes HAND do the next item of PLACE.  Returns whether it stops, because it works or waits.  */
static bool naive_step_sequence(struct hand *hand, struct place *place) {
  if (place->item == place->node->count)
    return naive_leave_sequence(hand, place);
  const struct item *item = &place->node->items[place->item];
  if (place->kind == OWN && naive_is_task_item(item)) {
    place->item++;
    return false;
  }
  if (item->node == NULL) {
    naive_advance(place);
    return naive_do_work(hand, (double)item->before);
  }
  if (place->stage++ == 0)
    return naive_do_work(hand, (double)item->before);
  naive_advance(place);
  return naive_go_into(hand, item->node);
}

/* Makes HAND do the next step of a loop: first the section's own work, then its tasks, then what encloses it.  Returns
   whether it stops.  */
static bool naive_step_loop(struct hand *hand, struct place *place) {
  switch (place->stage++) {
  case 0:
    hand->place = naive_enter(place, place->node, OWN);
    return false;
  case 1:
    if (naive_count_tasks(place->node) == 0)
      return false;
    place->active = 1;
    hand->place = naive_enter(place, place->node, SHARE);
    hand->place->end = naive_count_tasks(place->node);
    naive_offer(hand, hand->place);
    return false;
  default:
    hand->place = place->parent;
    return false;
  }
}

/* Makes HAND do the next task of its share of a loop.  Returns whether it stops.  */
static bool naive_step_share(struct hand *hand, struct place *share) {
  if (share->stage == 1) {
    share->stage = 0;
    return naive_go_into(hand, naive_task_number(share->node, share->at - 1)->node);
  }
  if (share->at == share->end) {
    naive_withdraw(hand, share);
    hand->place = share->parent;
    if (--share->parent->active > 0)
      naive_idle(hand);
    return false;
  }
  share->stage = 1;
  return naive_do_work(hand, (double)naive_task_number(share->node, share->at++)->before);
}

/* Makes HAND do the next item of a section that spawns.  Returns whether it stops.  */
static bool naive_step_spawns(struct hand *hand, struct place *place) {
  if (place->item == place->node->count) {
    place->waits = true;
    if (place->active == 0)
      hand->place = place->parent;
    else
      naive_idle(hand);
    return false;
  }
  const struct item *item = &place->node->items[place->item];
  if (place->stage++ == 0)
    return naive_do_work(hand, (double)item->before);
  naive_advance(place);
  if (item->node == NULL)
    return false;
  if (naive_is_task_item(item)) {
    place->active++;
    if (place->item < place->node->count)
      naive_offer(hand, place);
    else
      place->waits = true;
  }
  return naive_go_into(hand, item->node);
}

/* Makes HAND go on until it works or waits.  */
static void naive_go_on(struct hand *hand) {
  bool stops = false;
  while (!stops && hand->place != NULL)
    switch (hand->place->kind) {
    case SEQUENCE:
    case OWN:
      stops = naive_step_sequence(hand, hand->place);
      break;
    case LOOP:
      stops = naive_step_loop(hand, hand->place);
      break;
    case SHARE:
      stops = naive_step_share(hand, hand->place);
      break;
    case SPAWNS:
      stops = naive_step_spawns(hand, hand->place);
      break;
    }
}

/* Returns the outermost place where something can be taken from HAND, or NULL.  Removes the offers before it of which
   nothing is left.  */
static struct place *naive_outermost(struct hand *hand) {
  while (hand->offered > 0) {
    struct place *first = hand->offers[0];
    if (first->kind == SPAWNS || first->at < first->end)
      return first;
    memmove(hand->offers, hand->offers + 1, (size_t)--hand->offered * sizeof *hand->offers);
  }
  return NULL;
}

/* Makes the lowest idle hand take something from the lowest that has it.  Returns false if there is nothing to
   take.  */
static bool naive_take_something(void) {
  for (unsigned thief = 0; thief < all.count; thief++) {
    if (all.hands[thief].place != NULL)
      continue;
    for (unsigned victim = 0; victim < all.count; victim++) {
      struct place *what = naive_outermost(&all.hands[victim]);
      if (what == NULL)
        continue;
      struct hand *hand = &all.hands[thief];
      if (what->kind == SPAWNS) {
        memmove(all.hands[victim].offers, all.hands[victim].offers + 1,
                (size_t)--all.hands[victim].offered * sizeof *hand->offers);
        hand->place = what;
      } else {
        uint64_t left = what->end - what->at, half = left - left / 2;
        what->parent->active++;
        hand->place = naive_enter(what->parent, what->node, SHARE);
        hand->place->end = what->end;
        hand->place->at = what->end -= half;
        naive_offer(hand, hand->place);
      }
      naive_go_on(hand);
      return true;
    }
    return false;
  }
  return false;
}

/* Returns the time of ROOT under the greedy scheduler, or -1 if it never ends.  */
double naive_greedy(const struct plain_node *root, unsigned processors) {
  double now = 0;
  memset(&all, 0, sizeof all);
  all.count = processors;
  for (int i = 0; i < 8; i++)
    all.owner[i] = -1;
  all.hands[0].place = naive_enter(NULL, root, SEQUENCE);
  naive_go_on(&all.hands[0]);
  while (!all.finished) {
    while (!all.finished && naive_take_something())
      ;
    struct hand *next = NULL;
    for (unsigned i = 0; i < all.count; i++)
      if (all.hands[i].running && (next == NULL || all.hands[i].left < next->left))
        next = &all.hands[i];
    if (all.finished)
      break;
    if (next == NULL)
      return -1;
    double least = next->left;
    for (unsigned i = 0; i < all.count; i++)
      if (all.hands[i].running)
        all.hands[i].left -= least;
    now += least;
    next->running = false;
    naive_go_on(next);
  }
  return now;
}

/* Returns the work of NODE.  */
double naive_work(const struct plain_node *node) {
  double sum = 0;
  for (size_t i = 0; i < node->count; i++)
    sum += (double)node->items[i].repeat *
           ((double)node->items[i].before + (node->items[i].node != NULL ? naive_work(node->items[i].node) : 0));
  return sum;
}

/* Returns the span of NODE.  */
double naive_span(const struct plain_node *node) {
  double own = 0, longest = 0;
  bool loop = test_emulation_is_section(node) && node->kind != 'P';
  for (size_t i = 0; i < node->count; i++)
    for (uint64_t r = 0; r < node->items[i].repeat; r++) {
      const struct item *item = &node->items[i];
      double inside = item->node != NULL ? naive_span(item->node) : 0, before = (double)item->before;
      if (!test_emulation_is_section(node) || !naive_is_task_item(item)) {
        own += before + inside;
      } else if (loop) {
        longest = before + inside > longest ? before + inside : longest;
      } else {
        own += before;
        longest = own + inside > longest ? own + inside : longest;
      }
    }
  return loop ? own + longest : longest > own ? longest : own;
}
