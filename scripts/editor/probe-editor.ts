import { readFile } from "node:fs/promises";
import path from "node:path";
import { LanguageServer } from "./language-server.js";

interface Diagnostic {
  readonly start: { readonly line: number };
  readonly text: string;
}

interface Definition {
  readonly file: string;
}

export interface EditorView {
  /** What the editor would underline, and every import that is not resolved. */
  readonly problems: readonly string[];
  /** The files to which the imports are resolved. */
  readonly imported: readonly string[];
}

/** Opens the files as an editor does. */
export async function probeEditor(files: readonly string[]): Promise<EditorView> {
  using server = new LanguageServer();
  const problems: string[] = [];
  const imported: string[] = [];
  for (const file of files) {
    const name = path.basename(file);
    server.notify("open", { file });
    for (const command of ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"]) {
      const found = (await server.ask(command, { file })) as readonly Diagnostic[];
      problems.push(...found.map(({ start, text }) => `${name}:${start.line} ${text}`));
    }
    for (const place of await importsIn(file)) {
      const found = (await server.ask("definition", { file, ...place })) as readonly Definition[];
      if (found.length === 0) problems.push(`${name}:${place.line} The import is not resolved.`);
      imported.push(...found.map((each) => each.file));
    }
  }
  return { problems, imported };
}

/** Where the module names of a file's imports begin, as an editor counts. */
async function importsIn(file: string) {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.flatMap((text, index) => {
    const [, before] = /^(import .*from ")[^"]+";$/.exec(text) ?? [];
    return before === undefined ? [] : [{ line: index + 1, offset: before.length + 1 }];
  });
}
