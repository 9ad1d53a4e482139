import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readTap } from "./test-report.js";
import { type TestRunner, withCopy } from "./test-runner.js";

const run = promisify(execFile);

/** The sandbox images, smallest first. The demo never pulls an image. */
const IMAGES = ["localhost/wink-sandbox-small:1", "localhost/wink-sandbox:1"] as const;

const LIMITS = [
  ...["--network=none", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges"],
  ...["--user=65532:65532", "--pids-limit=64", "--memory=512m"],
  // Podman's defaults may be higher than the limits of this process.
  ...["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"],
  // Stops the container after 10 minutes, even if this process dies.
  ...["--rm", "--timeout=600"],
];

/**
 * Returns a runner that runs tests in a container, or `undefined` without Podman or an image. The
 * image needs no Node: the host's Node and its shared libraries are mounted read-only.
 */
export async function findContainerRunner(): Promise<TestRunner | undefined> {
  try {
    const image = await findImage();
    const { mounts, command } = await mountNode();
    const start = ["run", ...LIMITS, ...mounts];
    await run("podman", [...start, image, ...command, "--version"]);
    return {
      where: "a container without network that can read a copy of the workspace and write nothing",
      run: (filesystem, testFile, signal) =>
        withCopy(filesystem, async (copy) => {
          const place = [`--volume=${copy}:/workspace:ro`, "--workdir=/workspace", image];
          const args = [...start, ...place, ...command, "--test-reporter=tap", testFile];
          // Failing tests exit with 1, and their output is in the error.
          const { stdout, stderr } = await run("podman", args, { signal }).catch(outputOf);
          return readTap(stdout, stderr);
        }),
    };
  } catch {
    // The caller falls back to another runner.
    return undefined;
  }
}

async function findImage(): Promise<string> {
  for (const image of IMAGES) {
    const isThere = await run("podman", ["image", "exists", image]).then(
      () => true,
      () => false,
    );
    if (isThere) return image;
  }
  throw new Error("no sandbox image found");
}

/**
 * The mounts for Node and its libraries, and the command that starts Node with the mounted loader.
 */
async function mountNode(): Promise<{ readonly mounts: string[]; readonly command: string[] }> {
  const { stdout } = await run("ldd", [process.execPath]);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? []);
  const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const loader = libraries.map(nameOf).find((name) => name.startsWith("ld-"));
  if (loader === undefined) throw new Error("no dynamic loader found");
  const mounts = libraries.map((path) => `--volume=${path}:/lent/${nameOf(path)}:ro`);
  return {
    mounts: [...mounts, `--volume=${process.execPath}:/lent/node:ro`],
    command: [`/lent/${loader}`, "--library-path", "/lent", "/lent/node"],
  };
}

function outputOf(error: { readonly stdout?: string; readonly stderr?: string; code?: unknown }) {
  if (error.code !== 1) throw error;
  return { stdout: error.stdout ?? "", stderr: error.stderr ?? "" };
}
