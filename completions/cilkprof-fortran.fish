# Completion of cilkprof-fortran for fish: that of cilkprof-cc.
# SPDX-License-Identifier: MIT

complete -c cilkprof-fortran -w cilkprof-cc
