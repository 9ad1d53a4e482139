import { appendFileSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { git } from "./repositories.test.support.js";

const HOOKS = [
  ...["applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit"],
  ...["prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout"],
  ...["post-merge", "pre-push", "pre-auto-gc", "post-rewrite", "reference-transaction"],
  ...["post-index-change", "fsmonitor-watchman", "proc-receive", "update", "post-update"],
];

/** Settings that make git run a program. */
const SETTINGS = [
  ...["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass"],
  ...["core.alternateRefsCommand", "core.gitProxy", "sequence.editor", "diff.external"],
  ...["interactive.diffFilter", "gpg.program", "gpg.ssh.program", "gpg.x509.program"],
  ...["credential.helper", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process"],
  ...["diff.trap.textconv", "diff.trap.command", "merge.trap.driver", "trailer.trap.command"],
  ...["uploadpack.packObjectsHook", "gc.recentObjectsHook", "tar.tar.command", "pager.log"],
  ...["pager.fsck", "pager.for-each-ref", "pager.bundle"],
];
const ALIASES = ["fast-import", "rev-parse", "cat-file", "ls-tree", "update-ref", "log", "fsck"];
/** Variables that make git run a program, or that add settings. */
const VARIABLES = [
  ...["GIT_PAGER", "GIT_EDITOR", "GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND"],
  ...["GIT_EXTERNAL_DIFF", "GIT_SEQUENCE_EDITOR", "PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS"],
];

/**
 * Makes a repository, the settings of the user and the environment run a program in every way that git knows. Returns
 * how many ways these are, and what ran so far.
 */
export function makeHostile(directory: string, gitDirectory: string) {
  const place = scratchDirectory();
  const marks = join(place, "marks");
  mkdirSync(marks);
  const tripwire = (name: string) => {
    const program = join(place, name.replaceAll("/", "-"));
    writeFileSync(program, `#!/bin/sh\ntouch "${marks}/$(basename "$0")"\ncat 2>/dev/null\n`, {
      mode: 0o755,
    });
    return program;
  };
  for (const hook of HOOKS) copyFileSync(tripwire(hook), join(gitDirectory, "hooks", hook));
  for (const setting of SETTINGS) git(directory, "config", setting, tripwire(setting));
  for (const alias of ALIASES)
    git(directory, "config", `alias.${alias}`, `!${tripwire(`alias.${alias}`)}`);
  for (const setting of ["commit.gpgSign", "tag.gpgSign", "log.showSignature"])
    git(directory, "config", setting, "true");
  git(directory, "config", "extensions.partialClone", "trap");
  git(directory, "config", "remote.trap.promisor", "true");
  git(directory, "config", "remote.trap.url", `ext::${tripwire("remote-helper")}`);
  writeFileSync(join(gitDirectory, "info/attributes"), "* filter=trap diff=trap merge=trap\n");
  // A user's settings, found through the environment.
  const home = join(place, "home");
  mkdirSync(home);
  appendFileSync(
    join(home, ".gitconfig"),
    `[core]\n\tfsmonitor = ${tripwire("home-fsmonitor")}\n\thooksPath = ${join(gitDirectory, "hooks")}\n`,
  );
  const variables: Record<string, string> = {
    HOME: home,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: tripwire("environment-fsmonitor"),
  };
  for (const name of VARIABLES) variables[name] = tripwire(name);
  const before = { ...process.env };
  Object.assign(process.env, variables);
  onTestFinished(() => {
    for (const name of Object.keys(variables)) {
      const old = before[name];
      if (old === undefined) delete process.env[name];
      else process.env[name] = old;
    }
  });
  return {
    count: HOOKS.length + SETTINGS.length + ALIASES.length + VARIABLES.length + 3,
    fired: () => readdirSync(marks),
  };
}
