# Completion of cilkprof-run for bash: its own options, then the program, and what that completes.
# SPDX-License-Identifier: MIT

_cilkprof_run() {
  local word=${COMP_WORDS[COMP_CWORD]} i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
    -o | --output | -j | --workers | -F | --frequency | --runs | --bounds | --root | --whatif | --burden | --loop-workers | --team | --tolerance | \
      --tree-memory | --interval | --signal | --force-steals)
      ((i++))
      [[ ${COMP_WORDS[i]} != = ]] || ((i++))
      ;;
    --trials | --copies | --samples) # what follows is theirs only behind =
      [[ ${COMP_WORDS[i + 1]} != = ]] || ((i += 2))
      ;;
    -* | =) ;;
    *)
      if declare -F _command_offset >/dev/null; then
        _command_offset $i
      else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi
      return
      ;;
    esac
  done
  [[ $word != = ]] || word=
  if ((i > COMP_CWORD)) || [[ $word == --output=* ]]; then # the argument of an option
    compopt -o filenames 2>/dev/null
    [[ ${COMP_WORDS[*]:COMP_CWORD-2:2} =~ (-j|-F|--(workers|frequency|runs|trials|copies|root|whatif|burden|loop-workers|team|tolerance|tree-memory|interval|signal|force-steals)) ]] ||
      mapfile -t COMPREPLY < <(compgen -f -- "${word#--output=}")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '-o --output= -j --workers= -F --frequency= --openmp --forks --runs= --no-reference --trials --copies --bounds= --samples --contexts --root= --whatif= --burden= --loop-workers= --team= --follow --tolerance= --tree-memory= --interval= --signal= --no-live --force-steals= -h --help --usage -v --version' -- "$word")
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -c -f -- "$word" | sort -u)
  fi
}

complete -F _cilkprof_run cilkprof-run
