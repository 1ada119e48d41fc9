#!/bin/sh
# The list of events, and what there is of them.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

# names FORM PREFIX: as symbols.
names() {
  sed -n "s/^$1(\([a-z_]*\),.*/__cilkprof_$2\1/p" "$TOP/libcilkprof/abi/events.def"
}
{
  names CALLED o_
  names SHORT o_short_
  names DIRECT ''
  for form in TOLD DIRECT CALLBACK; do names $form t_; done
} | sort >wanted
holds 'there are events' test "$(wc -l <wanted)" -gt 60
names WORKER o_ | sort - wanted >wanted.workers
for engine in libcilkprof libcilkprof-whatif libcilkprof-workers; do
  [ $engine != libcilkprof-workers ] || mv wanted.workers wanted
  nm "$BUILD_DIR/lib/cilkprof/$engine.a" | awk '$2 == "T" && $3 ~ /^__cilkprof_/ { print $3 }' | sort -u >there
  join wanted there >got
  same "$engine: each that is called has a body" wanted got
  grep '^__cilkprof_[ot]_' there | join -v 2 wanted - >got
  same "$engine: and no body is of none" /dev/null got
done

# Their types: those of the bodies that are inlined, and of what the engine's own header says.
cat >types.c <<'EOC'
#include "libcilkprof/engine/marks/marks.h"
#define TYPE(prefix, name, result, ...) \
  extern result (*const prefix##name)(__VA_ARGS__); \
  result (*const prefix##name)(__VA_ARGS__) = __cilkprof_##prefix##name;
#define INLINED(name, result, ...) TYPE(h_, name, result, __VA_ARGS__)
#define TOLD(name, result, ...) TYPE(h_, name, result, __VA_ARGS__)
#define DIRECT(name, result, ...) TYPE(, name, result, __VA_ARGS__)
#include "libcilkprof/abi/events.def"
EOC
holds 'bodies have the types of the list' gcc -std=gnu11 -D_GNU_SOURCE -Wall -Werror -I"$TOP" -c types.c -o types.o
sed 's/, site_t \*)/, frame_t *)/' "$TOP/libcilkprof/abi/events.def" >other.def
sed 's|libcilkprof/abi/events.def|other.def|' types.c >other.c
gcc -std=gnu11 -D_GNU_SOURCE -Wall -Werror -I"$TOP" -I. -c other.c -o other.o >errors 2>&1
holds 'others are seen' grep -q 'incompatible pointer type' errors

# The inlined ones are those that a program is compiled with.
{
  names INLINED h_
  names SHORT h_
  names TOLD h_
  echo __cilkprof_h_types
} | sort >wanted
cat "$TOP"/libcilkprof/abi/*.h | grep -o '__cilkprof_h_[a-z_]*(struct\|__cilkprof_h_[a-z_]*(__cilkprof\|__cilkprof_h_[a-z_]*(void' |
  sed 's/(.*//' | sort -u >got
same 'each that is inlined has a body, and no body is of none' wanted got
finish
