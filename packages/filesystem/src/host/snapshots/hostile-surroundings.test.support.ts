import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Sets all environment variables and configuration files that would change git's behaviour to hostile values.
 * Returns the cleanup function.
 */
export function hostileSurroundings(): () => void {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "wink-hostile-"));
  const fires = join(home, "fired");
  const wire = (name: string) => tripwire(home, fires, name);
  const template = join(home, "template");
  for (const hook of [
    "pre-commit",
    "post-index-change",
    "reference-transaction",
    "post-checkout",
  ]) {
    mkdirSync(join(template, "hooks"), { recursive: true });
    writeFileSync(
      join(template, "hooks", hook),
      `#!/bin/sh\ntouch ${fires}/hook-${hook}\nexit 1\n`,
    );
    chmodSync(join(template, "hooks", hook), 0o755);
  }
  const config = [
    "[core]",
    ...["autocrlf = true", "safecrlf = true", "eol = crlf", "symlinks = false", "fileMode = false"],
    ...[
      "trustctime = false",
      "checkStat = minimal",
      "ignoreCase = true",
      "precomposeUnicode = true",
    ],
    ...["sparseCheckout = true", "splitIndex = true", "untrackedCache = true"],
    ...[
      `hooksPath = ${template}/hooks`,
      `fsmonitor = ${wire("fsmonitor")}`,
      `pager = ${wire("pager")}`,
    ],
    `attributesFile = ${join(home, "attributes")}`,
    "[submodule]\nrecurse = true\n[commit]\ngpgSign = true",
    `[gpg]\nprogram = ${wire("gpg")}`,
    `[init]\ntemplateDir = ${template}`,
    `[filter "lfs"]\nclean = ${wire("clean")}\nsmudge = ${wire("smudge")}\nprocess = ${wire("process")}\nrequired = true`,
    `[diff]\nexternal = ${wire("external")}\nnoprefix = true`,
    `[alias]\nadd = !${wire("alias")}`,
  ].join("\n");
  writeFileSync(join(home, ".gitconfig"), config);
  writeFileSync(join(home, "attributes"), "* filter=lfs text eol=crlf\n");
  mkdirSync(fires, { recursive: true });
  Object.assign(process.env, {
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
    GIT_CONFIG_SYSTEM: join(home, ".gitconfig"),
    GIT_TEMPLATE_DIR: template,
    GIT_INDEX_FILE: join(home, "index"),
    GIT_DIR: join(home, "git"),
    GIT_WORK_TREE: home,
    GIT_OBJECT_DIRECTORY: join(home, "objects"),
    GIT_NAMESPACE: "hostile",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: wire("environment"),
    GIT_EXTERNAL_DIFF: wire("external-diff"),
    GIT_TRACE: join(home, "trace"),
  });
  return () => rmSync(home, { recursive: true, force: true });
}

/** Creates a program that leaves a mark when it is started. */
export function tripwire(directory: string, fires: string, name: string): string {
  const path = join(directory, `wire-${name}`);
  writeFileSync(path, `#!/bin/sh\ntouch '${fires}/${name}'\ncat\n`);
  chmodSync(path, 0o755);
  return path;
}
