# Completion of cilkprof-report for bash.
# SPDX-License-Identifier: MIT

# The first word that is no option is the program, all others are profiles.
_cilkprof_report() {
  local word=${COMP_WORDS[COMP_CWORD]} files=0 i
  local options='--verdict --summary --flat-profile --graph --sites --csv --brief --display-unused-functions --processors --force --help --usage
    --version -p -q -b -z -h -v'
  COMPREPLY=()
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* ]] || files=$((files + 1))
  done
  compopt -o filenames 2>/dev/null
  if ((files > 0)); then
    mapfile -t COMPREPLY < <(compgen -f -X '!*cilkprof*' -- "$word")
  fi
  ((${#COMPREPLY[@]} > 0)) || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}

complete -F _cilkprof_report cilkprof-report
