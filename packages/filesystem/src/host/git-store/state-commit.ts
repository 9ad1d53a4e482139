const AUTHOR = "wink <wink@localhost>";

/** A state of a run as a commit. */
export interface StateCommit {
  readonly treeId: string;
  /** The commit of the earlier state. */
  readonly parent: string | undefined;
  /** One line for people who look at the store with git. */
  readonly subject: string;
  readonly createdAtMs: number;
}

/** The content of the commit object. Its parents keep the earlier states of the run. */
export function encodeStateCommit({ treeId, parent, subject, createdAtMs }: StateCommit): Buffer {
  const seconds = Math.max(0, Math.floor(createdAtMs / 1000));
  const line = subject
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 200);
  return Buffer.from(
    [
      `tree ${treeId}`,
      ...(parent === undefined ? [] : [`parent ${parent}`]),
      `author ${AUTHOR} ${seconds} +0000`,
      `committer ${AUTHOR} ${seconds} +0000`,
      "",
      `${line}\n`,
    ].join("\n"),
  );
}

/** The tree of any commit. */
export function treeOfCommit(content: Buffer): string {
  return /^tree ([0-9a-f]+)\n/.exec(content.toString("latin1", 0, 80))?.[1] ?? "";
}

/** The parents of any commit. */
export function parentsOfCommit(content: Buffer): readonly string[] {
  const head = content.toString("latin1").split("\n\n", 1)[0] ?? "";
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = ""]) => id);
}
