import { checkExports } from "../boundaries/exports-rules.js";
import { checkFolders } from "../boundaries/folder-rules.js";
import { checkImports } from "../boundaries/import-rules.js";
import { checkLayout } from "../boundaries/layout-rules.js";
import { checkManifest } from "../boundaries/manifest-rules.js";
import { checkMetadata } from "../boundaries/metadata-rules.js";
import { checkRootEntry } from "../boundaries/root-entry.js";
import { readSources } from "../boundaries/source-file.js";
import { type Check, outcomeOf } from "../outcome.js";
import { listFiles, listProjects, readManifest } from "../repository.js";

export const boundaries: Check = {
  name: "boundaries",
  promise: "packages import, declare and export what scripts/boundaries/table.ts allows",
  usualSeconds: 1,

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
      ...packages.map(checkExports),
      ...packages.map((project) => checkRootEntry(project, sources)),
      ...packages.map((project) => checkFolders(project, sources)),
      ...projects.map(checkMetadata),
      checkLayout(await listFiles()),
    ];
    return outcomeOf(verdicts.map((problems) => ({ problems })));
  },
};
