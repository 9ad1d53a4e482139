interface Kind {
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
}

export function typeLetter({ isDirectory, isSymbolicLink }: Kind): string {
  if (isSymbolicLink) return "l";
  return isDirectory ? "d" : "-";
}

/** Such as `rwxr-xr-x`. */
export function permissionsOf(mode: number): string {
  return [6, 3, 0]
    .map((shift) => {
      const bits = mode >> shift;
      return `${bits & 4 ? "r" : "-"}${bits & 2 ? "w" : "-"}${bits & 1 ? "x" : "-"}`;
    })
    .join("");
}

/** A directory has the size of one block, as on a disk. */
export function sizeBytesOf({ isDirectory, size }: Kind & { readonly size: number }): number {
  return isDirectory ? 4_096 : size;
}
