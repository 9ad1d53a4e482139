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
    const [problem] = check(OLD_STYLE);
    expect(problem).toContain(`${kind}: `);
    expect(problem).toContain("By area: packages/tools ");
    expect(problem).toMatch(
      new RegExp(`${file}: 3 \\(line \\d: Whoever, line \\d: told, line \\d: goes on\\)`),
    );
  });

  it("finds a phrase across a line break and gives its line", () => {
    const text = "First line.\n\nThe handler is\nno callback.\n";
    expect(countPhrases([{ file: "docs/a.md", text }])).toEqual([
      { file: "docs/a.md", kind: "prose", words: 7, hits: ["3: is no"], oldStyle: [] },
    ]);
  });

  it("accepts a few phrases in a text of 10,000 words", () => {
    const text = `${"word ".repeat(10_000)}\n\nIt was said. It goes on.`;
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

it("checkLanguage refuses one sentence with several phrases, whatever the rate of the others is", () => {
  const plain = `// ${"Reads the file and returns its content. ".repeat(2_000)}\n`;
  const text = `${plain}/** Sees to it that nobody meets a change half-way. */\n`;
  const [problem, ...more] = checkLanguage("comments", countPhrases([{ file: "a.ts", text }]));
  expect(problem).toContain("a.ts:2: /** Sees to it that nobody meets a change half-way");
  expect(more).toEqual([]);
  expect(checkLanguage("comments", countPhrases([{ file: "a.ts", text: plain }]))).toEqual([]);
});
