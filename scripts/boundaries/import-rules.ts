import { isBuiltin } from "node:module";
import type { Manifest, Project } from "../repository.js";
import type { ImportSite } from "./scan-imports.js";
import { resolveRelative, type SourceFile, splitSpecifier } from "./source-file.js";
import {
  browserFolders,
  filesOfCli,
  type PackageBoundary,
  packageBoundaries,
  sharedByTests,
} from "./table.js";

/** Checks the imports of a file against the rules that the compiler does not check. */
export function checkImports(
  source: SourceFile,
  projects: readonly Project[],
  rootManifest: Manifest,
): readonly string[] {
  const others = new Map(projects.map((project) => [project.manifest.name, project]));
  return source.imports.flatMap((site) => {
    const problem = judge(source, site, others, rootManifest);
    return problem === undefined ? [] : [`${source.file}:${site.line} imports ${problem}`];
  });
}

function judge(
  source: SourceFile,
  site: ImportSite,
  others: ReadonlyMap<string, Project>,
  rootManifest: Manifest,
): string | undefined {
  const { specifier } = site;
  const foreign = notForBrowsers(source, site);
  if (foreign !== undefined) return foreign;
  if (isBuiltin(specifier)) return unlistedFileAccess(source, specifier);
  if (specifier.startsWith(".")) return leavesProject(source, specifier);
  if (specifier.startsWith("#")) return undeclaredImport(source, specifier);

  const { name, subpath } = splitSpecifier(specifier);
  if (name === source.project.manifest.name) return ownName(source, specifier);
  const other = others.get(name);
  return (
    (other && (wrongArrow(source, name) ?? unexported(other, subpath))) ??
    undeclared(source, name, rootManifest)
  );
}

function notForBrowsers({ file, isTest }: SourceFile, { specifier, kind }: ImportSite) {
  const folder = Object.keys(browserFolders).find((each) => file.startsWith(`${each}/`));
  if (folder === undefined || isTest || kind === "type" || specifier.startsWith("."))
    return undefined;
  if (browserFolders[folder]?.includes(specifier)) return undefined;
  return `${specifier}, but ${folder} also runs in a browser. See browserFolders in the table.`;
}

function unlistedFileAccess({ file, isTest, project }: SourceFile, specifier: string) {
  if (isTest || project.manifest.name !== "@wink/cli") return undefined;
  if (!/^(?:node:)?fs(?:\/promises)?$/.test(specifier) || Object.hasOwn(filesOfCli, file))
    return undefined;
  return `${specifier}, but files are the libraries' work. List it in filesOfCli with the reason.`;
}

function leavesProject(source: SourceFile, specifier: string): string | undefined {
  const file = resolveRelative(source.file, specifier);
  if (source.isTest && sharedByTests.some((folder) => file.startsWith(folder))) return undefined;
  const inside = file.startsWith(`${source.project.folder}/`);
  return inside ? undefined : `${specifier}, which lies outside ${source.project.folder}.`;
}

/** `imports` of the manifest: another project in a clone, a copy of its build in the published package. */
function undeclaredImport({ project }: SourceFile, specifier: string): string | undefined {
  if (Object.hasOwn(project.manifest.imports ?? {}, specifier)) return undefined;
  return `${specifier}, which "imports" of ${project.folder}/package.json does not have.`;
}

function ownName(source: SourceFile, specifier: string): string | undefined {
  return source.isTest ? undefined : `${specifier}, its own package; use a relative path.`;
}

function wrongArrow(source: SourceFile, name: string): string | undefined {
  const self = source.project.manifest.name;
  const boundary = packageBoundaries[self];
  // Apps, examples and benchmarks may use all packages.
  if (boundary === undefined || boundary.imports.includes(name)) return undefined;
  return `${name}, but ${shortName(self)} may import: ${describeArrows(boundary)}.`;
}

function unexported(other: Project, subpath: string): string | undefined {
  const exported = Object.keys(other.manifest.exports ?? {});
  if (exported.includes(subpath)) return undefined;
  const { name } = other.manifest;
  return `${name}${subpath.slice(1)}, but ${shortName(name)} exports: ${exported.join(", ")}.`;
}

function undeclared(source: SourceFile, name: string, rootManifest: Manifest): string | undefined {
  const { folder, manifest } = source.project;
  const declared = [
    manifest.dependencies,
    manifest.optionalDependencies,
    manifest.peerDependencies,
  ];
  if (source.isTest || manifest.private) declared.push(manifest.devDependencies);
  // A project must declare the workspace packages it uses, because that defines the build order.
  if (source.isTest && !name.startsWith("@wink/")) declared.push(rootManifest.devDependencies);
  const found = declared.some((names) => names !== undefined && Object.hasOwn(names, name));
  return found ? undefined : `${name}, which ${folder}/package.json does not declare.`;
}

export function describeArrows(boundary: PackageBoundary): string {
  const names = boundary.imports.map(shortName);
  return names.length === 0 ? "nothing" : names.join(", ");
}

export function shortName(name: string): string {
  return name.replace(/^@wink\//, "");
}
