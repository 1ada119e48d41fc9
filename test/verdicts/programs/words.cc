/* Counts words: each part of the text in a map of its own, which are then merged.
   SPDX-License-Identifier: MIT

   verdict: words-merge | openmp | serial | merge | merge_counts |
   colleague: The maps of the parts are merged one by one, serially, in a loop that is inlined into main.
   verdict: words-merge-cilk | cilk -g | serial | merge | merge_counts |
   colleague: The maps of the parts are merged one by one, serially, in a loop that is inlined into main.  */

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 1)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif

using counts = std::unordered_map<std::string, int>;
static const int parts = 64, words_in_part = 1200;

static std::string make_word(unsigned number) {
  std::string word = "w";
  for (number = number * 2654435761u >> 12; number > 0; number /= 26)
    word += (char)('a' + number % 26);
  return word;
}

static void count_part(counts &mine, int part) {
  for (int i = 0; i < words_in_part; i++)
    mine[make_word((unsigned)(part * words_in_part + i))]++;
}

/* guilty: merge { */
static void merge_counts(counts &all, const std::vector<counts> &of_parts) {
  for (const counts &mine : of_parts)
    for (const auto &entry : mine)
      all[entry.first] += entry.second;
}
/* guilty: merge } */

int main() {
  std::vector<counts> of_parts(parts);
  parallel_for(int part = 0; part < parts; part++) count_part(of_parts[part], part);
  counts all;
  merge_counts(all, of_parts); /* guilty: merge */
  std::printf("%zu\n", all.size());
  return 0;
}
