import { parseSync, Visitor } from "vite";

/** One place in a file that names another module. */
export interface ImportSite {
  readonly specifier: string;
  readonly line: number;
  /**
   * - `value`: loaded with the file
   * - `lazy`: loaded by `import()` when that code runs
   * - `type`: removed by the compiler
   */
  readonly kind: "value" | "lazy" | "type";
}

/**
 * Every import, re-export, `import()` and import type with a literal specifier, in source order.
 *
 * `import { type A } from "x"` is a value import: under `verbatimModuleSyntax` it still loads `x`.
 */
export function scanImports(file: string, source: string): readonly ImportSite[] {
  const sites: { specifier: string; start: number; kind: ImportSite["kind"] }[] = [];
  const visitor = new Visitor({
    ImportDeclaration({ source: { value, start }, importKind }) {
      sites.push({ specifier: value, start, kind: importKind === "type" ? "type" : "value" });
    },
    ExportNamedDeclaration({ source: from, exportKind }) {
      if (from === null) return;
      const kind = exportKind === "type" ? "type" : "value";
      sites.push({ specifier: from.value, start: from.start, kind });
    },
    ExportAllDeclaration({ source: { value, start }, exportKind }) {
      sites.push({ specifier: value, start, kind: exportKind === "type" ? "type" : "value" });
    },
    ImportExpression({ source: from }) {
      if (from.type !== "Literal" || typeof from.value !== "string") return;
      sites.push({ specifier: from.value, start: from.start, kind: "lazy" });
    },
    TSImportType({ source: { value, start } }) {
      sites.push({ specifier: value, start, kind: "type" });
    },
  });
  visitor.visit(parseSync(file, source).program);
  return sites
    .sort((a, b) => a.start - b.start)
    .map(({ specifier, start, kind }) => ({ specifier, line: lineAt(source, start), kind }));
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
