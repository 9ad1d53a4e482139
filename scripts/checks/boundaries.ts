import { checkExports } from "../boundaries/exports-rules.js";
import { checkFolders } from "../boundaries/folder-rules.js";
import { checkImports } from "../boundaries/import-rules.js";
import { checkLayout } from "../boundaries/layout-rules.js";
import { checkManifest } from "../boundaries/manifest-rules.js";
import { checkMetadata } from "../boundaries/metadata-rules.js";
import { checkPathCallGrants, checkPathCalls } from "../boundaries/path-call-rules.js";
import { pathCallGrants } from "../boundaries/path-calls.js";
import { checkRootEntry } from "../boundaries/root-entry.js";
import { scanPathCalls } from "../boundaries/scan-path-calls.js";
import { readSources, type SourceFile } from "../boundaries/source-file.js";
import { type Check, outcomeOf } from "../outcome.js";
import { listFiles, listProjects, readManifest, readText } from "../repository.js";

export const boundaries: Check = {
  name: "boundaries",
  promise:
    "packages import, declare and export what scripts/boundaries/table.ts allows, and touch the disk by path where path-calls.ts allows it",
  usualSeconds: 4,

  async run() {
    const projects = listProjects();
    const packages = listProjects("packages");
    const rootManifest = readManifest(".");
    const sources = await readSources(projects);
    const verdicts = [
      ...projects.map((project) =>
        sources
          .filter((source) => source.project === project)
          .flatMap((source) => checkImports(source, projects, rootManifest)),
      ),
      ...packages.map(checkManifest),
      ...listProjects("apps")
        .filter(({ manifest }) => !manifest.private)
        .map(checkManifest),
      ...packages.map(checkExports),
      ...packages.map((project) => checkRootEntry(project, sources)),
      ...[...packages, ...listProjects("apps")].map((project) => checkFolders(project, sources)),
      ...projects.map(checkMetadata),
      checkLayout(await listFiles()),
      checkAllPathCalls(sources),
    ];
    return outcomeOf(verdicts.map((problems) => ({ problems })));
  },
};

/** Tests are not checked: they use directories that they create. */
function checkAllPathCalls(sources: readonly SourceFile[]): readonly string[] {
  const files = sources.filter(({ file, isTest }) => !isTest && /^(?:packages|apps)\//.test(file));
  const calls = new Map(files.map(({ file }) => [file, scanPathCalls(file, readText(file))]));
  return [
    ...[...calls].flatMap(([file, found]) => checkPathCalls(file, found, pathCallGrants)),
    ...checkPathCallGrants(calls, pathCallGrants),
  ];
}
