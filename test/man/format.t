#!/bin/sh
# cilkprof.out(5) has every byte of the format.
# SPDX-License-Identifier: MIT
. "$TOP/test/man/lib.sh"

# The fields of a structure as the page has them, against what the compiler says of them.
for structure in cilkprof_file_header cilkprof_record_header cilkprof_program_payload cilkprof_run_payload cilkprof_totals \
  cilkprof_site cilkprof_measures cilkprof_measure cilkprof_loop cilkprof_estimate cilkprof_region_payload cilkprof_context cilkprof_whatif_payload \
  cilkprof_tree_payload cilkprof_tree_node cilkprof_tree_child cilkprof_tree_counts \
  cilkprof_usage_record cilkprof_usage cilkprof_workers cilkprof_root_payload cilkprof_root_site \
  cilkprof_sampling cilkprof_stack cilkprof_stack_span cilkprof_counters cilkprof_timeline_payload cilkprof_transitions_payload cilkprof_transition cilkprof_live_samples_payload \
  cilkprof_description; do
  listing cilkprof.out.5 $structure | sed 1d | awk '{ print $1, $2, $3 }' >wanted
  {
    echo '#include <stdio.h>'
    echo '#include "fmt/description.h"'
    echo '#include "fmt/live.h"'
    echo 'int main(void) {'
    echo "  struct $structure s; size_t sum = 0;"
    awk -v s=$structure '{ printf "  printf(\"%%zu %%zu %s\\n\", offsetof(struct %s, %s), sizeof s.%s); sum += sizeof s.%s;\n", $3, s, $3, $3, $3 }' wanted
    echo '  return sum != sizeof s; }'
  } >fields.c
  if gcc -I "$TOP" fields.c -o fields 2>said && ./fields >got; then
    same "$structure: offsets and sizes" wanted got
  else
    echo 'the fields do not fill the structure' >>said
    fail "$structure: all fields" said
  fi
done

listing cilkprof.out.5 tags | awk '{ print $2, $1 }' | sort >wanted
sed -n 's/^ *CILKPROF_RECORD_\([A-Z_]*\) = \([0-9]*\),.*/\1 \2/p' "$TOP/fmt/layout.h" | sort >got
same 'every tag' wanted got
listing cilkprof.out.5 flags | awk '{ print $1 }' | sort -n >wanted
sed -n '/^\/\* Flags of a run/,/^};/s/^ *CILKPROF_[A-Z_]* = \([0-9]*\).*/\1/p' "$TOP/fmt/profile.h" | sort -n >got
same 'every flag' wanted got
listing cilkprof.out.5 cilkprof_description | awk '$3 == "magic" { print $4 }' >wanted
sed -n 's/^#define CILKPROF_DESCRIPTION_MAGIC *\(0x[0-9A-F]*\)U/\1/p' "$TOP/fmt/description.h" >got
same 'the magic of a description' wanted got
sed -n 's/^#define CILKPROF_FILE_VERSION \([0-9]*\)U/12 4 version \1/p' "$TOP/fmt/layout.h" >wanted
listing cilkprof.out.5 cilkprof_file_header | awk '$3 == "version" { print $1, $2, $3, $4 }' >got
same 'the version' wanted got

listing cilkprof-profile.7 qsort.c >qsort.c
listing cilkprof.out.5 records.pl >records.pl
listing cilkprof.out.5 'example 1' >shown
sed -n 's/^\$ //p' shown >commands
sed '/^\$ /d' shown >wanted
sh -e ./commands >got 2>&1
same 'the example reads a profile' wanted got
cilkprof-report -b --summary qsort | sed -n 's/,//g; s/^ *\(Work\|Span\|Burdened span\): *\([0-9]*\) instructions/\2/p' >wanted
perl records.pl <cilkprof.out | sed -n 's/^work \([0-9]*\), span \([0-9]*\), burdened span \([0-9]*\),.*/\1\n\2\n\3/p' >got
same 'and the same totals as the report' wanted got
finish
