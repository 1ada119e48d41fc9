# Completion of cilkprof-run for fish: its own options, then the program, and what that completes.
# SPDX-License-Identifier: MIT

# Whether no program has been named yet.
function __cilkprof_run_first
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case -o --output -j --workers -F --frequency --runs --bounds --root --whatif --burden --loop-workers --team --tolerance --tree-memory --interval --signal --force-steals
                set -e words[1]
            case '-*'
            case '*'
                return 1
        end
        set -e words[1]
    end
end

complete -c cilkprof-run -n __cilkprof_run_first -s o -l output -r -d 'Write the profile to a file'
complete -c cilkprof-run -n __cilkprof_run_first -s j -l workers -x -d 'Run a parallel program with N threads'
complete -c cilkprof-run -n __cilkprof_run_first -s F -l frequency -x -d 'Samples per second of processor time'
complete -c cilkprof-run -n __cilkprof_run_first -l openmp -d 'It loads OpenMP later, or code that forks by hand'
complete -c cilkprof-run -n __cilkprof_run_first -l forks -d 'It loads OpenMP later, or code that forks by hand'
complete -c cilkprof-run -n __cilkprof_run_first -l runs -x -d 'Do N runs without instrumentation'
complete -c cilkprof-run -n __cilkprof_run_first -l no-reference -d 'Skip the runs without instrumentation'
complete -c cilkprof-run -n __cilkprof_run_first -l trials -d 'Time a parallel program on several numbers of processors'
complete -c cilkprof-run -n __cilkprof_run_first -l copies -d 'Also run copies of it at once'
complete -c cilkprof-run -n __cilkprof_run_first -l samples -d 'Also sample these runs, into one file'
complete -c cilkprof-run -n __cilkprof_run_first -l bounds -r -d 'Compare with the bounds of a profile'
complete -c cilkprof-run -n __cilkprof_run_first -l contexts -d 'Also record calling contexts'
complete -c cilkprof-run -n __cilkprof_run_first -l root -x -d 'Also profile this function as a program of its own'
complete -c cilkprof-run -n __cilkprof_run_first -l whatif -x -d 'What if these functions cost nothing'
complete -c cilkprof-run -n __cilkprof_run_first -l burden -x -d 'The cost of moving a task, in instructions'
complete -c cilkprof-run -n __cilkprof_run_first -l loop-workers -x -d 'Divide loops as for N processors'
complete -c cilkprof-run -n __cilkprof_run_first -l team -x -d 'Threads of OpenMP regions that ask for thread numbers'
complete -c cilkprof-run -n __cilkprof_run_first -l follow -d 'Time every call in serial code'
complete -c cilkprof-run -n __cilkprof_run_first -l tolerance -x -d 'Merge recorded tasks that differ by less'
complete -c cilkprof-run -n __cilkprof_run_first -l tree-memory -x -d 'Limit the memory for recorded tasks'
complete -c cilkprof-run -n __cilkprof_run_first -l interval -x -d 'Also write the profile at this interval'
complete -c cilkprof-run -n __cilkprof_run_first -l signal -x -d 'Also write the profile when this signal arrives'
complete -c cilkprof-run -n __cilkprof_run_first -l no-live -d 'Keep no copy in case the program is killed'
complete -c cilkprof-run -n __cilkprof_run_first -l force-steals -x -d 'Test a parallel Cilk program'
complete -c cilkprof-run -n __cilkprof_run_first -s h -l help -d 'Print the options'
complete -c cilkprof-run -n __cilkprof_run_first -l usage -d 'Print a short usage message'
complete -c cilkprof-run -n __cilkprof_run_first -s v -l version -d 'Print the version'
complete -c cilkprof-run -xa '(__fish_complete_subcommand -- -o --output -j --workers -F --frequency --runs --bounds --root --whatif --burden --loop-workers --team --tolerance --tree-memory --interval --signal --force-steals)'
