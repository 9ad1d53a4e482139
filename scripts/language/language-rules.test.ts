import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkLanguage, countPhrases } from "./language-rules.js";
import type { TextKind } from "./texts-of-file.js";

const OLD_STYLE = "Whoever was told goes on.";

describe("the language check", () => {
  it.each<[TextKind, string, (sentence: string) => string]>([
    ["comments", "packages/tools/src/a.ts", (sentence) => `/** ${sentence} */\nconst a = 1;`],
    ["comments", "packages/tools/src/a.ts", (sentence) => `// ${sentence}\nconst a = 1;`],
    ["messages", "packages/tools/src/a.ts", (sentence) => `fail("${sentence}");`],
    ["messages", "packages/tools/src/a.ts", (sentence) => `fail(\`$\{file}: ${sentence}\`);`],
    ["prose", "packages/tools/README.md", (sentence) => `# Title\n\n${sentence}\n`],
  ])("fails when the %s of %s contain a sentence in the old style (%#)", (kind, file, write) => {
    const check = (sentence: string) =>
      checkLanguage(kind, countPhrases([{ file, text: write(sentence) }]));

    expect(check("The handler continues after the notification.")).toEqual([]);
    const [problem, ...sentences] = check(OLD_STYLE);
    expect(problem).toContain(`${kind}: `);
    expect(problem).toContain("By area: packages/tools ");
    expect(sentences).toEqual([expect.stringContaining("Whoever was told goes on")]);
    expect(problem).toMatch(
      new RegExp(`${file}: 3 \\(line \\d: Whoever, line \\d: told, line \\d: goes on\\)`),
    );
  });

  it("finds a phrase across a line break and gives its line", () => {
    const text = "First line.\n\nThis shows what\nis stored.\n";
    expect(countPhrases([{ file: "docs/a.md", text }])).toEqual([
      { file: "docs/a.md", kind: "prose", words: 7, hits: ["3: what is"], oldStyle: [] },
    ]);
  });

  it("accepts a few phrases in a text of 10,000 words", () => {
    const text = `${"word ".repeat(10_000)}\n\nA folder behind it. Facts apart from that.`;
    expect(checkLanguage("prose", countPhrases([{ file: "README.md", text }]))).toEqual([]);
  });

  it("does not read code, code blocks, identifiers or exempt files", () => {
    const files = [
      { file: "src/a.ts", text: 'whoever.told(behind, "told");' },
      { file: "docs/a.md", text: `\`\`\`text\n${OLD_STYLE}\n\`\`\`\n` },
      { file: "docs/reference/a.md", text: OLD_STYLE },
      { file: "apps/cli/fixtures/a.md", text: OLD_STYLE },
    ];
    expect(countPhrases(files).flatMap(({ hits }) => hits)).toEqual([]);
  });
});

const OLD_SENTENCES = readFileSync(new URL("./fixtures/old-sentences.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

const PLAIN = `// ${"Reads the file and returns its content. ".repeat(3_000)}\n`;

function problemsOf(comment: string): readonly string[] {
  return checkLanguage(
    "comments",
    countPhrases([{ file: "a.ts", text: `${PLAIN}/** ${comment} */\n` }]),
  );
}

describe("checkLanguage", () => {
  it.each(OLD_SENTENCES)(
    "refuses one sentence in the old style, whatever the rate of the others is: %s",
    (sentence) => {
      expect(problemsOf(sentence)).toEqual([
        `a.ts:2: /** ${sentence.slice(0, -1)}\nRewrite this sentence in plain English.`,
      ]);
    },
  );

  it.each([
    "There is no file with this name.",
    "The handler no longer runs, because it costs no more than a call.",
    "The reader goes on to the next page.",
    "Takes its own lock, which is no longer held.",
    'Runs as the user "nobody".',
    "A look-alike of a letter.",
  ])("accepts a plain sentence: %s", (sentence) => {
    expect(problemsOf(sentence)).toEqual([]);
  });
});
