/* Counts words in a hash table that all threads share, under one lock.
   SPDX-License-Identifier: MIT

   verdict: hash-mutex | cilk | lock | lock | add | 2:1.6 8:1.6
   colleague: add() has one mutex for the whole table, and most of the work is under it; lock buckets, or shard.
   verdict: hash-critical | openmp -DCRITICAL | lock | lock | add | 2:1.6 8:1.6
   colleague: add() has one critical section for the whole table, and most of the work is in it.
   verdict: hash-mutex-omp-inlined | openmp | lock | lock | add | 2:1.6 8:1.6
   colleague: The lock_guard of add, inlined into the loop, has most of the work: the mutex needs to be split.
   verdict: hash-mutex-omp | openmp -g -DNOINLINE | lock | lock | add | 2:1.6 8:1.6
   colleague: add() has one mutex for the whole table, and most of the work is under it; lock buckets, or shard.  */

#include <cstdint>
#include <cstdio>
#include <list>
#include <mutex>
#include <utility>
#include <vector>
#ifdef _OPENMP
#define parallel_for _Pragma("omp parallel for schedule(dynamic, 512)") for
#else
#include <cilk/cilk.h>
#define parallel_for cilk_for
#endif
#ifdef NOINLINE
#define PART __attribute__((noinline))
#else
#define PART inline
#endif

template <typename Key, typename Value> class table {
public:
  explicit table(size_t size) : buckets(size) {}

  /* guilty: lock { */
  PART void add(const Key &key, Value more) {
#ifdef CRITICAL
#pragma omp critical
    insert(key, more);
#else
    std::lock_guard<std::mutex> hold(guard);
    insert(key, more);
#endif
  }
  /* guilty: lock } */

  Value get(const Key &key) const {
    for (auto &entry : buckets[key % buckets.size()])
      if (entry.first == key)
        return entry.second;
    return 0;
  }

private:
  void insert(const Key &key, Value more) {
    auto &bucket = buckets[key % buckets.size()];
    for (auto &entry : bucket)
      if (entry.first == key) {
        entry.second += more;
        return;
      }
    bucket.emplace_back(key, more);
  }
  std::vector<std::list<std::pair<Key, Value>>> buckets;
  std::mutex guard;
};

int main() {
  const int words = 200000;
  table<uint32_t, long> counts(512);
  parallel_for(int i = 0; i < words; i++) {
    uint32_t word = (uint32_t)i * 2654435761u >> 18;
    counts.add(word, 1); /* guilty: lock */
  }
  std::printf("%ld\n", counts.get(77));
  return 0;
}
