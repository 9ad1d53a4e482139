import type { Project } from "../repository.js";

const REPOSITORY = "https://github.com/wink-framework/wink";

/** Checks the metadata that npm shows. npm refuses provenance for a package without its repository. */
export function checkMetadata({ folder, manifest }: Project): readonly string[] {
  if (manifest.private) return [];
  const { keywords = [], homepage, bugs, repository } = manifest;
  const wanted = [
    { field: "homepage", found: homepage, value: `${REPOSITORY}/tree/main/${folder}#readme` },
    { field: "bugs", found: bugs, value: `${REPOSITORY}/issues` },
    { field: "repository.url", found: repository?.url, value: `git+${REPOSITORY}.git` },
    { field: "repository.directory", found: repository?.directory, value: folder },
  ];
  return [
    ...wanted
      .filter(({ found, value }) => found !== value)
      .map(({ field, value }) => `${folder}/package.json must have "${field}": "${value}".`),
    ...(keywords.length === 0 ? [`${folder}/package.json must have "keywords".`] : []),
  ];
}
