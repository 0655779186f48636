# Everything a person needs: `make` lists it. Each step does only what is not done yet.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export PATH := $(CURDIR)/.tools/node_modules/.bin:$(HOME)/.cargo/bin:$(PATH)

UI_BUILT := ui/dist/index.html
UI_PACKAGES := ui/node_modules/.package-lock.json
TEST_PACKAGES := tests/node_modules/.package-lock.json
UI_SOURCES := $(shell find ui/src ui/public -type f 2>/dev/null) ui/index.html ui/package.json ui/vite.config.ts ui/pdf_resources.ts ui/svelte.config.js ui/tsconfig.json
# A copy of the sources without the window's room, beside the build so that the dependencies are shared.
WITHOUT_WINDOW := target/without-window
# Tests that go on for longer hang, and are ended.
STUCK := 25m
# The program with its tests: a plain build has fewer features in its dependencies, and would build them anew.
BUILD_FOR_TESTS := cargo test --locked --no-run
TEST_IN_NODE := node --test --test-concurrency=1 --test-timeout=600000 --test-force-exit
DISPLAY_FOUND := $(DISPLAY)$(WAYLAND_DISPLAY)

.PHONY: help run serve ui test lint licences audit test-ui test-rust torture test-without-window test-desktop test-e2e screenshots mutants bench package install-build install-window install-test install-test-rust clean

help: ## List what there is to make
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS=$$'\t' read -r name what; do printf '  make %-20s %s\n' "$$name" "$$what"; done

run: ## Install what is missing, build, and open the window (where there is no display: serve)
ifneq ($(DISPLAY_FOUND),)
run: install-window $(UI_BUILT)
	cargo build --locked --release
	target/release/isolario $(ARGS)
else
run: serve
endif

serve: install-build $(UI_BUILT) ## Build the server alone, without WebKit, and serve
	@echo "No window: this builds and starts the server alone. The same UI is at the address that it prints."
	cargo build --locked --release --no-default-features
	target/release/isolario serve $(ARGS)

ui: install-build $(UI_BUILT) ## Build the UI

test: install-test install-test-rust lint licences test-ui test-rust test-desktop test-e2e test-without-window ## Install what is missing and run every check and test

lint: install-window $(UI_BUILT) ## Formatting, clippy, types of the UI
	cargo fmt --check
	npm --prefix ui run lint
	npm --prefix ui run check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --all-targets --no-default-features -- -D warnings

licences: install-test-rust ## Licences and origins of everything that is built in (deny.toml)
	.tools/bin/cargo-deny --locked check licenses bans sources
	.ci/npm-licences ui/package-lock.json tests/package-lock.json

audit: install-test-rust ## Known weaknesses of what is built in; asks the internet
	.tools/bin/cargo-deny --locked check advisories
	npm --prefix ui audit
	npm --prefix tests audit

test-ui: $(UI_PACKAGES) ## Unit tests of the UI
	npm --prefix ui run test

test-rust: install-window install-test-rust $(UI_BUILT) ## Tests of the program, with the window in it
	$(BUILD_FOR_TESTS)
	timeout --verbose --foreground $(STUCK) cargo test --locked

torture: install-build install-test-rust $(UI_BUILT) ## Kill the server under load and judge what is left, ROUNDS times, and cut its power CUTS times; SEED repeats the choices
	ROUNDS=$(or $(ROUNDS),200) CUTS=$(or $(CUTS),500) $(if $(SEED),SEED=$(SEED)) cargo test --locked --no-default-features --test crash -- --nocapture

test-without-window: install-build $(UI_BUILT) ## The tests of the interface with the window's room deleted, and no trace of WebKit
	.ci/without-window $(WITHOUT_WINDOW)

test-desktop: install-test $(UI_BUILT) $(TEST_PACKAGES) ## The real window, driven under a display of its own
	$(BUILD_FOR_TESTS)
	$(TEST_IN_NODE) tests/desktop/

test-e2e: install-test $(UI_BUILT) $(TEST_PACKAGES) ## The UI in a browser
	$(BUILD_FOR_TESTS)
	$(TEST_IN_NODE) tests/e2e/

screenshots: install-test $(UI_BUILT) $(TEST_PACKAGES) ## Pictures of every screen in docs/screenshots, light and dark, in two sizes; those of the guide in docs/images
	$(BUILD_FOR_TESTS)
	node tests/screenshots/take.mjs

mutants: install-build $(UI_BUILT) ## Break every decision of the policy, one at a time, and look whether the tables notice; ONLY=may_purge for those of one function
	$(if $(ONLY),ONLY='$(ONLY)') .ci/mutants target/mutants

bench: install-build $(UI_BUILT) $(TEST_PACKAGES) ## Measure the speed beside the limits of this machine; NODES=, FILES=, ROUNDS=, SECONDS=, ONLY=reads,writes,uploads,watched,downloads,thumbnails,followed,scale,frames
	@.ci/install-packages bench
	cargo bench --locked --no-default-features --bench speed

package: install-window $(UI_BUILT) ## A .deb with menu entry, icon and a systemd unit that is off
	ui/node_modules/.bin/tauri build --bundles deb --ci -- --locked
	@ls target/release/bundle/deb/*.deb

install-build:
	@.ci/install-packages build
	@.ci/install-rust
	@.ci/install-node

install-window: install-build
	@.ci/install-packages window

install-test: install-window
	@.ci/install-packages test

install-test-rust: install-build
	@.ci/install-packages test-rust
	@.ci/install-validators

$(UI_PACKAGES): ui/package-lock.json | install-build
	npm --prefix ui ci --no-fund --no-audit
	@touch $@

$(TEST_PACKAGES): tests/package-lock.json | install-build
	npm --prefix tests ci --no-fund --no-audit
	@touch $@

$(UI_BUILT): $(UI_PACKAGES) $(UI_SOURCES)
	npm --prefix ui run build
	@touch $@

clean: ## Remove everything that was built
	rm -rf target ui/dist ui/node_modules tests/node_modules .tools gen permissions
