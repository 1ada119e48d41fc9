# Completion of cilkprof-run for fish: its own options, then the program, and what that completes.
# SPDX-License-Identifier: MIT

# Whether no program has been named yet.
function __cilkprof_run_first
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case -o --output -j --workers -F --frequency --runs --bounds --root --whatif --burden --loop-workers --tolerance --tree-memory --interval --signal
                set -e words[1]
            case '-*'
            case '*'
                return 1
        end
        set -e words[1]
    end
end

complete -c cilkprof-run -n __cilkprof_run_first -s o -l output -r -d 'Write the profile to a file'
complete -c cilkprof-run -n __cilkprof_run_first -s j -l workers -x -d 'Record a parallel run with so many workers'
complete -c cilkprof-run -n __cilkprof_run_first -s F -l frequency -x -d 'Take so many samples in a second'
complete -c cilkprof-run -n __cilkprof_run_first -l openmp -d 'Record what OpenMP does in what it loads later'
complete -c cilkprof-run -n __cilkprof_run_first -l runs -x -d 'Run the program so many times without its events'
complete -c cilkprof-run -n __cilkprof_run_first -l no-reference -d 'Run it for its profile only'
complete -c cilkprof-run -n __cilkprof_run_first -l trials -d 'Run a parallel program on several numbers of workers'
complete -c cilkprof-run -n __cilkprof_run_first -l copies -d 'Also run copies of it at once'
complete -c cilkprof-run -n __cilkprof_run_first -l bounds -r -d 'Print what was measured beside the bounds of a profile'
complete -c cilkprof-run -n __cilkprof_run_first -l contexts -d 'Also record calling contexts'
complete -c cilkprof-run -n __cilkprof_run_first -l root -x -d 'Also profile this function as a program of its own'
complete -c cilkprof-run -n __cilkprof_run_first -l whatif -x -d 'What if these functions cost nothing'
complete -c cilkprof-run -n __cilkprof_run_first -l burden -x -d 'The cost of moving a task, in instructions'
complete -c cilkprof-run -n __cilkprof_run_first -l loop-workers -x -d 'Divide loops as for so many processors'
complete -c cilkprof-run -n __cilkprof_run_first -l tolerance -x -d 'Merge recorded tasks that differ by less'
complete -c cilkprof-run -n __cilkprof_run_first -l tree-memory -x -d 'Limit the memory of the tree of tasks'
complete -c cilkprof-run -n __cilkprof_run_first -l interval -x -d 'Also write the profile this often'
complete -c cilkprof-run -n __cilkprof_run_first -l signal -x -d 'Also write the profile when this signal arrives'
complete -c cilkprof-run -n __cilkprof_run_first -l no-live -d 'Keep no copy for the case that the program is killed'
complete -c cilkprof-run -n __cilkprof_run_first -s h -l help -d 'Print the options'
complete -c cilkprof-run -n __cilkprof_run_first -l usage -d 'Print a short usage message'
complete -c cilkprof-run -n __cilkprof_run_first -s v -l version -d 'Print the version'
complete -c cilkprof-run -xa '(__fish_complete_subcommand -- -o --output -j --workers -F --frequency --runs --bounds --root --whatif --burden --loop-workers --tolerance --tree-memory --interval --signal)'
