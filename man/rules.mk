# Manual pages: every man/NAME.SECTION is installed, and for every other name that it says it is about a page that leads to it.
# SPDX-License-Identifier: MIT

MAN_PAGES := $(sort $(wildcard man/*.[1-8]))
man_path   = share/man/man$(patsubst .%,%,$(suffix $(1)))/$(notdir $(1))

INSTALLED     += $(foreach page,$(MAN_PAGES),$(call man_path,$(page)))
INSTALL_STEPS += $(foreach page,$(MAN_PAGES),install -D -m 644 $(page) $(DESTDIR)$(PREFIX)/$(call man_path,$(page));)

# $(call man_links,PAGE): what stands before the dash in its section NAME, as pages of its section.
man_links  = $(patsubst %,share/man/man$(patsubst .%,%,$(suffix $(1)))/%$(suffix $(1)),$(filter-out $(basename $(notdir $(1))), \
  $(shell awk '/^.SH NAME/ { getline; sub(/ .-.*/, ""); gsub(/,/, ""); print; exit }' $(1))))
INSTALLED     += $(foreach page,$(MAN_PAGES),$(call man_links,$(page)))
INSTALL_STEPS += $(foreach page,$(MAN_PAGES),$(foreach link,$(call man_links,$(page)),\
  echo '.so $(patsubst share/man/%,%,$(call man_path,$(page)))' >$(DESTDIR)$(PREFIX)/$(link);))
