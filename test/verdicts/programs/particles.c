/* Particles in a box: forces in parallel, then what happens at the walls, one particle after the other.
   SPDX-License-Identifier: MIT

   verdict: particles-walls | cilk | serial | walls | - |
   colleague: The loop in hit_walls() that calls bounce(), cool() and age() is serial: its iterations are independent.
   verdict: particles-walls-omp | openmp -g | serial | walls | - |
   colleague: The loop in hit_walls() that calls bounce(), cool() and age() is serial: its iterations are independent.
   verdict: particles-walls-call | openmp -DNOINLINE | serial | walls | hit_walls |
   colleague: The loop in hit_walls() that calls bounce(), cool() and age() is serial: its iterations are independent.
   verdict: particles-one | cilk -DONE | serial | walls | - |
   colleague: The loop in hit_walls() that calls bounce() is serial: its iterations are independent.
   verdict: particles-none | openmp -DPARALLEL | none | - | - |
   colleague: The walls are hit in parallel too; nothing is wrong with it.  */

#include <math.h>
#include <stdio.h>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef PARALLEL
#define wall_for parallel_for
#else
#define wall_for for
#endif
enum { COUNT = 60000, STEPS = 6 };

static double place[COUNT], speed[COUNT], heat[COUNT];

/* Returns the force on a particle at X.  */
static double force(double x) {
  double sum = 0;
  for (int i = 1; i <= 24; i++)
    sum += 1 / (x * x + i);
  return sum;
}

/* Reflects particle I at the walls, and loses a part of its speed that depends on the angle.  */
__attribute__((noinline)) static void bounce(int i) {
  double part = 1;
  for (int k = 1; k < 12; k++)
    part -= 0.01 / (k + place[i] * place[i]);
  if (place[i] > 1 || place[i] < 0)
    speed[i] *= -part;
}

/* Particle I gives heat to the walls.  */
__attribute__((noinline)) static void cool(int i) {
  for (int k = 1; k < 12; k++)
    heat[i] += speed[i] / (k + heat[i] * heat[i]);
}

/* Particle I gets older, and slower with it.  */
__attribute__((noinline)) static void age(int i) {
  for (int k = 1; k < 12; k++)
    speed[i] *= 1 - 1e-6 / (k + heat[i] * heat[i]);
}

/* Lets all particles hit the walls.  */
#ifdef NOINLINE
__attribute__((noinline))
#endif
static void
hit_walls(void) {
  wall_for(int i = 0; i < COUNT; i++) { /* guilty: walls */
    bounce(i);
#ifndef ONE
    cool(i);
    age(i);
#endif
  }
}

int main(void) {
  for (int step = 0; step < STEPS; step++) {
    parallel_for(int i = 0; i < COUNT; i++) {
      speed[i] += 0.01 * force(place[i] + i % 7);
      place[i] += 0.01 * speed[i];
    }
    hit_walls();
  }
  double sum = 0;
  for (int i = 0; i < COUNT; i += 1000)
    sum += place[i] + heat[i];
  return printf("%.6f\n", sum) < 0;
}
