import { isBuilt, listTargets } from "../boundaries/exports-rules.js";
import { mapConcurrently } from "../map-concurrently.js";
import { type Check, outcomeOf, type Verdict } from "../outcome.js";
import { type Packed, packProject } from "../pack-project.js";
import { listProjects, type Project } from "../repository.js";
import { runCommand } from "../run-command.js";
import { makeScratchFolder } from "../scratch-folder.js";

export const tarballs: Check = {
  name: "tarballs",
  promise: "each tarball contains every exported file, and publint and attw report no problem",
  usualSeconds: 20,
  isForCi: true,

  async run() {
    await using destination = await makeScratchFolder("tarballs");
    const packages = [...listProjects("packages"), ...listProjects("apps")].filter(
      ({ manifest }) => !manifest.private,
    );
    const verdicts = await mapConcurrently(packages, (each) =>
      checkPackage(each, destination.path),
    );
    return outcomeOf(verdicts.flat());
  },
};

async function checkPackage(project: Project, destination: string): Promise<readonly Verdict[]> {
  const { folder } = project;
  if (!isBuilt(folder)) return [{ problems: [`${folder} is not built, so it cannot be packed.`] }];
  const packed = await packProject(project, destination);
  const publint = ["run", packed.filename, "--strict"];
  const attw = [
    packed.filename,
    "--profile",
    "esm-only",
    "--no-color",
    "--format",
    "table-flipped",
  ];
  return [
    { problems: checkContents(project, packed) },
    await judge(folder, "publint", publint),
    await judge(folder, "attw", attw),
  ];
}

function checkContents({ folder, manifest }: Project, packed: Packed): readonly string[] {
  const files = new Set(packed.files.map((file) => file.path));
  const absent = listTargets(manifest.exports).filter((target) => !files.has(target.slice(2)));
  // Threads start from these files, so they must exist in both folders.
  const threads = [...files].filter((file) => /^src\/.*\.js$/.test(file));
  const unbuilt = threads.filter((file) => !files.has(file.replace(/^src/, "dist")));
  const tests = [...files].filter((file) => /\.test(-d)?\./.test(file));
  return [
    ...absent.map((target) => `${folder}: exports names ${target}, which its tarball lacks.`),
    ...unbuilt.map((file) => `${folder}: its tarball has ${file}, but not in dist.`),
    ...tests.map((file) => `${folder}: its tarball holds the test ${file}.`),
  ];
}

async function judge(folder: string, tool: string, args: readonly string[]): Promise<Verdict> {
  const { ok, output } = await runCommand(tool, args);
  return { problems: ok ? [] : [`${tool} on the tarball of ${folder}:\n${output.trim()}`] };
}
