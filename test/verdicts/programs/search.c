/* Counts how often words occur in a text that a library makes.
   SPDX-License-Identifier: MIT

   verdict: search-text-static | cilk static=text.c | serial | text | make_text |
   colleague: make_text(), in the library, writes the text serially; that takes longer than the search.
   verdict: search-text-shared | openmp -g shared=text.c | serial | text | make_text |
   colleague: make_text(), in the library, writes the text serially; that takes longer than the search.
   verdict: search-grain | cilk -DGRAIN static=text.c | grain | grain | count_word,occurs_at |
   colleague: Every place of the text is a piece of its own, by a grainsize of 1; leave the grain to the runtime.
   verdict: search-grain-omp | openmp -DGRAIN static=text.c | grain | grain | count_word,occurs_at |
   colleague: Every place of the text is a chunk of its own, by schedule(dynamic, 1); larger chunks.  */

#include <stdio.h>
#include <stdlib.h>
#include "text.h"
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
#ifdef GRAIN
enum { LENGTH = 20000, WORDS = 8, ROUNDS = 1, PASSES = 30 };
#else
enum { LENGTH = 1500000, WORDS = 4, ROUNDS = 12, PASSES = 1 };
#endif

static const char *const words[] = {"tree", "leaf", "root", "spawn", "sync", "span", "work", "loop"};
static char found[LENGTH];

static int occurs_at(const char *text, const char *word) {
  while (*word != 0 && *text == *word)
    text++, word++;
  return *word == 0;
}

#ifdef GRAIN
static void count_word(const char *text, const char *word) {
  /* guilty: grain { */
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < LENGTH; i++)
    found[i] += occurs_at(text + i, word);
#else
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < LENGTH; i++)
    found[i] += occurs_at(text + i, word);
#endif
  /* guilty: grain } */
}
#else
static void count_word(const char *text, const char *word) {
#ifdef _OPENMP
#pragma omp parallel for
  for (int i = 0; i < LENGTH; i++)
    found[i] += occurs_at(text + i, word);
#else
  cilk_for (int i = 0; i < LENGTH; i++)
    found[i] += occurs_at(text + i, word);
#endif
}
#endif

int main(void) {
  char *text = malloc(LENGTH + 1);
  if (text == NULL)
    return 1;
  make_text(text, LENGTH, ROUNDS); /* guilty: text */
  for (int w = 0; w < WORDS * PASSES; w++)
    count_word(text, words[w % WORDS]); /* guilty: grain */
  int sum = 0;
  for (int i = 0; i < LENGTH; i += 1000)
    sum += found[i];
  printf("%d\n", sum);
  free(text);
  return 0;
}
