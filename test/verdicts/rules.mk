# The suite of planted faults: what the verdict says of programs whose fault is known.
# SPDX-License-Identifier: MIT

# All cases, or those whose names match: make verdicts CASES='kmeans-* triangle-static'.  With VERDICTS_LEAST=95 it fails, by
# 3 of its command, if fewer percent are right or any is wrong.
.PHONY: verdicts
verdicts: try-setup
	@$(MAKE) --no-print-directory all >&2
	@$(TEST_ENVIRONMENT) LEAST='$(VERDICTS_LEAST)' test/verdicts/run $(CASES)
