import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileSurroundings, tripwire } from "./hostile-surroundings.test.support.js";
import {
  afterwards,
  bench,
  putFile,
  runGit,
  SYSTEM_PATH,
  scratch,
} from "./store-fixture.test.support.js";

beforeAll(hostileSurroundings);

interface Trap {
  readonly trap: string;
  /** Whether `git add -A` is expected to trigger it, as a control. */
  readonly springs?: boolean;
  readonly set: (workspace: string, wire: (name: string) => string) => void;
}

const CONFIGS: readonly (readonly [name: string, lines: (wire: string) => string])[] = [
  ["fsmonitor", (wire) => `[core]\nfsmonitor = ${wire}`],
  ["pager", (wire) => `[core]\npager = ${wire}`],
  ["editor", (wire) => `[core]\neditor = ${wire}`],
  ["ssh", (wire) => `[core]\nsshCommand = ${wire}`],
  ["askpass", (wire) => `[core]\naskPass = ${wire}`],
  ["hooks", (wire) => `[core]\nhooksPath = ${join(wire, "..")}`],
  ["git proxy", (wire) => `[core]\ngitProxy = ${wire}`],
  ["alternate refs", (wire) => `[core]\nalternateRefsCommand = ${wire}`],
  ["clean filter", (wire) => `[filter "x"]\nclean = ${wire}\nrequired = true`],
  ["smudge filter", (wire) => `[filter "x"]\nsmudge = ${wire}`],
  ["process filter", (wire) => `[filter "x"]\nprocess = ${wire}`],
  ["textconv", (wire) => `[diff "x"]\ntextconv = ${wire}`],
  ["diff command", (wire) => `[diff "x"]\ncommand = ${wire}`],
  ["external diff", (wire) => `[diff]\nexternal = ${wire}`],
  ["merge driver", (wire) => `[merge "x"]\ndriver = ${wire} %A`],
  ["credential", (wire) => `[credential]\nhelper = ${wire}`],
  ["gpg", (wire) => `[gpg]\nprogram = ${wire}\n[commit]\ngpgSign = true`],
  ["alias", (wire) => `[alias]\nadd = !${wire}`],
  ["upload pack", (wire) => `[uploadpack]\npackObjectsHook = ${wire}`],
  ["submodule update", (wire) => `[submodule "x"]\nupdate = !${wire}`],
];

const traps: readonly Trap[] = [
  ...CONFIGS.flatMap(([name, lines]): Trap[] =>
    (["", "nested"] as const).map((where) => ({
      trap: `${name} in ${where === "" ? "the workspace's own" : "a nested"} repository`,
      springs: name === "fsmonitor" || (name === "clean filter" && where === ""),
      set(workspace, wire) {
        const directory = join(workspace, where);
        repositoryIn(directory);
        // git reads a nested repository only if it has a commit.
        if (where === "nested") commitIn(directory);
        const config = `[core]\nrepositoryformatversion = 0\nbare = false\n${lines(wire(name.replaceAll(" ", "-")))}\n`;
        putFile(join(directory, ".git/config"), config);
        putFile(join(directory, ".gitattributes"), "* filter=x diff=x merge=x\n");
      },
    })),
  ),
  ...["pre-commit", "post-checkout", "post-index-change", "reference-transaction"].map(
    (hook): Trap => ({
      trap: `hook ${hook}`,
      springs: hook === "post-index-change",
      set(workspace, wire) {
        repositoryIn(workspace);
        putFile(join(workspace, ".git/hooks", hook), readFileSync(wire(hook)));
        chmodSync(join(workspace, ".git/hooks", hook), 0o755);
      },
    }),
  ),
];

/** A repository of four text files, which an agent can create with `write_file`. */
function repositoryIn(directory: string): void {
  for (const name of ["refs/heads", "objects"])
    mkdirSync(join(directory, ".git", name), { recursive: true });
  putFile(join(directory, ".git/HEAD"), "ref: refs/heads/main\n");
  putFile(join(directory, ".git/config"), "[core]\nrepositoryformatversion = 0\nbare = false\n");
  putFile(join(directory, "file"), "content\n");
}

function commitIn(directory: string): void {
  const git = (...args: string[]) =>
    runGit(join(directory, ".git"), `--work-tree=${directory}`, ...args);
  git("add", "file");
  git("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "one");
}

describe("snapshot, restore and diff", () => {
  it.each(traps)(
    "do not trigger: $trap (D101, D102, D103, D106, D107)",
    async ({ set, springs }) => {
      const place = scratch();
      const fires = join(place, "fires");
      mkdirSync(fires);
      const { workspace, store, put } = bench({}, place);
      set(workspace, (name) => tripwire(place, fires, name));
      // A PATH on which every program is a tripwire.
      const programs = join(place, "programs");
      mkdirSync(programs);
      for (const program of ["git", "sh", "git-lfs", "gpg", "ssh", "tar"])
        execFileSync("cp", [tripwire(place, fires, `program-${program}`), join(programs, program)]);
      process.env["PATH"] = programs;
      afterwards(() => {
        process.env["PATH"] = SYSTEM_PATH;
      });

      const first = await store.create({});
      put("file", "changed\n");
      put("nested/file", "changed\n");
      await store.create({});
      const view = await store.view(first);
      const unlike = view.entriesUnlike?.(await store.view(undefined));
      for await (const entry of unlike?.mine ?? []) await entry.read();
      await store.restore(first);
      expect(readdirSync(fires)).toEqual([]);
      process.env["PATH"] = SYSTEM_PATH;
      if (springs) expect(addAll(workspace, fires), "the control must trigger it").not.toEqual([]);
    },
  );

  it("start no process, as strace shows (D105, D108, D135, SN-14, TM-8)", (context) => {
    if (spawnSync("strace", ["-V"]).error !== undefined) {
      if (process.env["WINK_REQUIRE_ALL"]) throw new Error("strace is not installed");
      return context.skip("strace is not installed, so calls of execve cannot be counted");
    }
    const place = scratch();
    mkdirSync(join(place, "workspace/nested"), { recursive: true });
    repositoryIn(join(place, "workspace/nested"));
    const script = fileURLToPath(
      new URL("../../../dist/host/snapshots/process-child.test.support.js", import.meta.url),
    );
    const trace = join(place, "trace");
    const node = [process.execPath, script, place];
    const { status, stdout, stderr } = spawnSync(
      "strace",
      ["-f", "-qq", "-e", "trace=execve", "-o", trace, ...node],
      {
        encoding: "utf8",
        cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
        env: { ...process.env, PATH: SYSTEM_PATH },
      },
    );
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: "done\n" });
    // Node itself is one process. The transpiler that runs this test may be another, before the work starts.
    const started = readFileSync(trace, "utf8")
      .split("\n")
      .filter((line) => line.includes("execve("));
    expect(started.filter((line) => !/"[^"]*\/(?:node|esbuild)"/.test(line))).toEqual([]);
  });
});

/** The programs that git itself runs here, as a control. Creates a repository if the workspace has none. */
function addAll(workspace: string, fires: string): readonly string[] {
  const environment = { PATH: SYSTEM_PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    spawnSync("git", args, { cwd: workspace, env: environment, encoding: "utf8", timeout: 20_000 });
  if (!existsSync(join(workspace, ".git"))) git("init", "-q");
  git("add", "-A");
  rmSync(join(workspace, ".git/index.lock"), { force: true });
  git("add", "-A");
  git("status");
  return readdirSync(fires);
}
