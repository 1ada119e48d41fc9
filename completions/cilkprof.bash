# Completion of cilkprof for bash: its commands; then what the program completes that does the command.
# SPDX-License-Identifier: MIT

_cilkprof_commands='cc c++ fortran run scale waste predict report diff gate export html annotate help'

# Loads the completion of another command, which is installed beside this one, unless it is there already.
_cilkprof_load() {
  local folder=${BASH_SOURCE[0]%/*}
  declare -F "$2" >/dev/null || . "$folder/$1" 2>/dev/null || . "$folder/$1.bash"
}

# Completes as if the words began with COMMAND and OPTION... in the place of the first N: _cilkprof_as N COMMAND...
_cilkprof_as() {
  local dropped=$1 function
  shift
  COMP_WORDS=("$@" "${COMP_WORDS[@]:dropped}")
  COMP_CWORD=$((COMP_CWORD - dropped + $#))
  function=_${1//-/_}
  case $1 in
  cilkprof-cc | cilkprof-c++ | cilkprof-fortran)
    function=_cilkprof_cc
    _cilkprof_load cilkprof-cc "$function" && "$function"
    ;;
  *) _cilkprof_load "$1" "$function" && "$function" ;;
  esac
}

_cilkprof() {
  local word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    compopt -o filenames 2>/dev/null
    [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W '--help --version' -- "$word")
    [[ $word == -* ]] || mapfile -t COMPREPLY < <(compgen -W "$_cilkprof_commands" -- "$word"; compgen -f -- "$word")
    return
  fi
  case ${COMP_WORDS[1]} in
  cc | c++ | fortran) _cilkprof_as 2 "cilkprof-${COMP_WORDS[1]}" ;;
  run | waste | predict) _cilkprof_as 2 cilkprof-run ;;
  scale) _cilkprof_as 2 cilkprof-run --trials ;;
  diff) _cilkprof_as 2 cilkprof-report --diff ;;
  export)
    if ((COMP_CWORD == 2)); then
      _cilkprof_as 2 cilkprof-report --format
    else
      _cilkprof_as 3 cilkprof-report
    fi
    ;;
  report | gate | html | annotate) _cilkprof_as 2 cilkprof-report ;;
  help) mapfile -t COMPREPLY < <(compgen -W "$_cilkprof_commands" -- "$word") ;;
  *) _cilkprof_as 1 cilkprof-run ;;
  esac
}

complete -F _cilkprof cilkprof
