# The page of cilkprof-report in a browser.  make check skips it where there is none; this installs one.
# SPDX-License-Identifier: GPL-3.0-or-later

.PHONY: check-html
check-html: setup
	@$(call apt,chromium)
	@$(MAKE) --no-print-directory all test-programs
	$(TEST_ENVIRONMENT) prove test/html/browser.t
