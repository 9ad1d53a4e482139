import { describe, expect, it } from "vitest";
import { compileGlob } from "./glob-pattern.js";

const options = { operation: "glob", maxPatternCharacters: 4_096 };

function matches(pattern: string, path: string): boolean {
  return compileGlob(pattern, options).matches(path);
}

function refusal(pattern: string): unknown {
  try {
    return compileGlob(pattern, options).source;
  } catch (error) {
    return error;
  }
}

describe("a pattern matches", () => {
  it.each([
    ["*.ts", ["a.ts", "src/a.ts", "a/b/c/.ts", ".hidden.ts"], ["a.tsx", "a.ts/b", "ts"]],
    ["a.ts", ["a.ts", "x/a.ts"], ["ba.ts", "a.ts/x", "x/ba.ts"]],
    ["*", ["a", ".a", "a/b"], []],
    ["**", ["a", ".a", "a/b/.c"], []],
    ["**/*.ts", ["a.ts", "x/y/a.ts"], ["a.js"]],
    ["**/a*b.ts", ["ab.ts", "x/axxb.ts"], ["x/a/b.ts", "xab.ts"]],
    ["./*.ts", ["a.ts"], ["src/a.ts"]],
    ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts", "xsrc/a.ts"]],
    ["src/**", ["src/a", "src/a/b", "src"], ["srcs/a", "a/src/b"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "src/a.js", "lib/src/a.ts"]],
    ["src/**/test/**/*.ts", ["src/test/a.ts", "src/x/test/y/z/a.ts"], ["src/a.ts", "test/a.ts"]],
    ["**/src/**", ["src", "src/a", "x/src/a/b"], ["a", "xsrc/a"]],
    ["packages/*/**", ["packages/a/b", "packages/a/b/c"], ["packages/a", "packages"]],
    ["**/**/a/**/**/b", ["a/b", "x/a/y/z/b"], ["a", "b", "a/c"]],
    ["a/b/*.ts", ["a/b/c.ts"], ["a/b/c/d.ts", "a/c.ts"]],
    ["a//b/./c", ["a/b/c"], ["a//b/./c"]],
    ["?.ts", ["a.ts", "x/b.ts", "😀.ts"], ["ab.ts", ".ts"]],
    ["[abc].ts", ["a.ts", "x/c.ts", "[abc].ts"], ["d.ts", "/.ts"]],
    ["app/[id]/page.tsx", ["app/[id]/page.tsx", "app/i/page.tsx"], ["app/id/page.tsx"]],
    ["**/[slug].tsx", ["app/[slug].tsx", "s.tsx"], ["slug.tsx"]],
    ["file [1].txt", ["file [1].txt", "x/file 1.txt"], ["file 2.txt"]],
    ["app/[...slug]/page.tsx", ["app/[...slug]/page.tsx"], ["app/slug/page.tsx"]],
    ["src/*.@(ts|tsx)", ["src/a.ts", "src/a.tsx"], ["src/a.js", "src/a.@(ts|tsx)x"]],
    ["+(a|b).ts", ["a.ts", "x/abba.ts"], [".ts", "c.ts"]],
    ["*(a|b)c", ["c", "abc"], ["dc"]],
    ["?(a)b", ["b", "ab"], ["aab"]],
    ["!(a|b)", ["c", "ab", "x/c"], ["a", "x/b"]],
    ["**/!(*.test).ts", ["src/a.ts", "a.ts"], ["src/a.test.ts", "a.js"]],
    ["src/!(vendor)/*.js", ["src/lib/a.js"], ["src/vendor/a.js"]],
    ["app/(group)/**", ["app/(group)/page.tsx", "app/(group)"], ["app/group/page.tsx"]],
    ["app/(.)photo/*", ["app/(.)photo/x"], ["app/photo/x"]],
    ["[a-c0-9]x", ["bx", "5x"], ["dx", "-x"]],
    ["[!a]x", ["bx", "😀x"], ["ax", "x", "/x"]],
    ["[^a-y]x", ["zx"], ["ax"]],
    ["[]a]x", ["]x", "ax"], ["x"]],
    ["[a-]x", ["-x", "ax"], ["bx"]],
    ["[[:digit:][:upper:]_]x", ["1x", "Ax", "_x"], ["ax", ":x"]],
    ["[a", ["[a"], ["a"]],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["(group)/page.tsx", ["(group)/page.tsx"], ["group/page.tsx"]],
    ["*[!😀]", ["a😀b"], ["😀", "a😀"]],
  ])("%s", (pattern, matching, others) => {
    const glob = compileGlob(pattern, options);
    expect(matching.filter((path) => !glob.matches(path))).toEqual([]);
    expect(others.filter((path) => glob.matches(path))).toEqual([]);
  });

  it.each([
    ["*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.js", "a.{ts,tsx}"]],
    ["{src,test}/**/*.ts", ["src/a.ts", "test/x/a.ts"], ["lib/a.ts"]],
    ["{a/b,c}", ["a/b", "c"], ["x/c", "b"]],
    ["x{,y}", ["x", "xy"], ["xx"]],
    ["{1..3}", ["1", "3"], ["4", "1..3"]],
    ["{3..1}", ["2"], ["4"]],
    ["{-1..1}", ["-1", "0"], ["-2"]],
    ["f{08..10}", ["f08", "f09", "f10"], ["f8", "f010"]],
    ["{a..c}x", ["bx"], ["dx"]],
    ["{1..10..2}", ["1", "3", "9"], ["2", "10"]],
    ["{a,b}{a,b}{a,b}", ["aba"], ["ab", "abc"]],
    ["{a,b{c,d}}e", ["ae", "bce", "bde"], ["be"]],
    ["{a}", ["{a}"], ["a"]],
    ["{a{b,c}}", ["{ab}", "{ac}"], ["ab"]],
    ["{a,b", ["{a,b"], ["a", "b"]],
    ["a}", ["a}"], ["a"]],
    ["[{,}]x", ["{x", ",x", "}x"], ["x"]],
    ["{[,],b}x", [",x", "bx"], ["[x"]],
  ])("%s, by its braces", (pattern, matching, others) => {
    const glob = compileGlob(pattern, options);
    expect(matching.filter((path) => !glob.matches(path))).toEqual([]);
    expect(others.filter((path) => glob.matches(path))).toEqual([]);
  });

  it.each([
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "-rf",
    "--help",
    ":!x",
    "*",
    "[x]",
    "{a,b}",
    "$HOME",
    ".git",
  ])("a file named %s like any other (A24, A25)", (name) => {
    expect(matches("*", `dir/${name}`)).toBe(true);
    expect(matches("dir/*", `dir/${name}`)).toBe(true);
    expect(matches(name.replace(/[*[{]/g, "[$&]"), name)).toBe(true);
  });
});

describe("refused patterns", () => {
  it.each([
    ["..", "EACCES"],
    ["../*.ts", "EACCES"],
    ["a/../../b", "EACCES"],
    ["..\\x", "EACCES"],
    ["{..,a}/x", "EACCES"],
    ["/../x", "EACCES"],
    ["/etc/*", "EINVAL"],
    ["a\\b", "EINVAL"],
    ["a\0b", "EINVAL"],
    ["a\u001bb", "EINVAL"],
    ["a\ud800", "EINVAL"],
    ["", "EINVAL"],
    ["!a", "EINVAL"],
    ["src/", "EINVAL"],
    ["[z-a]", "EINVAL"],
  ])("%j fails with %s (C86)", (pattern, code) => {
    expect(refusal(pattern)).toMatchObject({ name: "FilesystemError", code, operation: "glob" });
  });

  it("an extended glob is distinguished from text in parentheses (C85)", () => {
    expect(matches("[+(]a", "(a")).toBe(true);
  });

  it.each(["{1..1000000}", "{1..1001}", "{1..99999999}"])(
    "the range %s has too many values (C83)",
    (pattern) => {
      expect(refusal(pattern)).toMatchObject({
        code: "EINVAL",
        message: expect.stringContaining("at most 1000 values"),
      });
    },
  );

  it.each([`${"{a,".repeat(30)}x${"}".repeat(30)}`, "{a,b}".repeat(201)])(
    "braces are nested too deep or too many, row %# (C83)",
    (pattern) => {
      expect(refusal(pattern)).toMatchObject({
        code: "EINVAL",
        message: expect.stringContaining("pattern too complex"),
      });
    },
  );

  it("braces that expand to many thousand patterns are accepted (C83)", () => {
    const glob = compileGlob("{1..10}{1..10}{1..11}{a,b}{a,b}", options);
    expect(["1111ab", "101011bb", "1110aa", "0aa"].map((path) => glob.matches(path))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it("a range of 1,000 values is accepted (C83)", () => {
    const glob = compileGlob("{1..1000}.txt", options);
    expect(["1.txt", "x/1000.txt", "1001.txt"].map((path) => glob.matches(path))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("a pattern longer than the limit is refused (C83)", () => {
    expect(refusal("a".repeat(4_097))).toMatchObject({ code: "EINVAL" });
    expect(refusal("a".repeat(4_096))).toBe("a".repeat(4_096));
  });
});

describe("directories that a walk can skip", () => {
  it.each([
    ["*.ts", ["", "a", "a/b"], []],
    ["**/x.ts", ["", "a", "a/b"], []],
    ["src/**/x.ts", ["", "src", "src/a", "src/a/b"], ["lib", "srcs", "lib/src"]],
    ["a/b/*.ts", ["", "a", "a/b"], ["b", "a/c", "a/b/c"]],
    ["a/b", ["", "a"], ["a/b", "b"]],
    ["a*/*/c", ["", "ab", "a/b"], ["b", "a/b/c"]],
    ["{src,lib}/x/*", ["", "src", "lib/x"], ["test", "src/y"]],
    ["./a/b", ["", "a"], ["b"]],
  ])("%s", (pattern, entered, pruned) => {
    const glob = compileGlob(pattern, options);
    expect(entered.filter((directory) => !glob.mayContain(directory))).toEqual([]);
    expect(pruned.filter((directory) => glob.mayContain(directory))).toEqual([]);
  });
});

describe("the steps of matching", () => {
  const PATHS = [
    "packages/filesystem/src/search/glob-pattern.property.test.ts",
    "src/components/checkout/use-invoice-totals.spec.tsx",
    "docs/reports/2024-11-30-quarterly-results-final.md",
  ];

  it.each([
    "**/*.ts",
    "*.{ts,tsx,js,jsx}",
    "src/**/*.{spec,test}.[jt]s*",
    "**/*{test,spec}*/**",
    "packages/*/src/**/*-*.test.ts",
    "**/*[Ii]nvoice*[Tt]otal*",
    "docs/**/*-{2019..2030}-{01..12}-*.md",
    "*{invoice,order,user,session,product,report,total,cart,basket,search}*",
  ])("are enough for %s on every path (FS-41)", (pattern) => {
    const unlimited = compileGlob(pattern, options);
    const glob = compileGlob(pattern, { ...options, maxSlowGlobSteps: 0 });
    for (const path of PATHS) {
      expect(glob.matches(path)).toBe(unlimited.matches(path));
      expect(glob.mayContain(path)).toBe(unlimited.mayContain(path));
    }
  });

  /** Needs a new state for nearly every character of a text, with hundreds of threads each. */
  const SLOW = `${"*a".repeat(1_500)}c`;

  it("are limited for one path, whatever the total limit is (C82, TM-6)", () => {
    const glob = compileGlob(SLOW, options);
    expect(() => glob.matches("a".repeat(1_000))).toThrow("the pattern takes too long");
    expect(glob.matches("a".repeat(25))).toBe(false);
  });

  it("are limited for all paths together (C82, FS-41)", () => {
    const glob = compileGlob(`*a${"?".repeat(60)}`, { ...options, maxSlowGlobSteps: 2_000 });
    let decided = 0;
    expect(() => {
      for (; decided < 1_000; decided++) glob.matches(abText(decided, 200));
    }).toThrow("the pattern takes too long");
    expect(decided).toBeGreaterThan(0);
    // The free steps of each path are still available.
    expect(glob.matches("b")).toBe(false);
  });

  it("never make a walk skip a directory: at the limit a directory is walked (C84, TM-6)", () => {
    const glob = compileGlob(`${SLOW}/x`, { ...options, maxSlowGlobSteps: 10_000 });
    expect(glob.mayContain("b/b")).toBe(false);
    expect(glob.mayContain(`${"a".repeat(1_000)}/b`)).toBe(true);
  });
});

/** A text of `a` and `b` that differs for each number. */
function abText(number: number, length: number): string {
  let state = number + 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 3 === 0 ? "a" : "b";
  }).join("");
}
