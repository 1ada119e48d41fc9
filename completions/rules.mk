# Completions of the shells: completions/COMMAND.bash is installed where bash-completion looks for COMMAND.
# SPDX-License-Identifier: MIT

BASH_COMPLETIONS    := $(sort $(wildcard completions/*.bash))
bash_completion_path = share/bash-completion/completions/$(notdir $(basename $(1)))

INSTALLED     += $(foreach file,$(BASH_COMPLETIONS),$(call bash_completion_path,$(file)))
INSTALL_STEPS += $(foreach file,$(BASH_COMPLETIONS),install -D -m 644 $(file) $(DESTDIR)$(PREFIX)/$(call bash_completion_path,$(file));)
