import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readTap } from "./test-report.js";
import { type TestRunner, withCopy } from "./test-runner.js";

const run = promisify(execFile);

/** Images of the sandbox, the smallest first. None is ever pulled. */
const IMAGES = ["localhost/wink-sandbox-small:1", "localhost/wink-sandbox:1"] as const;

const LIMITS = [
  ...["--network=none", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges"],
  ...["--user=65532:65532", "--pids-limit=64", "--memory=512m"],
  // Those that Podman would set may be above what this process has.
  ...["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"],
  // Whatever becomes of this process, the container does not outlive it by more.
  ...["--rm", "--timeout=600"],
];

/**
 * Runs tests in a container, where there is Podman and an image for it; `undefined` otherwise. The image needs no Node: this
 * machine's own is lent to it, read-only, with the libraries it is linked with.
 */
export async function findContainerRunner(): Promise<TestRunner | undefined> {
  try {
    const image = await findImage();
    const { mounts, command } = await lendNode();
    const start = ["run", ...LIMITS, ...mounts];
    await run("podman", [...start, image, ...command, "--version"]);
    return {
      where: "a container without network that can read a copy of the workspace and write nothing",
      run: (filesystem, testFile, signal) =>
        withCopy(filesystem, async (copy) => {
          const place = [`--volume=${copy}:/workspace:ro`, "--workdir=/workspace", image];
          const args = [...start, ...place, ...command, "--test-reporter=tap", testFile];
          // Tests that fail exit with 1, and what they said is in the error.
          const { stdout, stderr } = await run("podman", args, { signal }).catch(outputOf);
          return readTap(stdout, stderr);
        }),
    };
  } catch {
    // Whatever is missing, there is another way to run them.
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
  throw new Error("there is no image");
}

/** Where everything that Node needs is in the container, and how it is started there without its usual place. */
async function lendNode(): Promise<{ readonly mounts: string[]; readonly command: string[] }> {
  const { stdout } = await run("ldd", [process.execPath]);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? []);
  const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const loader = libraries.map(nameOf).find((name) => name.startsWith("ld-"));
  if (loader === undefined) throw new Error("there is no loader to start it with");
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
