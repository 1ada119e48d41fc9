# Completion of cilkprof-cc for fish: its own options, then what gcc completes.
# SPDX-License-Identifier: MIT

complete -c cilkprof-cc -w gcc
complete -c cilkprof-cc -o fcilkplus -d 'Know the keywords of Cilk, run in parallel'
complete -c cilkprof-cc -o fcilkplus=serial -d 'Compile the serial program'
complete -c cilkprof-cc -o fcilkplus-pedigrees -d 'Keep the pedigrees of a parallel program'
complete -c cilkprof-cc -o Wcilk-serial -d 'Warn of what stays serial'
complete -c cilkprof-cc -o fcilkprof -d 'Measure the program while it runs'
complete -c cilkprof-cc -o fcilkprof=hybrid -d 'Follow all calls'
complete -c cilkprof-cc -o fcilkprof=count -d 'Count instructions'
complete -c cilkprof-cc -o fcilkprof=clock -d 'Time every strand'
complete -c cilkprof-cc -o fcilkprof=whatif -d 'Answer what-if questions'
complete -c cilkprof-cc -o fcilkprof=parallel -d 'Time a parallel run'
complete -c cilkprof-cc -o fcilkprof=parallel-count -d 'Count instructions of a parallel run'
complete -c cilkprof-cc -o fcilkprof-callbacks -d 'Call back into a tool'
complete -c cilkprof-cc -o fcilkprof-no-reference -d 'Leave out the functions without events'
complete -c cilkprof-cc -n __fish_is_first_token -l print-path -d 'Print the folder with cc, gcc, c++, g++ and gfortran'
complete -c cilkprof-cc -n __fish_is_first_token -l print-specs -d 'Print the specs file'
complete -c cilkprof-cc -n __fish_is_first_token -l print-cmake -d 'Print the folder with what cmake reads'
complete -c cilkprof-cc -n __fish_is_first_token -l print-clangd -d 'Print a .clangd for editors'
complete -c cilkprof-cc -n __fish_is_first_token -l version -d 'Print the versions of gcc and cilkprof'
