# Completion of cilkprof for fish: its commands; then what the program completes that does the command.
# SPDX-License-Identifier: MIT

# What is completed behind a command: as if the program that does it had been typed.
function __cilkprof_as
    set -l words (commandline -opc)
    set -l as cilkprof-run
    set -l rest $words[3..-1]
    switch $words[2]
        case cc c++ fortran
            set as cilkprof-$words[2]
        case run waste predict
        case scale
            set as cilkprof-run --trials
        case diff
            set as cilkprof-report --diff
        case export
            set as cilkprof-report
            if set -q words[3]
                set rest $words[4..-1]
            else
                set as cilkprof-report --format
            end
        case report gate html annotate
            set as cilkprof-report
        case help
            return
        case '*'
            set rest $words[2..-1]
    end
    complete -C (string join ' ' -- (string escape -- $as $rest) (commandline -ct))
end

function __cilkprof_first
    test (count (commandline -opc)) = 1
end

complete -c cilkprof -n __cilkprof_first -l help -d 'List the commands'
complete -c cilkprof -n __cilkprof_first -l version -d 'Print the version'
complete -c cilkprof -n __cilkprof_first -a cc -d 'Compile C for profiling'
complete -c cilkprof -n __cilkprof_first -a c++ -d 'Compile C++ for profiling'
complete -c cilkprof -n __cilkprof_first -a fortran -d 'Compile Fortran for profiling'
complete -c cilkprof -n __cilkprof_first -a run -d 'Profile a program'
complete -c cilkprof -n __cilkprof_first -a scale -d 'Run a parallel program on several numbers of processors'
complete -c cilkprof -n __cilkprof_first -a waste -d 'Sample a parallel run'
complete -c cilkprof -n __cilkprof_first -a predict -d 'Predict speedups'
complete -c cilkprof -n __cilkprof_first -a report -d 'Print the verdict and the tables'
complete -c cilkprof -n __cilkprof_first -a diff -d 'Compare two profiles'
complete -c cilkprof -n __cilkprof_first -a gate -d 'Check rules'
complete -c cilkprof -n __cilkprof_first -a export -d 'Write the profile in another format'
complete -c cilkprof -n __cilkprof_first -a html -d 'Write a page for a browser'
complete -c cilkprof -n __cilkprof_first -a annotate -d 'Print the source with its costs'
complete -c cilkprof -n __cilkprof_first -a help -d 'Explain a command'
complete -c cilkprof -n 'not __cilkprof_first' -f -a '(__cilkprof_as)'
