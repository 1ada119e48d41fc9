# Completion of cilkprof-report for bash.
# SPDX-License-Identifier: MIT

# The first word that is no option is the program, all others are profiles.
_cilkprof_report() {
  local word=${COMP_WORDS[COMP_CWORD]} files=0 i
  local options='--verdict --summary --flat-profile --no-flat-profile --graph --no-graph --sites --critical-path --whatif --contexts --regions
    --annotated-source --no-annotated-source --exec-counts --no-exec-counts --function-ordering --file-ordering --file-info --sum --html --plot
    --format --metric --csv --output
    --brief --traditional-columns --traditional --line --inline-file-names --print-path --display-unused-functions
    --width --demangle --no-demangle --all-lines --separate-files --table-length --min-count --directory-path
    --processors --trials --no-static --static-call-graph --ignore-non-functions --time --no-time --external-symbol-table
    --file-format --color --no-pager --diff --gate --reference --force --recover --debug --help --usage --version
    -o -p -P -q -Q -B -A -J -C -Z -r -R -i -s -b -T -l -L -z -w -x -y -t -m -I -a -c -D -k -n -N -e -E -f -F -S -O -d -h -v'
  local previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  [[ $previous != '=' ]] || previous=${COMP_WORDS[COMP_CWORD - 2]} # bash takes it for a word of its own
  case $previous in
  --format) mapfile -t COMPREPLY < <(compgen -W 'csv json callgrind gmon collapsed speedscope pprof' -- "$word") ;;
  --metric) mapfile -t COMPREPLY < <(compgen -W 'work span calls' -- "$word") ;;
  esac
  ((${#COMPREPLY[@]} == 0)) || return 0
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
    -[oRwtmIknNeEfFSO] | --gate | --format | --metric | --output | --reference | --processors) i=$((i + 1)) ;; # its argument is the next word
    -*) ;;
    *) files=$((files + 1)) ;;
    esac
  done
  compopt -o filenames 2>/dev/null
  if ((files > 0)); then
    mapfile -t COMPREPLY < <(compgen -f -X '!*cilkprof*' -- "$word")
  fi
  ((${#COMPREPLY[@]} > 0)) || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

complete -F _cilkprof_report cilkprof-report
