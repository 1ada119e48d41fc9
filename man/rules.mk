# Manual pages: every man/NAME.SECTION is installed.
# SPDX-License-Identifier: MIT

MAN_PAGES := $(sort $(wildcard man/*.[1-8]))
man_path   = share/man/man$(patsubst .%,%,$(suffix $(1)))/$(notdir $(1))

INSTALLED     += $(foreach page,$(MAN_PAGES),$(call man_path,$(page)))
INSTALL_STEPS += $(foreach page,$(MAN_PAGES),install -D -m 644 $(page) $(DESTDIR)$(PREFIX)/$(call man_path,$(page));)
