# Completions of the shells: each is installed where its shell looks for the command.  Those of cilkprof-report are made
# from its --help=all.
# SPDX-License-Identifier: MIT

BASH_COMPLETIONS := completions/cilkprof.bash completions/cilkprof-cc.bash completions/cilkprof-run.bash $(BUILD)/completions/cilkprof-report.bash
ZSH_COMPLETIONS  := completions/_cilkprof completions/_cilkprof-cc completions/_cilkprof-run $(BUILD)/completions/_cilkprof-report
FISH_COMPLETIONS := completions/cilkprof.fish completions/cilkprof-cc.fish completions/cilkprof-c++.fish completions/cilkprof-fortran.fish completions/cilkprof-run.fish $(BUILD)/completions/cilkprof-report.fish
COMPLETIONS      := $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS)
MADE_COMPLETIONS := $(filter $(BUILD)/%,$(COMPLETIONS))

$(BUILD)/completions/cilkprof-report.bash: completions/bash.awk completions/cilkprof-report.bash.in
$(BUILD)/completions/_cilkprof-report: completions/zsh.awk
$(BUILD)/completions/cilkprof-report.fish: completions/fish.awk
$(MADE_COMPLETIONS): completions/options.awk $(REPORT)
	@mkdir -p $(@D)
	ARGP_HELP_FMT=rmargin=1000 $(REPORT) --help=all | awk -f completions/options.awk | \
	  awk -f $(filter-out %/options.awk,$(filter %.awk,$^)) - $(filter %.in,$^) >$@
ALL += $(if $(filter $(REPORT),$(ALL)),$(MADE_COMPLETIONS))

# bash-completion loads a file by the name of the command.
completion_path = $(if $(filter %.bash,$(1)),share/bash-completion/completions/$(notdir $(basename $(1))),$(if \
  $(filter %.fish,$(1)),share/fish/vendor_completions.d/,share/zsh/site-functions/)$(notdir $(1)))

INSTALLED     += $(foreach file,$(COMPLETIONS),$(call completion_path,$(file))) share/bash-completion/completions/cilkprof-c++ share/bash-completion/completions/cilkprof-fortran
INSTALL_STEPS += $(foreach file,$(COMPLETIONS),install -D -m 644 $(file) $(DESTDIR)$(PREFIX)/$(call completion_path,$(file));)
INSTALL_STEPS += ln -sf cilkprof-cc $(DESTDIR)$(PREFIX)/share/bash-completion/completions/cilkprof-c++; ln -sf cilkprof-cc $(DESTDIR)$(PREFIX)/share/bash-completion/completions/cilkprof-fortran;
