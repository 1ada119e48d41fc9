/* Molecular dynamics: particles in a box attract each other and repel, each feels all others; velocity Verlet.
   SPDX-License-Identifier: MIT  */

#include "foretell.h"

enum { STEPS = 10 };
const long default_size = 700;
static const double step = 1e-4;

struct triple {
  double x, y, z;
};
static struct triple *place, *velocity, *force;
static double *potential, energy_before;

/* Returns A minus B.  */
static struct triple difference(struct triple a, struct triple b) {
  return (struct triple){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* Returns the square of the length of A.  */
static double square(struct triple a) {
  return a.x * a.x + a.y * a.y + a.z * a.z;
}

/* Computes the force on particle I, and half the potential that it has with all others.  Pairs that are close repel
   each other; all others attract, with a force that falls off.  */
static void feel(long size, long i) {
  struct triple sum = {0, 0, 0};
  double energy = 0;
  for (long j = 0; j < size; j++) {
    if (i == j)
      continue;
    struct triple to = difference(place[i], place[j]);
    double squared = square(to) + 0.5, inverse = 1 / squared, third = inverse * inverse * inverse;
    double strength = third * (12 * third - 6) * inverse;
    sum.x += strength * to.x, sum.y += strength * to.y, sum.z += strength * to.z;
    energy += third * (third - 1);
  }
  force[i] = sum;
  potential[i] = energy / 2;
}

/* Computes the forces on all SIZE particles; each particle is a task.  */
static void feel_all(long size) {
  PAR_SEC_BEGIN("forces");
  OPENMP(omp parallel for schedule(runtime))
  for (long i = 0; i < size; i++) {
    PAR_TASK_BEGIN("particle");
    feel(size, i);
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
}

/* Returns the potential and kinetic energy of all SIZE particles.  */
static double energy_now(long size) {
  double sum = 0;
  for (long i = 0; i < size; i++)
    sum += potential[i] + square(velocity[i]) / 2;
  return sum;
}

/* Allocates places, velocities, forces and potentials for SIZE particles.  */
static void make_room(long size) {
  place = room(size, sizeof *place);
  velocity = room(size, sizeof *velocity);
  force = room(size, sizeof *force);
  potential = room(size, sizeof *potential);
}

/* Puts SIZE particles at rest, at random places in a box that grows with their number.  */
static void make_input(long size) {
  double side = cbrt((double)size);
  for (long i = 0; i < size; i++) {
    uint64_t at = 3 * (uint64_t)i;
    place[i] =
        (struct triple){side * random_fraction(at), side * random_fraction(at + 1), side * random_fraction(at + 2)};
    velocity[i] = (struct triple){0, 0, 0};
  }
}

/* Accelerates all SIZE particles by their forces for half a step of time.  */
static void push(long size) {
  for (long i = 0; i < size; i++) {
    velocity[i].x += step / 2 * force[i].x;
    velocity[i].y += step / 2 * force[i].y;
    velocity[i].z += step / 2 * force[i].z;
  }
}

/* Notes the energy at the beginning, then moves the SIZE particles for STEPS steps of time.  */
static void compute(long size) {
  feel_all(size);
  energy_before = energy_now(size);
  for (int t = 0; t < STEPS; t++) {
    push(size);
    for (long i = 0; i < size; i++) {
      place[i].x += step * velocity[i].x;
      place[i].y += step * velocity[i].y;
      place[i].z += step * velocity[i].z;
    }
    feel_all(size);
    push(size);
  }
}

/* Returns whether the energy is about what it was and no impulse has come from nowhere.  */
static int is_right(long size) {
  struct triple impulse = {0, 0, 0};
  double all = 0;
  for (long i = 0; i < size; i++) {
    impulse.x += velocity[i].x, impulse.y += velocity[i].y, impulse.z += velocity[i].z;
    all += sqrt(square(velocity[i]));
  }
  double energy = energy_now(size);
  return all > 0 && fabs(energy - energy_before) < 1e-4 * fabs(energy_before) && sqrt(square(impulse)) < 1e-9 * all;
}
