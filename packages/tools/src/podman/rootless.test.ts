import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { hasComponent } from "../reply/component.test.support.js";
import { hasPodman, makeFolder, SMALL_IMAGE } from "./sandbox.test.support.js";

/** Created by `.ci/run`. */
const USER = "wink-rootless";

const isReady =
  hasPodman &&
  hasComponent(
    hasUser(),
    `containers without root need a user ${USER} who may run node and has the image ${SMALL_IMAGE}; as root: useradd --create-home ${USER}, then podman save ${SMALL_IMAGE} | runuser -u ${USER} -- podman load`,
  );

it.runIf(isReady)(
  "A sandbox works without root, kills its commands there too, and reports limits that the kernel does not enforce (SB-16, SB-17, SB-18, H213)",
  async () => {
    const folder = await makeFolder();
    chmodSync(folder, 0o755);
    const overlayRoot = join(folder, "overlays");
    mkdirSync(overlayRoot, 0o700);
    const { uid, gid } = idsOf(USER);
    chownSync(overlayRoot, uid, gid);
    const program = await bundle(join(folder, "program"));
    const { status, stdout, stderr } = asUser([process.execPath, program, overlayRoot]);
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    const found = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
    expect(found).toMatchObject({
      uid,
      diagnosis: { usable: true },
      seen: { exitCode: 0, stdout: `by a tool\n${uid}\n` },
      closed: { exitCode: 0 },
      opened: "secret\n",
      restored: { exitCode: 0, stdout: "shell.txt\ntool.txt\nby the shell\n" },
      after: { exitCode: 0, stdout: "well\n" },
      isRemoved: true,
      openMemory: "",
      left: ["", ""],
    });
    expect(found.watcher.stdout).not.toMatch(/[0-9a-f]{24}/);
    // Which limits are enforced depends on the kernel, but they must always be reported.
    const { unenforcedLimits, diagnosis } = found;
    expect(["memory", "pids", "cpu"]).toEqual(expect.arrayContaining(unenforcedLimits));
    const warnings = diagnosis.checks.filter(
      ({ status: how }: { status: string }) => how === "warning",
    );
    const messages = warnings.map(({ message }: { message: string }) => message).join("\n");
    for (const limit of unenforcedLimits) expect(messages).toContain(limit);
  },
);

/** Bundled into one file, because the user may not have access to the clone. */
async function bundle(outDir: string): Promise<string> {
  const { build } = await import("vite");
  const conditions = ["@wink/source", "node"];
  await build({
    configFile: false,
    logLevel: "silent",
    root: fileURLToPath(new URL(".", import.meta.url)),
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: "rootless.test.program.ts", outDir, target: "node20", emptyOutDir: false },
  });
  return join(outDir, "rootless.test.program.js");
}

function asUser(argv: readonly string[]) {
  const { uid, gid, home } = idsOf(USER);
  const ids = ["--reuid", String(uid), "--regid", String(gid), "--clear-groups"];
  const { PATH = "" } = process.env;
  // Root's own Node may be in a directory that other users cannot read.
  const config = join(home, "containers.conf");
  const CONTAINERS_CONF = existsSync(config) ? config : undefined;
  return spawnSync("setpriv", [...ids, ...argv], {
    encoding: "utf8",
    cwd: home,
    env: { PATH, HOME: home, ...(CONTAINERS_CONF && { CONTAINERS_CONF }) },
  });
}

function hasUser(): boolean {
  if (process.getuid?.() !== 0 || spawnSync("id", [USER]).status !== 0) return false;
  if (asUser([process.execPath, "--version"]).status !== 0) return false;
  return asUser(["podman", "image", "exists", SMALL_IMAGE]).status === 0;
}

function idsOf(user: string) {
  const line = execFileSync("getent", ["passwd", user], { encoding: "utf8" }).trim();
  const [, , uid, gid, , home = "/"] = line.split(":");
  return { uid: Number(uid), gid: Number(gid), home };
}
