/* Teams of OpenMP in the dag: every thread is a child of what makes the team, and a barrier joins all of them.
   SPDX-License-Identifier: MIT

   What is open in a thread that does not run is kept apart from the stack.  A team may be inside of a thread of another
   one, whose threads do not run meanwhile.  */

#include <stdlib.h>

#include "test/oracle/follow.h"

enum { MAX_THREADS = 8, LEVELS = 2, DEEPEST = 256 };

static struct open_team {
  uint64_t count, running;        /* COUNT is 0 outside of teams */
  size_t base;                    /* the depth of the stack below all threads */
  uint32_t arrivals[MAX_THREADS]; /* threads at the barrier, in the order in which they came */
  size_t arrived;
  enum team around;
  struct team_thread {
    struct context open[DEEPEST]; /* the outermost first; while it does not run */
    size_t depth;
    enum team team;
  } threads[MAX_THREADS];
} teams[1 + LEVELS], *team = teams; /* the first one stands for none */

static uint32_t *posts; /* vertices that end with a write for which threads may wait, by number */
static size_t post_room;

/* Takes what is open in the thread that runs off the stack.  */
static void oracle_set_thread_aside(void) {
  struct team_thread *thread = &team->threads[team->running];
  thread->depth = oracle_context_depth(oracle_top()) + 1 - team->base;
  if (thread->depth > DEEPEST)
    oracle_fail("a thread of a team nests too deep");
  for (size_t i = thread->depth; i-- > 0;)
    thread->open[i] = oracle_take_top();
}

/* Puts what is open in THREAD on the stack.  */
static void oracle_bring_thread_back(struct team_thread *thread) {
  for (size_t i = 0; i < thread->depth; i++)
    oracle_push(thread->open[i]);
}

/* Event: invocation FRAME, with WORK of its own, makes a team of so many THREADS, each of which is spawned at SITE.  */
void oracle_on_team_run(uint64_t frame, uint64_t work, uint32_t site, uint64_t threads) {
  oracle_end_strand(oracle_running(frame), work);
  if (team - teams == LEVELS || threads > MAX_THREADS)
    oracle_fail("too many teams in teams, or one that is too large");
  team++;
  team->count = threads;
  team->base = oracle_context_depth(oracle_top()) + 1;
  team->arrived = 0;
  for (uint64_t i = 0; i < threads; i++) {
    struct context *c = oracle_invoke(CALLED, site, true);
    oracle_mark_task(c);
    oracle_tasks_begin_block(c, 32);
    team->running = i;
    oracle_set_thread_aside();
    team->threads[i].team = THREAD_OF_TEAM;
    oracle_begin_strand(oracle_top(), oracle_top()->vertex, MAKING);
  }
  team->around = oracle_tasks_set_team(THREAD_OF_TEAM);
  oracle_bring_thread_back(&team->threads[team->running = 0]);
}

/* Event: the thread with number NUMBER of the team of invocation FRAME runs from here on.  */
void oracle_on_thread(uint64_t frame, uint64_t number) {
  (void)frame;
  oracle_set_thread_aside();
  team->threads[team->running].team = oracle_tasks_set_team(team->threads[number].team);
  oracle_bring_thread_back(&team->threads[team->running = number]);
}

/* Makes the thread whose innermost context is TOP go on behind the barrier HUB, which all have reached.  Its own path
   counts if it is as long as that of others.  */
static void oracle_pass_barrier(struct context *top, uint32_t hub) {
  uint32_t join = oracle_dag_vertex(&run->dag, top->invocation, 0);
  oracle_dag_edge(&run->dag, top->vertex, join, NO_BURDEN);
  oracle_dag_edge_aside(&run->dag, hub, join);
  run->dag.edges[run->dag.edge_count - 1].burden = MOVING;
  top->vertex = join;
}

/* Draws the edges of a barrier that all threads have reached, while none is on the stack.  */
static void oracle_join_threads(void) {
  uint32_t hub = oracle_dag_vertex(&run->dag, oracle_top()->invocation, 0);
  for (size_t i = 0; i < team->count; i++) {
    const struct team_thread *thread = &team->threads[team->arrivals[i]];
    oracle_dag_edge(&run->dag, thread->open[thread->depth - 1].vertex, hub, NO_BURDEN);
  }
  for (size_t i = 0; i < team->count; i++) {
    struct team_thread *thread = &team->threads[i];
    oracle_pass_barrier(&thread->open[thread->depth - 1], hub);
    for (size_t j = 0; j < thread->depth; j++)
      run->invocations[thread->open[j].invocation].crossed = hub + 1;
  }
  team->arrived = 0;
}

void oracle_teams_barrier(struct context *c) {
  (void)c;
  team->arrivals[team->arrived++] = (uint32_t)team->running;
  if (team->arrived < team->count)
    return;
  oracle_set_thread_aside();
  oracle_join_threads();
  oracle_bring_thread_back(&team->threads[team->running]);
}

/* Event: invocation FRAME, with WORK of its own, has written to a variable.  NUMBER is that of the write.  */
void oracle_on_post(uint64_t frame, uint64_t work, uint64_t number) {
  struct context *c = oracle_running(frame);
  oracle_end_strand(c, work);
  if (number >= post_room) {
    post_room = 2 * number;
    posts = oracle_reallocate(posts, post_room * sizeof *posts);
  }
  posts[number] = c->vertex;
  oracle_begin_strand(c, c->vertex, NO_BURDEN);
}

/* Event: invocation FRAME, with WORK of its own, goes on behind the write with this NUMBER, of another thread.  Its own
   path counts if it is as long.  */
void oracle_on_join_post(uint64_t frame, uint64_t work, uint64_t number) {
  struct context *c = oracle_running(frame);
  oracle_end_strand(c, work);
  uint32_t join = oracle_dag_vertex(&run->dag, c->invocation, 0);
  oracle_dag_edge(&run->dag, c->vertex, join, NO_BURDEN);
  oracle_dag_edge_aside(&run->dag, posts[number], join);
  run->dag.edges[run->dag.edge_count - 1].from_post = true;
  c->vertex = join;
}

/* Event: all threads of the team of invocation FRAME, with WORK of its own, have ended, and are joined.  */
void oracle_on_team_end(uint64_t frame, uint64_t work) {
  oracle_set_thread_aside();
  for (uint64_t i = 0; i < team->count; i++) {
    struct context ended = team->threads[i].open[0];
    if (team->threads[i].depth != 1 || ended.kind != LEFT)
      oracle_fail("a thread of a team has not ended");
    run->invocations[ended.invocation].last = ended.vertex;
    oracle_add_child(oracle_top(), ended.vertex);
    free(ended.children);
    free(ended.grains);
    oracle_tasks_free(ended.tasks);
  }
  team->count = 0;
  oracle_tasks_set_team(team->around);
  team--;
  oracle_on_sync(frame, work);
}
