import { parseSync, Visitor } from "vite";
import { listFiles, readText } from "../repository.js";

/** A case such as `A33` or a promise such as `FS-12`, as a whole word. */
const ID = /(?<![\w-])(?:[A-K]\d{1,3}|[A-Z]{2,}-\d+)(?![\w-])/g;

/** The ids in the strings of a test file: titles, and table rows for titles. */
export function findCitations(file: string, source: string): ReadonlySet<string> {
  const ids = new Set<string>();
  const collect = (text: string) => {
    for (const [id] of text.matchAll(ID)) ids.add(id);
  };
  const visitor = new Visitor({
    Literal({ value }) {
      if (typeof value === "string") collect(value);
    },
    TemplateElement({ value }) {
      collect(value.raw);
    },
  });
  visitor.visit(parseSync(file, source).program);
  return ids;
}

/** The ids that any test of the repository names. */
export async function readCitations(): Promise<ReadonlySet<string>> {
  const files = (await listFiles()).filter(isTestFile);
  return new Set(files.flatMap((file) => [...findCitations(file, readText(file))]));
}

/** Suites that several test files share are in a folder named `testing` or `contract`. */
export function isTestFile(file: string): boolean {
  return (
    /^(?:packages|apps|examples|scripts)\//.test(file) &&
    (/\.test(?:-d)?\.ts$/.test(file) || /\/(?:testing|contract)\/.*\.ts$/.test(file))
  );
}
