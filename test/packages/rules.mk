# Packages of Debian, compiled with and without instrumentation.  It fetches their sources and takes long.
# SPDX-License-Identifier: MIT

PACKAGES_PACKAGES := autoconf automake libtool cmake tcl-dev libgtest-dev

.PHONY: check-packages
check-packages: setup-check
	@$(call apt,$(PACKAGES_PACKAGES))
	@$(MAKE) --no-print-directory all
	$(TEST_ENVIRONMENT) test/packages/run
