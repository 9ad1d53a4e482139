/** Resolves `.` and `..`. As in a shell, the parent of the root is the root. */
export function normalise(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/"))
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  return `/${segments.join("/")}`;
}

/** The path for the filesystem, which may require a mount point for absolute paths. */
export function relative(path: string): string {
  return normalise(path).slice(1) || ".";
}

export function join(directory: string, name: string): string {
  return normalise(`${directory}/${name}`);
}
