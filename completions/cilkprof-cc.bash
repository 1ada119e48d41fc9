# Completion of cilkprof-cc, cilkprof-c++ and cilkprof-fortran for bash: their own options, then what gcc completes.
# SPDX-License-Identifier: MIT

_cilkprof_modes() {
  mapfile -t COMPREPLY < <(compgen -P "$1" -W 'hybrid count clock whatif parallel parallel-count' -- "$2")
}

# What bash-completion has for gcc; file names where it is not installed.
_cilkprof_gcc() {
  declare -F _gcc >/dev/null || { declare -F _completion_loader >/dev/null && _completion_loader gcc; }
  if declare -F _gcc >/dev/null; then
    _gcc "$@"
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}

# Readline takes "=" for a word of its own, unless it was told not to.
_cilkprof_cc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} own='-fcilkplus -fcilkplus=serial -fcilkplus-pedigrees -Wcilk-serial -fcilkprof -fcilkprof= -fcilkprof-callbacks -fcilkprof-no-reference'
  COMPREPLY=()
  if [[ $word == -fcilkprof=* ]]; then
    _cilkprof_modes -fcilkprof= "${word#*=}"
    return
  elif [[ $word == = && $before == -fcilkprof ]]; then
    _cilkprof_modes '' ''
    return
  elif [[ $before == = && ${COMP_WORDS[COMP_CWORD - 2]} == -fcilkprof ]]; then
    _cilkprof_modes '' "$word"
    return
  fi
  ((COMP_CWORD > 1)) || own+=' --print-path --print-specs --print-cmake --print-clangd --version'
  [[ $word != -* ]] || mapfile -t COMPREPLY < <(compgen -W "$own" -- "$word")
  local found=("${COMPREPLY[@]}")
  _cilkprof_gcc "$@"
  COMPREPLY=("${found[@]}" "${COMPREPLY[@]}")
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -F _cilkprof_cc cilkprof-cc cilkprof-c++ cilkprof-fortran
