#!/bin/sh
# The completions of zsh and fish, asked for by these shells: every option of the argp table, words, files.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

completions=$BUILD_DIR/completions
"$BUILD_DIR/bin/cilkprof-report" --help=all |
  awk '/^  *-/ { for (i = 1; $i ~ /^-/; i++) { sub(/[[=,].*/, "", $i); print $i } }' | sort >options
grep '^--' options >long
holds 'there are options' test -s long
touch cilkprof.out cilkprof.12 notes.txt prog.c program
chmod +x program
mkdir bin
"$BUILD_DIR/bin/cilkprof-run" --help |
  awk '/^  *-/ { for (i = 1; $i ~ /^-/; i++) { sub(/[[=,].*/, "", $i); print $i } }' | grep '^--' | sort >run-options
holds 'cilkprof-run has some' test -s run-options
{
  "$BUILD_DIR/bin/cilkprof" --help | sed -n 's/^  \([a-z+][a-z+]*\)  .*/\1/p'
  echo help
} | sort >commands
holds 'cilkprof has commands' test "$(grep -c . commands)" -gt 10
ln -s "$BUILD_DIR/bin/cilkprof" "$BUILD_DIR/bin/cilkprof-run" "$BUILD_DIR/bin/cilkprof-report" "$BUILD_DIR/bin/cilkprof-cc" "$BUILD_DIR/bin/cilkprof-c++" bin
PATH=$PWD/bin:$PATH

if command -v bash >/dev/null; then
  # from_bash WORD...: what it completes after cilkprof-run.
  from_bash() {
    bash --norc -c '. "$TOP/completions/cilkprof-run.bash"; COMP_WORDS=(cilkprof-run "$@") COMP_CWORD=$#; _cilkprof_run
      printf "%s\\n" "${COMPREPLY[@]}"' - "$@" 2>&1 | sort -u
  }
  export TOP
  from_bash -- | sed 's/=$//' >got
  same 'bash: cilkprof-run, every option' run-options got
  from_bash -o no >got
  echo notes.txt >wanted
  same 'bash: cilkprof-run, a file' wanted got
  from_bash --output = no >got
  same 'bash: cilkprof-run, a file behind =' wanted got
  from_bash --output=no >got
  same 'bash: cilkprof-run, a file in the same word' wanted got
  from_bash --runs '' >got
  echo >wanted
  same 'bash: cilkprof-run, nothing for a number' wanted got
  from_bash -o x cilkprof-rep >got
  echo cilkprof-report >wanted
  same 'bash: cilkprof-run, a program' wanted got
  from_bash --runs = 2 prog no >got
  echo notes.txt >wanted
  same 'bash: cilkprof-run, files for the program' wanted got
  from_bash --trials = 1,2 prog no >got
  same 'bash: cilkprof-run, the program behind numbers' wanted got
  from_bash --bounds = no >got
  same 'bash: cilkprof-run, a profile' wanted got
  from_bash --copies cilkprof-rep >got
  echo cilkprof-report >wanted
  same 'bash: cilkprof-run, a program where no number is given' wanted got
  from_bash --trials = '' >got
  echo >wanted
  same 'bash: cilkprof-run, nothing for numbers' wanted got

  # cilkprof_in_bash WORD...: what it completes after cilkprof, with all completions in one folder, as they are installed.
  mkdir .shared
  for file in "$TOP"/completions/*.bash "$completions"/*.bash; do
    cp "$file" ".shared/$(basename "$file" .bash)"
  done
  cilkprof_in_bash() {
    bash --norc -c '. .shared/cilkprof; COMP_WORDS=(cilkprof "$@") COMP_CWORD=$#; _cilkprof
      printf "%s\\n" "${COMPREPLY[@]}"' - "$@" 2>&1 | sort -u
  }
  (mkdir .none && cd .none && ln -s ../.shared . && cilkprof_in_bash '') | grep -v '^\.' >got
  same 'bash: cilkprof, every command' commands got
  cilkprof_in_bash run -- | sed 's/=$//' >got
  same 'bash: cilkprof run, the options of cilkprof-run' run-options got
  cilkprof_in_bash report -- >got
  same 'bash: cilkprof report, the options of cilkprof-report' long got
  cilkprof_in_bash export js >got
  echo json >wanted
  same 'bash: cilkprof export, a format' wanted got
  cilkprof_in_bash cc -fcilkprof=c >got
  grep -q -- 'count$' got && pass 'bash: cilkprof cc, the options of cilkprof-cc' || fail 'bash: cilkprof cc, the options of cilkprof-cc' got
fi

if command -v fish >/dev/null; then
  export HOME="$PWD"
  # from_fish LINE: what it completes, one a line, without explanations.
  from_fish() {
    fish --no-config -c "source $completions/cilkprof-report.fish; source $TOP/completions/cilkprof-cc.fish
      source $TOP/completions/cilkprof-c++.fish; source $TOP/completions/cilkprof-run.fish; source $TOP/completions/cilkprof.fish; complete -C '$1'" 2>&1 | cut -f 1 | sort -u
  }
  from_fish 'cilkprof-report --' | sed 's/=$//' | sort -u >got
  same 'fish: every long option' long got
  from_fish 'cilkprof-report -' | grep '^-.$' >got
  grep '^-.$' options | sort >wanted
  same 'fish: every letter' wanted got
  from_fish 'cilkprof-report --color=' >got
  printf -- '--color=%s\n' always auto never >wanted
  same 'fish: words' wanted got
  from_fish 'cilkprof-report --format=js' >got
  echo --format=json >wanted
  same 'fish: formats' wanted got
  from_fish 'cilkprof-report --metric=' >got
  printf -- '--metric=%s\n' calls idleness overhead span waiting work >wanted
  same 'fish: metrics' wanted got
  from_fish 'cilkprof-report -O ' >got
  printf '%s\n' auto magic >wanted
  same 'fish: the argument of a letter' wanted got
  from_fish 'cilkprof-report --trials=no' >got
  echo --trials=notes.txt >wanted
  same 'fish: files' wanted got
  from_fish 'cilkprof-report --gate=burd' >got
  printf -- '--gate=%s\n' burdened_parallelism burdened_span >wanted
  same 'fish: what rules begin with' wanted got
  from_fish 'cilkprof-report ' >got
  printf '%s\n' bin/ cilkprof.12 cilkprof.out program >wanted
  same 'fish: programs and profiles' wanted got
  from_fish 'cilkprof-report no' >got
  echo notes.txt >wanted
  same 'fish: any file, when there is none' wanted got
  from_fish 'cilkprof-report --reference=pro' >got
  echo --reference=program >wanted
  same 'fish: a build' wanted got
  from_fish 'cilkprof-cc -fcilkprof=' | grep -E '=(clock|count|hybrid|parallel|parallel-count|whatif)$' >got
  printf -- '-fcilkprof=%s\n' clock count hybrid parallel parallel-count whatif >wanted
  same 'fish: modes' wanted got
  from_fish 'cilkprof-c++ -fcilkpl' | grep '^-fcilkpl' >got # fish 4 shows what has these letters somewhere, too
  printf '%s\n' -fcilkplus -fcilkplus-pedigrees -fcilkplus=serial >wanted
  same 'fish: the same for C++' wanted got
  from_fish 'cilkprof-run --' | sed 's/=$//' | sort -u >got
  same 'fish: cilkprof-run, every option' run-options got
  from_fish 'cilkprof-run --output=no' >got
  echo --output=notes.txt >wanted
  same 'fish: cilkprof-run, a file' wanted got
  from_fish 'cilkprof-run -o x cilkprof-rep' >got
  echo cilkprof-report >wanted
  same 'fish: cilkprof-run, a program' wanted got
  from_fish 'cilkprof-run cilkprof-report --trials=no' >got
  echo --trials=notes.txt >wanted
  same 'fish: cilkprof-run, what the program completes' wanted got
  (mkdir -p .none && cd .none && from_fish 'cilkprof ') >got
  same 'fish: cilkprof, every command' commands got
  from_fish 'cilkprof run --' | sed 's/=$//' | sort -u >got
  same 'fish: cilkprof run, the options of cilkprof-run' run-options got
  from_fish 'cilkprof export js' >got
  echo json >wanted
  same 'fish: cilkprof export, a format' wanted got
  from_fish 'cilkprof-cc --' | grep -- '--print-path\|--print-specs\|--print-clangd\|--print-cmake\|--version' >got
  printf -- '--%s\n' print-clangd print-cmake print-path print-specs version >wanted
  same 'fish: options of the first argument' wanted got
fi

# It completes on a terminal of its own, which the system must have; whatever it would offer goes to a file.
if command -v zsh >/dev/null && ! zsh -f -c 'zmodload zsh/zpty && zpty shell true' >said 2>&1; then
  echo '# zsh is left out: there are no pseudo-terminals'
elif command -v zsh >/dev/null; then
  cat >inside.zsh <<'EOF'
PROMPT=
fpath=($completions $top/completions $fpath)
autoload -Uz compinit
compinit -u -D
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return $?
  fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits >>matches
  builtin compadd "$@"
}
finished() { print -r -- done >finished }
zle -N finished
bindkey '^X' finished
bindkey '^I' complete-word
EOF
  cat >outside.zsh <<'EOF'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "completions=${(q)1} top=${(q)2}; source ./inside.zsh"
zpty -w -n shell "$3"$'\t'$'\x18'
repeat 2400; do
  [[ -e finished ]] && break
  sleep 0.05
  zpty -r -t shell ignored
done
zpty -d shell
EOF
  # from_zsh LINE
  from_zsh() {
    rm -f matches finished
    zsh -f outside.zsh "$completions" "$TOP" "$1" >said 2>&1
    [ -e finished ] || cat said
    sort -u matches 2>/dev/null
  }
  from_zsh 'cilkprof-report --' | sed 's/=$//' | sort -u >got
  same 'zsh: every long option' long got
  from_zsh 'cilkprof-report -' | grep '^-.$' >got
  grep '^-.$' options | sort >wanted
  same 'zsh: every letter' wanted got
  from_zsh 'cilkprof-report --color=' >got
  printf '%s\n' always auto never >wanted
  same 'zsh: words' wanted got
  from_zsh 'cilkprof-report --format=js' >got
  echo json >wanted
  same 'zsh: formats' wanted got
  from_zsh 'cilkprof-report --metric=' >got
  printf '%s\n' calls idleness overhead span waiting work >wanted
  same 'zsh: metrics' wanted got
  from_zsh 'cilkprof-report -O ' >got
  printf '%s\n' auto magic >wanted
  same 'zsh: the argument of a letter' wanted got
  from_zsh 'cilkprof-report --trials=no' >got
  echo notes.txt >wanted
  same 'zsh: files' wanted got
  from_zsh 'cilkprof-report --gate=burd' >got
  printf '%s\n' burdened_parallelism burdened_span >wanted
  same 'zsh: what rules begin with' wanted got
  from_zsh 'cilkprof-report ' >got
  printf '%s\n' bin cilkprof.12 cilkprof.out program >wanted
  same 'zsh: programs and profiles' wanted got
  from_zsh 'cilkprof-report --reference=pro' >got
  echo program >wanted
  same 'zsh: a build' wanted got
  from_zsh 'cilkprof-report --diff ' >got
  printf '%s\n' bin cilkprof.12 cilkprof.out program >wanted
  same 'zsh: builds' wanted got
  from_zsh 'cilkprof-report prog ' >got
  printf '%s\n' bin cilkprof.12 cilkprof.out >wanted # one may be in a folder
  same 'zsh: profiles' wanted got
  (mkdir -p .none && cd .none && cp ../*.zsh . && from_zsh 'cilkprof ') | grep -v 'zsh$\|^matches$\|^said$' >got
  same 'zsh: cilkprof, every command' commands got
  from_zsh 'cilkprof run --' | sed 's/=$//' | sort -u >got
  same 'zsh: cilkprof run, the options of cilkprof-run' run-options got
  from_zsh 'cilkprof export js' >got
  echo json >wanted
  same 'zsh: cilkprof export, a format' wanted got
  from_zsh 'cilkprof-run --' | sed 's/=$//' | sort -u >got
  same 'zsh: cilkprof-run, every option' run-options got
  from_zsh 'cilkprof-run -o no' >got
  echo notes.txt >wanted
  same 'zsh: cilkprof-run, a file' wanted got
  from_zsh 'cilkprof-run -o x cilkprof-rep' >got
  echo cilkprof-report >wanted
  same 'zsh: cilkprof-run, a program' wanted got
  from_zsh 'cilkprof-run cilkprof-report --trials=no' >got
  echo notes.txt >wanted
  same 'zsh: cilkprof-run, what the program completes' wanted got
  from_zsh 'cilkprof-cc -fcilkprof=' | grep cilk >got
  printf -- '-fcilkprof=%s\n' clock count hybrid parallel parallel-count whatif >wanted
  same 'zsh: modes' wanted got
  from_zsh 'cilkprof-c++ -fcilkpl' | grep cilk >got
  printf '%s\n' -fcilkplus -fcilkplus-pedigrees -fcilkplus=serial >wanted
  same 'zsh: the same for C++' wanted got
fi
finish
