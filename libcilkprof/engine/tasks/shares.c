/* The shares that the threads of a team have in a loop with a static schedule.
   SPDX-License-Identifier: MIT

   A static schedule gives every thread its iterations beforehand, whatever they cost, and the team waits for the thread
   with the longest share.  The span of the loop is for one number of threads (schedule.c).  Here the longest share is
   found for each number of processors for which the report gives bounds of the speedup: 2, 4, ... 128.

   Without a chunk size, the threads get contiguous blocks whose lengths differ by one iteration at most, the longer
   ones first, as in libgomp and libomp.  If there are few iterations, the cost of each is kept.  Of many, if their
   number is known when the loop begins, the loop stops wherever a block of one of these teams ends.  So the shares are
   exact.  If their number is not known, every iteration is a grain (schedule.c), and costs are added up in ranges of
   iterations.  When these become too many, they are added up in pairs.  A block that ends inside of a range gets its
   part of it.

   With a chunk size, thread k of P gets the chunks k, k + P, k + 2 P, ...  Each chunk is a grain, and their spans are
   added up by their numbers modulo 128, which is a multiple of all P.  */

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/time/divide.h"
#include "libcilkprof/engine/tasks/shares.h"

enum { MAX_THREADS = 1 << CILKPROF_SHARES, RANGES = 512 };

/* The blocks of one team.  */
struct team_blocks {
  uint64_t size, larger; /* iterations in a block; how many blocks have one more */
  uint64_t index, end;   /* the block that the loop is in, and the iteration where it ends */
  uint64_t begin;        /* the cost of the loop up to the beginning of the block */
  uint64_t longest;
};

struct __cilkprof_shares {
  uint64_t chunk, trips;
  uint64_t done, run; /* iterations up to the last stop, and from there to the next one, or the end of a grain */
  uint64_t next;      /* the iteration where the next block of any team ends */
  int slot;           /* in struct open_shares */
  struct team_blocks blocks[CILKPROF_SHARES];
  /* If these are not followed.  */
  uint64_t count;            /* iterations or chunks that have ended */
  uint64_t last;             /* the cost of the loop up to there */
  int shift;                 /* the size of ranges, in iterations, is this power of 2 */
  uint64_t sums[RANGES + 1]; /* one more for the sums of all before, at the end */
};

/* Loops that are open at the same time.  Those that are nested more deeply have no shares.  */
struct open_shares {
  uint64_t used; /* a bit for each */
  struct __cilkprof_shares *shares[64];
};

/* Returns the number of threads of the team number TEAM.  */
static uint64_t team_loop_threads(int team) {
  return (uint64_t)2 << team;
}

/* Returns whether the blocks of SHARES are followed, and not the costs of iterations.  */
static int follows_team_loop_blocks(const struct __cilkprof_shares *shares) {
  return !shares->chunk && shares->trips > RANGES;
}

/* Returns memory for the shares of a loop, or NULL if there is none.  */
static struct __cilkprof_shares *take_loop_shares(void) {
  struct open_shares *open = profiled_thread()->shares;
  if (!open)
    open = profiled_thread()->shares = __cilkprof_allocate(sizeof *open);
  if (!open || open->used == UINT64_MAX)
    return NULL;
  int slot = __builtin_ctzll(~open->used);
  if (!open->shares[slot] && !(open->shares[slot] = __cilkprof_allocate(sizeof *open->shares[slot])))
    return NULL;
  open->used |= (uint64_t)1 << slot;
  open->shares[slot]->slot = slot;
  return open->shares[slot];
}

/* Frees SHARES for another loop, as its loop has ended.  */
void __cilkprof_shares_drop(const struct __cilkprof_shares *shares) {
  struct open_shares *open = profiled_thread()->shares;
  open->used &= ~((uint64_t)1 << shares->slot);
}

/* Sets up the blocks of all teams for the iterations of SHARES.  */
static void set_team_blocks(struct __cilkprof_shares *shares) {
  for (int team = 0; team < CILKPROF_SHARES; team++) {
    uint64_t size = shares->trips / team_loop_threads(team), larger = shares->trips % team_loop_threads(team);
    shares->blocks[team] = (struct team_blocks){.size = size, .larger = larger, .end = size + (larger > 0)};
    shares->next = size + (larger > 0); /* the largest team has the shortest blocks */
  }
}

/* Begins a loop with a static schedule, whose shares are to be found.  CHUNK is its chunk size, 0 if none is given;
   TRIPS is the number of iterations, 0 if that is not known.  Returns NULL if there is no memory.  */
struct __cilkprof_shares *__cilkprof_shares_begin(uint64_t chunk, uint64_t trips) {
  struct __cilkprof_shares *shares = THREAD.recording ? take_loop_shares() : NULL;
  if (!shares)
    return NULL;
  shares->chunk = chunk;
  shares->trips = trips;
  shares->done = shares->run = shares->count = shares->last = 0;
  shares->shift = 0;
  if (follows_team_loop_blocks(shares))
    set_team_blocks(shares);
  return shares;
}

/* Returns how many iterations there are up to the next stop, at most LIMIT.  A stop is where the next thread takes over
   in a team of some size.  */
uint64_t __cilkprof_shares_run(struct __cilkprof_shares *shares, uint64_t limit) {
  uint64_t run = follows_team_loop_blocks(shares)  ? shares->next - shares->done
                 : shares->trips && !shares->chunk ? 1
                                                   : limit;
  return shares->run = run < limit ? run : limit;
}

/* Ends the block of a team where the loop has cost COST up to here.  */
static void end_team_block(struct team_blocks *blocks, uint64_t cost) {
  uint64_t length = cost - blocks->begin;
  if (length > blocks->longest)
    blocks->longest = length;
  blocks->begin = cost;
  blocks->index++;
  blocks->end += blocks->size + (blocks->index < blocks->larger);
}

/* Ends the blocks of all teams that end at the stop at which the loop has arrived, and finds the next stop.  COST is
   that of the loop up to here.  */
static void pass_team_blocks(struct __cilkprof_shares *shares, uint64_t cost) {
  uint64_t next = UINT64_MAX;
  shares->done += shares->run;
  if (shares->done != shares->next)
    return;
  for (int team = 0; team < CILKPROF_SHARES; team++) {
    if (shares->blocks[team].end == shares->done)
      end_team_block(&shares->blocks[team], cost);
    next = shares->blocks[team].end < next ? shares->blocks[team].end : next;
  }
  shares->next = next;
}

/* Makes the ranges of SHARES twice as wide by adding up pairs of them, because the table is full.  */
static void widen_loop_ranges(struct __cilkprof_shares *shares) {
  for (int i = 0; i < RANGES / 2; i++)
    shares->sums[i] = shares->sums[2 * i] + shares->sums[2 * i + 1];
  shares->shift++;
}

/* Notes that the loop of SHARES has arrived at a stop, or at the end of a grain.  COST is that of all iterations up to
   here, one after another.  */
void __cilkprof_shares_stop(struct __cilkprof_shares *shares, uint64_t cost) {
  if (follows_team_loop_blocks(shares)) {
    pass_team_blocks(shares, cost);
    return;
  }
  uint64_t at = shares->count++, first, more = cost - shares->last;
  shares->last = cost;
  if (shares->chunk) {
    first = at < MAX_THREADS;
    at %= MAX_THREADS;
  } else {
    if (at >> shares->shift == RANGES)
      widen_loop_ranges(shares);
    first = (at & (((uint64_t)1 << shares->shift) - 1)) == 0;
    at >>= shares->shift;
  }
  shares->sums[at] = first ? more : shares->sums[at] + more;
}

/* Ends the last block of every team in SHARES, as the loop ends and has cost COST, and stores the longest block of each
   team to LONGEST.  */
static void longest_team_loop_blocks(struct __cilkprof_shares *shares, uint64_t cost, uint64_t *longest) {
  for (int team = 0; team < CILKPROF_SHARES; team++) {
    end_team_block(&shares->blocks[team], cost);
    longest[team] = shares->blocks[team].longest;
  }
}

/* Returns the largest of COUNT sums of SHARES.  */
static uint64_t largest_loop_share_sum(const struct __cilkprof_shares *shares, uint64_t count) {
  uint64_t largest = 0;
  for (uint64_t i = 0; i < count; i++)
    largest = shares->sums[i] > largest ? shares->sums[i] : largest;
  return largest;
}

/* Stores the longest share in each team of a loop with a chunk size to LONGEST.  Begins with the largest team: that of
   half the size gives the shares of two threads to one.  */
static void longest_loop_shares_of_chunks(struct __cilkprof_shares *shares, uint64_t *longest) {
  uint64_t sums = shares->count < MAX_THREADS ? shares->count : MAX_THREADS;
  for (int team = CILKPROF_SHARES - 1; team >= 0; team--) {
    uint64_t threads = team_loop_threads(team);
    for (uint64_t i = threads; i < sums; i++)
      shares->sums[i - threads] += shares->sums[i];
    sums = sums < threads ? sums : threads;
    longest[team] = largest_loop_share_sum(shares, sums);
  }
}

/* Returns the cost of the first ITERATIONS of SHARES, after sum_up_loop_ranges; part of a range costs in
   proportion.  */
static uint64_t cost_of_first_loop_iterations(const struct __cilkprof_shares *shares, uint64_t iterations) {
  uint64_t width = (uint64_t)1 << shares->shift, range = iterations >> shares->shift, rest = iterations & (width - 1);
  if (!rest)
    return shares->sums[range];
  uint64_t begin = range << shares->shift, size = shares->count - begin < width ? shares->count - begin : width;
  return shares->sums[range] + cost_of_loop_part(shares->sums[range + 1] - shares->sums[range], rest, size, 0);
}

/* Replaces the cost of each range of iterations in SHARES by the cost of all ranges before it.  */
static void sum_up_loop_ranges(struct __cilkprof_shares *shares) {
  uint64_t ranges = (shares->count + ((uint64_t)1 << shares->shift) - 1) >> shares->shift, before = 0;
  for (uint64_t i = 0; i <= ranges; i++) {
    uint64_t sum = i < ranges ? shares->sums[i] : 0;
    shares->sums[i] = before;
    before += sum;
  }
}

/* Returns the longest of THREADS blocks of a loop whose sums are those of all ranges before each.  */
static uint64_t longest_team_block_of_ranges(const struct __cilkprof_shares *shares, uint64_t threads) {
  uint64_t size = shares->count / threads, larger = shares->count % threads, end = 0, cost = 0, longest = 0;
  for (uint64_t i = 0; i < threads && end < shares->count; i++) {
    end += size + (i < larger);
    uint64_t now = shares->shift ? cost_of_first_loop_iterations(shares, end) : shares->sums[end];
    longest = now - cost > longest ? now - cost : longest;
    cost = now;
  }
  return longest;
}

/* Stores the longest block in each team of a loop with ranges to LONGEST.  Where there are as many threads as
   iterations, more of them change nothing.  */
static void longest_team_blocks_of_ranges(struct __cilkprof_shares *shares, uint64_t *longest) {
  sum_up_loop_ranges(shares);
  for (int team = 0; team < CILKPROF_SHARES; team++)
    longest[team] = team > 0 && team_loop_threads(team - 1) >= shares->count
                        ? longest[team - 1]
                        : longest_team_block_of_ranges(shares, team_loop_threads(team));
}

/* Ends the loop of SHARES, whose iterations have cost COST.  Stores the longest share in a team of 2, 4, ... threads in
   LONGEST.  */
void __cilkprof_shares_end(struct __cilkprof_shares *shares, uint64_t cost, uint64_t *longest) {
  if (follows_team_loop_blocks(shares))
    longest_team_loop_blocks(shares, cost, longest);
  else if (shares->chunk)
    longest_loop_shares_of_chunks(shares, longest);
  else
    longest_team_blocks_of_ranges(shares, longest);
  __cilkprof_shares_drop(shares);
}

/* Returns the iterations of the thread that has most of the TRIPS in a team of THREADS, with chunks of CHUNK
   iterations, or blocks if that is 0.  */
static uint64_t most_loop_iterations(uint64_t trips, uint64_t chunk, uint64_t threads) {
  if (!chunk)
    return trips / threads + (trips % threads > 0);
  uint64_t round;
  if (__builtin_mul_overflow(chunk, threads, &round))
    return trips < chunk ? trips : chunk; /* there is one round, which is longer than any loop */
  uint64_t rounds = trips / round, rest = trips % round;
  return rounds * chunk + (rest < chunk ? rest : chunk);
}

/* Ends the loop of SHARES, whose TRIPS iterations all cost the same and COST together.  Stores the longest share in a
   team of 2, 4, ... threads in LONGEST.  */
void __cilkprof_shares_end_even(struct __cilkprof_shares *shares, uint64_t cost, uint64_t trips, uint64_t *longest) {
  for (int team = 0; team < CILKPROF_SHARES; team++) {
    uint64_t most = most_loop_iterations(trips, shares->chunk, team_loop_threads(team));
    longest[team] = cost_of_loop_part(cost, most, trips, trips - 1);
  }
  __cilkprof_shares_drop(shares);
}
