import hljs from "highlight.js/lib/core";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";

const LANGUAGES = { json, markdown, python, typescript, xml };
export type Language = keyof typeof LANGUAGES;

const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  typescript: ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
  json: ["json", "jsonl"],
  markdown: ["md", "markdown"],
  python: ["py", "pyi"],
  xml: ["html", "htm", "xml", "svg", "vue"],
};

/** The language of a file by the end of its name. */
export function languageOf(path: string): Language | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  // The record has only these keys.
  return (Object.keys(ENDINGS) as Language[]).find((name) => ENDINGS[name].includes(ending));
}

/** Registers a language when it is first needed, because its grammar is compiled then. */
export function highlighterFor(language: Language): typeof hljs {
  // Markdown contains HTML and code of other languages, but only HTML changes how it is read.
  const needed: readonly Language[] = language === "markdown" ? ["xml", "markdown"] : [language];
  for (const name of needed)
    if (hljs.getLanguage(name) === undefined) hljs.registerLanguage(name, LANGUAGES[name]);
  return hljs;
}
