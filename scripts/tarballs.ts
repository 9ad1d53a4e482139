import { mkdir } from "node:fs/promises";
import path from "node:path";
import { packProject } from "./pack-project.js";
import { listProjects } from "./repository.js";

// Packs every package for a project that has not joined the clone. pnpm runs scripts at the root of
// the clone, so a relative destination is relative to where the user typed it.
const [given = "."] = process.argv.slice(2);
const destination = path.resolve(process.env["INIT_CWD"] ?? ".", given);
await mkdir(destination, { recursive: true });
const published = [...listProjects("packages"), ...listProjects("apps")];
for (const project of published.filter(({ manifest }) => !manifest.private))
  console.log((await packProject(project, destination)).filename);
console.log(`\nNow in ${destination}: npm install ./wink-*.tgz zod`);
