# Completion of cilkprof-c++ for fish: that of cilkprof-cc.
# SPDX-License-Identifier: MIT

complete -c cilkprof-c++ -w cilkprof-cc
