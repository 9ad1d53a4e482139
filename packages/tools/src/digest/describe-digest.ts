import { count } from "../reply/count.js";
import { oneLine } from "../reply/quote.js";
import type { Commands } from "./ecosystems/findings.js";
import type { UnreadFiles } from "./ecosystems/project-files.js";
import type { LanguageShare } from "./languages.js";

interface Facts {
  readonly projectKind: string;
  readonly primaryLanguage: string;
  readonly languages: readonly LanguageShare[];
  readonly packageManager: string;
  readonly commands: Commands;
  readonly frameworks: readonly string[];
  readonly entryPoints: readonly string[];
  readonly totalFiles: number;
  readonly totalSizeBytes: number;
  readonly unread: UnreadFiles;
}

const LABELS = {
  test: "Testing",
  lint: "Linting",
  typecheck: "Type checking",
  build: "Building",
  format: "Formatting",
} as const;
const MAX_NAME_CHARACTERS = 200;

/** Describes the facts as text: a summary of one sentence, and one line per finding. */
export function describeDigest(facts: Facts): { summary: string; patterns: string[] } {
  const { projectKind, primaryLanguage, packageManager, totalFiles, totalSizeBytes } = facts;
  const language = primaryLanguage === "" ? "" : `, mostly ${primaryLanguage}`;
  const manager = packageManager === "" ? "" : `, dependencies managed with ${packageManager}`;
  const summary = `${capital(projectKind)}${language}${manager}; ${count(totalFiles, "file")}, ${size(totalSizeBytes)}.`;
  return { summary, patterns: patternsOf(facts) };
}

function patternsOf({ languages, commands, frameworks, entryPoints, unread }: Facts): string[] {
  const percents = percentages(languages.map(({ sizeBytes }) => sizeBytes));
  const shares = languages
    .map(({ name }, index) => ({ name, percent: percents[index] ?? 0 }))
    .filter(({ percent }) => percent > 0)
    .map(({ name, percent }) => `${name} ${percent}%`);
  return [
    ...(shares.length > 0 ? [`Languages: ${shares.join(", ")}`] : []),
    ...Object.entries(LABELS).flatMap(([name, label]) => {
      // The keys of `LABELS` are the names of the commands.
      const command = commands[name as keyof Commands];
      return command === undefined ? [] : [`${label}: ${oneLine(command, MAX_NAME_CHARACTERS)}`];
    }),
    ...(frameworks.length > 0 ? [`Frameworks and tools: ${frameworks.join(", ")}`] : []),
    ...(entryPoints.length > 0
      ? [
          `Entry points: ${entryPoints.map((path) => oneLine(path, MAX_NAME_CHARACTERS)).join(", ")}`,
        ]
      : []),
    ...(unread.count > 0
      ? [`Not read because of limits: ${count(unread.count, "file")}, ${size(unread.sizeBytes)}`]
      : []),
  ];
}

/** Whole percentages with the sum 100: those with the largest remainders are rounded up. */
function percentages(sizes: readonly number[]): readonly number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return sizes.map(() => 0);
  const exact = sizes.map((size) => (100 * size) / total);
  const rounded = exact.map(Math.floor);
  const missing = 100 - rounded.reduce((sum, percent) => sum + percent, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((one, other) => other.remainder - one.remainder);
  for (const { index } of byRemainder.slice(0, Math.round(missing))) rounded[index]! += 1;
  return rounded;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function size(bytes: number): string {
  if (bytes < 1_000) return count(bytes, "byte");
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
