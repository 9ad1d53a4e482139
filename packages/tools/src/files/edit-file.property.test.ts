import { InMemoryFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fileHandlers } from "./file-tools.js";

/** Decodes as Latin-1, so that each byte is one character and the test can use string operations. */
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const encoded = (text: string) => Buffer.from(text, "utf8").toString("latin1");

const piece = fc.oneof(
  fc.constantFrom(
    "\r\n",
    "\n",
    "\uFEFF",
    "$&",
    "$1",
    "$$",
    "aa",
    "aaa",
    "é",
    "e\u0301",
    "日本",
    "👩‍💻",
    "\t",
    " ",
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("").toWellFormed());
/** The bytes around the edited place, which need not be valid text. */
const surroundings = fc.oneof(
  text.map((each) => new TextEncoder().encode(each)),
  fc.uint8Array({ maxLength: 40 }),
);

function countOverlapping(haystack: string, needle: string): number {
  let count = 0;
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) count++;
  return count;
}

async function editIn(content: Uint8Array, input: object) {
  const filesystem = new InMemoryFilesystem({ files: { f: content } });
  const result = await fileHandlers.editFile(
    { path: "f", old_string: "", new_string: "", replace_all: false, ...input },
    createToolContext({ filesystem }),
  );
  return { result, after: latin1((await filesystem.readBytes("f")).content) };
}

it("edit_file replaces exactly the matched bytes or leaves the file unchanged (TL-5, F171, F172, F174, B48, B52)", async () => {
  let edited = 0;
  await fc.assert(
    fc.asyncProperty(
      surroundings,
      text,
      surroundings,
      text,
      async (head, old_string, tail, new_string) => {
        const middle = new TextEncoder().encode(old_string);
        const content = Uint8Array.from([...head, ...middle, ...tail]);
        const before = latin1(content);
        const { result, after } = await editIn(content, { old_string, new_string });
        const needle = encoded(old_string);
        const places = needle === "" ? 0 : countOverlapping(before, needle);
        if (places === 1 && old_string !== new_string) {
          const at = before.indexOf(needle);
          expect(result.success).toBe(true);
          expect(after).toBe(
            before.slice(0, at) + encoded(new_string) + before.slice(at + needle.length),
          );
          edited++;
        } else {
          expect(result.success).toBe(false);
          expect(after).toBe(before);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(edited).toBeGreaterThan(200);
});

it("replace_all replaces every place from left to right (TL-5, F171, F172)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(surroundings, fc.constant(undefined)), { maxLength: 12 }),
      text,
      text,
      async (parts, old_string, new_string) => {
        const middle = new TextEncoder().encode(old_string);
        const content = Uint8Array.from(parts.flatMap((part) => [...(part ?? middle)]));
        const before = latin1(content);
        const { result, after } = await editIn(content, {
          old_string,
          new_string,
          replace_all: true,
        });
        const needle = encoded(old_string);
        const works = needle !== "" && before.includes(needle) && old_string !== new_string;
        expect(result.success).toBe(works);
        expect(after).toBe(works ? before.split(needle).join(encoded(new_string)) : before);
      },
    ),
    { numRuns: 500 },
  );
});

it("multi_edit gives the same result for any order of its edits (TL-6)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 6 }),
      fc.array(text, { minLength: 6, maxLength: 6 }),
      async (lines, news) => {
        const before = Array.from({ length: 20 }, (_, index) => `<line ${index}>\r\n`);
        const filesystem = new InMemoryFilesystem({ files: { f: before.join("") } });
        const edits = lines.map((line, index) => ({
          old_string: `<line ${line}>`,
          new_string: news[index] ?? "",
          replace_all: false,
        }));
        const result = await fileHandlers.multiEdit(
          { path: "f", edits },
          createToolContext({ filesystem }),
        );
        expect(result.success).toBe(true);
        const expected = [...before];
        for (const [index, line] of lines.entries()) expected[line] = `${news[index]}\r\n`;
        expect((await filesystem.read("f")).content).toBe(expected.join(""));
      },
    ),
    { numRuns: 200 },
  );
});

it.each([
  { old_string: "aa", in: "aaa", places: 2, cases: "F171" },
  { old_string: "aa", in: "aabaa", places: 2, cases: "F171" },
  { old_string: "abab", in: "ababab", places: 2, cases: "F171" },
])(
  "$old_string is in $in $places times, so it is not unique ($cases)",
  async ({ old_string, in: content, places }) => {
    const { result, after } = await editIn(new TextEncoder().encode(content), {
      old_string,
      new_string: "x",
    });
    expect(result.message).toBe(`old_string appears ${places} times in 'f', at line 1.`);
    expect(after).toBe(content);
  },
);

it.each([
  {
    what: "a composed character",
    file: "caf\u00e9\n",
    old_string: "cafe\u0301",
    difference: "the Unicode form of characters",
  },
  {
    what: "white space at the end",
    file: "foo();  \nbar();\n",
    old_string: "foo();\nbar();",
    difference: "white space at the end of lines",
  },
  {
    what: "indentation",
    file: "if (x) {\n\treturn 1;\n}\n",
    old_string: "if (x) {\n    return 1;\n}",
    difference: "white space",
  },
  {
    what: "capital letters",
    file: 'const greeting = "hello";\n',
    old_string: '"Hello"',
    difference: "upper and lower case",
  },
  {
    what: "quotation marks",
    file: "say \u201chello there\u201d\n",
    old_string: 'say "hello there"',
    difference: "quotation marks or other similar characters",
  },
])(
  "edit_file names $what as the only difference and changes nothing (TL-5, F174)",
  async ({ file, old_string, difference }) => {
    const { result, after } = await editIn(new TextEncoder().encode(file), {
      old_string,
      new_string: "x",
    });
    expect(result).toMatchObject({
      success: false,
      message: "String not found: old_string is not in 'f'.",
      hint: expect.stringContaining(`It differs in ${difference}.`),
    });
    expect(after).toBe(encoded(file));
  },
);

it("edit_file searches a hostile text in a hostile file without blocking the event loop (TL-5)", async () => {
  const content = new TextEncoder().encode("a".repeat(4_000_000));
  const { result } = await editIn(content, {
    old_string: `${"a".repeat(40_000)}b`,
    new_string: "x",
  });
  expect(result.success).toBe(false);
});
