// Runs the official JSON Schema suite against `jsonSchema()`: `node --import tsx scripts/json-schema-suite.ts <suite>/tests/draft2020-12`.
// The suite is not part of this repository: fetch https://github.com/json-schema-org/JSON-Schema-Test-Suite.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { jsonSchema } from "../packages/prompt/src/schema/json-schema.js";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("Give the folder tests/draft2020-12 of the suite.");

/** Remote references and references to the metaschema need documents that `jsonSchema()` does not have. */
function isLeftOut({ schema }: Group): boolean {
  const text = JSON.stringify(schema);
  const base = (schema as { $id?: string }).$id ?? "schema:/root";
  const urisOf = (keyword: string) =>
    [...text.matchAll(new RegExp(`"\\$${keyword}":"([^"]*)"`, "g"))].map(([, uri = ""]) => {
      const url = URL.canParse(uri, base) ? new URL(uri, base) : new URL("schema:/");
      return url.href.replace(/#.*$/, "");
    });
  const known = new Set(urisOf("id"));
  return [...urisOf("ref"), ...urisOf("dynamicRef")].some(
    (uri) => !known.has(uri) && /localhost:1234|json-schema\.org\/draft/.test(uri),
  );
}

let passed = 0;
const failures: string[] = [];
let leftOut = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  if (["format.json", "refRemote.json", "vocabulary.json"].includes(file)) continue;
  const groups: readonly Group[] = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
  for (const group of groups) {
    if (isLeftOut(group)) {
      leftOut += group.tests.length;
      continue;
    }
    for (const test of group.tests) {
      // `jsonSchema()` takes objects; a boolean schema is one with `allOf`.
      const schema =
        typeof group.schema === "boolean" ? { allOf: [group.schema] } : (group.schema as object);
      const result = jsonSchema({ ...schema })["~standard"].validate(test.data);
      const isValid = !("issues" in result) || result.issues === undefined;
      if (isValid === test.valid) passed++;
      else failures.push(`${file}: ${group.description}: ${test.description}`);
    }
  }
}
for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed, ${leftOut} left out (remote references)`);
process.exitCode = failures.length > 0 ? 1 : 0;
