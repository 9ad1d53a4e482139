import type { ScannedFile } from "./ecosystems/project-files.js";

export interface LanguageShare {
  readonly name: string;
  readonly sizeBytes: number;
}

/** Programming languages by file extension. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ts: "TypeScript",
  tsx: "TypeScript",
  mts: "TypeScript",
  cts: "TypeScript",
  js: "JavaScript",
  jsx: "JavaScript",
  mjs: "JavaScript",
  cjs: "JavaScript",
  py: "Python",
  pyi: "Python",
  rs: "Rust",
  go: "Go",
  java: "Java",
  kt: "Kotlin",
  kts: "Kotlin",
  scala: "Scala",
  groovy: "Groovy",
  rb: "Ruby",
  php: "PHP",
  cs: "C#",
  fs: "F#",
  vb: "Visual Basic",
  c: "C",
  h: "C",
  cc: "C++",
  cpp: "C++",
  cxx: "C++",
  hpp: "C++",
  hh: "C++",
  m: "Objective-C",
  swift: "Swift",
  dart: "Dart",
  ex: "Elixir",
  exs: "Elixir",
  erl: "Erlang",
  hs: "Haskell",
  ml: "OCaml",
  clj: "Clojure",
  lua: "Lua",
  pl: "Perl",
  r: "R",
  jl: "Julia",
  zig: "Zig",
  nim: "Nim",
  sh: "Shell",
  bash: "Shell",
  zsh: "Shell",
  ps1: "PowerShell",
  sql: "SQL",
  vue: "Vue",
  svelte: "Svelte",
  sol: "Solidity",
};

/** Documentation and data formats by file extension. They are never a project's primary language. */
const OTHERS: Readonly<Record<string, string>> = {
  md: "Markdown",
  mdx: "Markdown",
  rst: "reStructuredText",
  html: "HTML",
  css: "CSS",
  scss: "CSS",
  less: "CSS",
  json: "JSON",
  yaml: "YAML",
  yml: "YAML",
  toml: "TOML",
  xml: "XML",
};

const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|composer\.lock|npm-shrinkwrap\.json)$/;

/** The languages of the files, sorted by size, the largest first. */
export function shareLanguages(files: readonly ScannedFile[]): readonly LanguageShare[] {
  const bytes = new Map<string, number>();
  for (const { path, sizeBytes } of files) {
    const name = languageOf(path);
    if (name !== undefined && !LOCK_FILES.test(path))
      bytes.set(name, (bytes.get(name) ?? 0) + sizeBytes);
  }
  return [...bytes]
    .map(([name, sizeBytes]) => ({ name, sizeBytes }))
    .sort((one, other) => other.sizeBytes - one.sizeBytes || (one.name < other.name ? -1 : 1));
}

/** The programming language with the most bytes. */
export function primaryLanguage(shares: readonly LanguageShare[]): string | undefined {
  const programs = new Set(Object.values(PROGRAMS));
  return shares.find(({ name, sizeBytes }) => programs.has(name) && sizeBytes > 0)?.name;
}

function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot < 0) return undefined;
  const ending = name.slice(dot + 1).toLowerCase();
  return lookUp(PROGRAMS, ending) ?? lookUp(OTHERS, ending);
}

function lookUp(table: Readonly<Record<string, string>>, ending: string): string | undefined {
  return Object.hasOwn(table, ending) ? table[ending] : undefined;
}
