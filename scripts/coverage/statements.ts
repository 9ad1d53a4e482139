/** A numbered line of a spec. */
export interface Statement {
  /** `A33` or `FS-12`. */
  readonly id: string;
  readonly text: string;
}

const STATEMENT = /^\s*(?:[-*|]\s*)?\*\*([A-Z]+-?\d+)\*\*[:.]?\s*(.*)$/;

/** The statements of a page: lines that begin with their number in bold, as items or rows. */
export function findStatements(markdown: string): readonly Statement[] {
  return markdown.split("\n").flatMap((line) => {
    const [, id, text = ""] = STATEMENT.exec(line) ?? [];
    return id === undefined
      ? []
      : [{ id, text: text.replaceAll("|", " ").replaceAll(/\s+/g, " ").trim() }];
  });
}
