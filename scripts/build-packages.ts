import { listProjects } from "./repository.js";
import { runCommand } from "./run-command.js";

/** Brings the build of packages and apps up to date. Takes half a second if it is. Another check reports wrong types. */
export async function buildPackages(): Promise<void> {
  const folders = [...listProjects("packages"), ...listProjects("apps")].map(
    ({ folder }) => folder,
  );
  await runCommand("tsc", ["-b", ...folders]);
}
