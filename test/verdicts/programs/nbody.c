/* Bodies that attract each other, step by step; each step is shown, or not.
   SPDX-License-Identifier: MIT

   verdict: nbody-sleep | cilk -DSLEEP | waiting | - | - |
   colleague: It sleeps after every step, for most of its time: nothing else matters before that.
   verdict: nbody-sleep-omp | openmp -g -DSLEEP | waiting | - | - |
   colleague: It sleeps after every step, for most of its time: nothing else matters before that.
   verdict: nbody-serial | cilk -DSERIAL | no-parallelism,serial | forces | accelerate | 2:1.1 8:1.1
   colleague: Nothing is spawned; the loop over the bodies in accelerate() can be a cilk_for.
   verdict: nbody-serial-omp | cilk -DSERIAL | no-parallelism,serial | forces | accelerate | 2:1.1 8:1.1
   colleague: There is no pragma; the loop over the bodies in accelerate() can be a parallel for.
   verdict: nbody-triangle | openmp -DHALF | imbalance | half | half_forces | 2:1.45 8:5.0
   colleague: Each pair is computed once, so that later bodies have fewer: schedule(static) is unbalanced.
   verdict: nbody-none | cilk | none | - | - |
   colleague: It is well parallelised.  */

#include <math.h>
#include <stdio.h>
#include <time.h>
#ifdef SERIAL
#define parallel_for for
#elif defined _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(static)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef SLEEP
enum { BODIES = 300, STEPS = 8 };
#else
enum { BODIES = 1200, STEPS = 16 };
#endif

static struct body { double x, y, z, vx, vy, vz, energy; } bodies[BODIES];

static void attract(struct body *body, const struct body *other) {
  double dx = other->x - body->x, dy = other->y - body->y, dz = other->z - body->z;
  double square = dx * dx + dy * dy + dz * dz + 0.01, force = 1e-6 / (square * sqrt(square));
  body->vx += dx * force;
  body->vy += dy * force;
  body->vz += dz * force;
}

/* guilty: forces { */
static void accelerate(void) {
  parallel_for(int i = 0; i < BODIES; i++) for (int j = 0; j < BODIES; j++) attract(&bodies[i], &bodies[j]);
}
/* guilty: forces } */

#ifdef HALF
/* guilty: half { */
static void half_forces(void) {
  parallel_for(int i = 0; i < BODIES; i++) {
    double sum = 0;
    for (int j = i + 1; j < BODIES; j++) {
      double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y;
      sum += 1 / sqrt(dx * dx + dy * dy + 0.01);
    }
    bodies[i].energy = sum;
  }
}
/* guilty: half } */
#endif

static void move(void) {
  for (int i = 0; i < BODIES; i++) {
    bodies[i].x += bodies[i].vx;
    bodies[i].y += bodies[i].vy;
    bodies[i].z += bodies[i].vz;
  }
}

int main(void) {
  for (int i = 0; i < BODIES; i++)
    bodies[i] = (struct body){i % 11, i % 13, i % 17, 0, 0, 0, 0};
  for (int step = 0; step < STEPS; step++) {
#ifdef HALF
    half_forces(); /* guilty: half */
#else
    accelerate(); /* guilty: forces */
#endif
    move();
#ifdef SLEEP
    nanosleep(&(struct timespec){0, 20000000}, NULL);
#endif
  }
  printf("%.9f %.9f\n", bodies[1].x, bodies[1].energy);
  return 0;
}
