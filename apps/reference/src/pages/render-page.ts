import type { Declaration, DeclarationKind, DocumentedEntryPoint } from "./read-declarations.js";

const HEADINGS: Readonly<Record<DeclarationKind, string>> = {
  class: "Classes",
  function: "Functions",
  value: "Values",
  type: "Types",
};

/** Longer values are inferred types, which do not help a reader. */
const MAX_VALUE_LINES = 25;

const NOTE = "<!-- Generated from the sources by `npx -y pnpm@12.4.2 reference`. Do not edit. -->";

export function pageName({ entryPoint }: DocumentedEntryPoint): string {
  return `${entryPoint.specifier.replace("@wink/", "").replaceAll("/", "-")}.md`;
}

export function renderPage({ entryPoint, declarations }: DocumentedEntryPoint): string {
  const parts = Object.entries(HEADINGS).flatMap(([kind, heading]) => {
    const entries = declarations
      .filter((declaration) => declaration.kind === kind)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.length === 0 ? [] : [`## ${heading}`, ...entries.map(renderDeclaration)];
  });
  return `${[NOTE, `# ${entryPoint.specifier}`, ...parts].join("\n\n")}\n`;
}

function renderDeclaration({ name, kind, comment, code }: Declaration): string {
  const shown = kind === "value" ? clip(code) : code;
  const text = comment === "" ? [] : [comment];
  return [`### ${name}`, ...text, `\`\`\`ts\n${shown}\n\`\`\``].join("\n\n");
}

function clip(code: string): string {
  const lines = code.split("\n");
  if (lines.length <= MAX_VALUE_LINES) return code;
  return [...lines.slice(0, MAX_VALUE_LINES), "// and so on"].join("\n");
}

export function renderIndex(modules: readonly DocumentedEntryPoint[]): string {
  const rows = modules.map((module) => {
    const names = module.declarations
      .filter(({ kind }) => kind !== "type")
      .map(({ name }) => name)
      .sort();
    return `| [\`${module.entryPoint.specifier}\`](${pageName(module)}) | ${names.map((name) => `\`${name}\``).join(", ")} |`;
  });
  const intro =
    "Everything that you can import, with the documentation from the sources. Anything else is internal and may change at any time.";
  const table = ["| import | what can be called or used |", "| --- | --- |", ...rows].join("\n");
  return `${[NOTE, "# Reference", intro, table].join("\n\n")}\n`;
}
