# A line of values of parallel-profile, from the table of sites: NAME, SECONDS, work and span of main's largest call.
# SPDX-License-Identifier: MIT

NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["caller"] == "main" && $at["on_work_top_caller_work"] > most {
  most = $at["on_work_top_caller_work"]
  span = $at["on_work_top_caller_span"]
}
END { print name, seconds, most + 0, span + 0 }
