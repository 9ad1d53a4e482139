import { type DiffRow, lineDiff } from "./line-diff.js";

/** Two versions of a file, or why there is no text to compare. */
export interface ComparedFile {
  readonly path: string;
  /** Shown after the path, such as `added`. */
  readonly label: string;
  readonly isOpen: boolean;
  /** `undefined` while a content is loaded. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Shown instead of lines, such as `binary, 3 kB`. */
  readonly note?: string | undefined;
}

/** A row of a list of files with their differences. */
export type FileDiffRow =
  | {
      readonly kind: "file";
      readonly file: number;
      readonly added: number;
      readonly removed: number;
    }
  | { readonly kind: "note"; readonly file: number; readonly text: string }
  | { readonly kind: "line"; readonly file: number; readonly row: DiffRow };

/** All rows of several files. `gaps` lists the opened gaps as `file/gap`. */
export function fileDiffRows(
  files: readonly ComparedFile[],
  gaps: ReadonlySet<string>,
): readonly FileDiffRow[] {
  return files.flatMap((file, index): readonly FileDiffRow[] => {
    const head = { kind: "file", file: index } as const;
    const note = (text: string) => ({ kind: "note", file: index, text }) as const;
    if (!file.isOpen) return [{ ...head, added: -1, removed: -1 }];
    if (file.note !== undefined) return [{ ...head, added: -1, removed: -1 }, note(file.note)];
    if (file.before === undefined || file.after === undefined)
      return [{ ...head, added: -1, removed: -1 }, note("Loading …")];
    const open = new Set([...gaps].flatMap((gap) => gapOf(gap, index)));
    const { rows, added, removed, whole } = lineDiff(file.before, file.after, open);
    const lines = rows.map((row) => ({ kind: "line", file: index, row }) as const);
    const notes = whole ? [note("The texts are too different to compare line by line.")] : [];
    const none = rows.length === 0 || added + removed === 0 ? [note("No line differs.")] : [];
    return [{ ...head, added, removed }, ...notes, ...none, ...(none.length > 0 ? [] : lines)];
  });
}

function gapOf(gap: string, file: number): readonly number[] {
  const [of, index] = gap.split("/");
  return Number(of) === file ? [Number(index)] : [];
}
