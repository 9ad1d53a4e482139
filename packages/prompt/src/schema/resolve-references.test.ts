import { expect, it } from "vitest";
import { jsonChecker } from "./check-json.js";
import { resolveReferences } from "./resolve-references.js";
import type { JsonSchema } from "./schema.js";

const isValid = (schema: JsonSchema, value: unknown) => jsonChecker(schema)(value).length === 0;

/** A list whose items are described by the schema that uses the list. */
const LIST = {
  $id: "list",
  type: "array",
  items: { $dynamicRef: "#item" },
  $defs: { any: { $dynamicAnchor: "item" } },
};

it("a dynamic reference means the anchor of the outermost schema (PR-18)", () => {
  const numbers = {
    $id: "https://a.test/numbers",
    $ref: "list",
    $defs: { item: { $dynamicAnchor: "item", type: "number" }, list: LIST },
  };
  expect(isValid(numbers, [1, 2])).toBe(true);
  expect(isValid(numbers, [1, "a"])).toBe(false);
  expect(isValid({ $ref: "list", $defs: { list: LIST } }, [1, "a"])).toBe(true);
});

it("a schema that is reached through two schemas has the anchors of each (PR-18)", () => {
  const listOf = (type: string) => ({
    $id: type,
    $ref: "list",
    $defs: { item: { $dynamicAnchor: "item", type } },
  });
  const schema = {
    $id: "https://a.test/root",
    properties: { numbers: { $ref: "number" }, texts: { $ref: "string" } },
    $defs: { number: listOf("number"), string: listOf("string"), list: LIST },
  };
  expect(isValid(schema, { numbers: [1], texts: ["a"] })).toBe(true);
  expect(isValid(schema, { numbers: ["a"], texts: ["a"] })).toBe(false);
  expect(isValid(schema, { numbers: [1], texts: [1] })).toBe(false);
});

it("a reference finds anchors, pointers and schemas by their id, also in recursive schemas (PR-18)", () => {
  const tree = {
    $id: "https://a.test/tree",
    $anchor: "tree",
    properties: { leaf: { $ref: "#leaf" }, nodes: { items: { $ref: "#tree" } } },
    $defs: { "a/b": { $anchor: "leaf", $ref: "#/$defs/text" }, text: { type: "string" } },
  };
  expect(isValid(tree, { leaf: "x", nodes: [{ leaf: "y" }] })).toBe(true);
  expect(isValid(tree, { nodes: [{ nodes: [{ leaf: 1 }] }] })).toBe(false);
  expect(isValid({ ...tree, $ref: "#/$defs/a~1b" }, 1)).toBe(false);
});

it("an unknown reference is an issue, and names such as __proto__ stay names (PR-18)", () => {
  expect(jsonChecker({ $anchor: "a", $ref: "#b" })(1)).toHaveLength(1);
  expect(jsonChecker({ $anchor: "a", $ref: "https://[" })(1)).toHaveLength(1);
  const schema = JSON.parse('{"$anchor": "a", "properties": {"__proto__": {"type": "string"}}}');
  expect(isValid(schema, JSON.parse('{"__proto__": 1}'))).toBe(false);
});

it("a schema without anchors is not copied (PR-18)", () => {
  const schema = { $ref: "#/$defs/a", $defs: { a: { type: "string" } } };
  expect(resolveReferences(schema)).toBe(schema);
});

it("a schema whose references multiply its parts is refused (PR-18)", () => {
  const names = Array.from({ length: 400 }, (_, index) => `a${index}`);
  const part = { anyOf: names.map((name) => ({ $ref: `#${name}` })) };
  const $defs = Object.fromEntries(names.map((name) => [name, { $anchor: name, ...part }]));
  expect(() => jsonChecker({ $defs, $ref: "#a0" })).toThrow(
    "its references need more than 20000 copies of its parts",
  );
});
