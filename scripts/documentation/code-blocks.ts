/** A fenced block of a markdown page. */
export interface CodeBlock {
  /** The words after the opening fence, such as `["ts", "run"]`. */
  readonly info: readonly string[];
  /** The line of the opening fence, counted from one. */
  readonly line: number;
  /** Everything between the fences, each line with its newline. */
  readonly text: string;
}

/** A block marked `ts run`, with its expected output if the page has one. */
export interface RunnableBlock {
  readonly line: number;
  readonly text: string;
  /** The next block, if it is marked `text output`. */
  readonly expectedOutput?: string;
}

const FENCE = /^( *)(`{3,}|~{3,})\s*([^`]*)$/;

/** The fenced blocks of a page in order. A block inside a longer fence is text, not a block. */
export function findCodeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open:
    | { readonly fence: string; readonly indent: number; readonly block: CodeBlock }
    | undefined;
  let text = "";
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, indent = "", fence = "", info = ""] = FENCE.exec(line) ?? [];
    if (open === undefined) {
      if (fence === "") continue;
      const words = info.split(/\s+/).filter((word) => word !== "");
      open = { fence, indent: indent.length, block: { info: words, line: index + 1, text: "" } };
      text = "";
    } else if (info === "" && fence.startsWith(open.fence)) {
      blocks.push({ ...open.block, text });
      open = undefined;
    } else {
      // A block in a list is indented as a whole.
      text += `${line.slice(Math.min(open.indent, line.length - line.trimStart().length))}\n`;
    }
  }
  return blocks;
}

export function findRunnableBlocks(markdown: string): readonly RunnableBlock[] {
  const blocks = findCodeBlocks(markdown);
  return blocks.flatMap(({ info, line, text }, index) => {
    if (info[0] !== "ts" || !info.includes("run")) return [];
    const next = blocks[index + 1];
    const hasOutput = next?.info[0] === "text" && next.info.includes("output");
    return [{ line, text, ...(hasOutput && { expectedOutput: next.text }) }];
  });
}

/** The page with the contents of its code, fenced and inline, blanked out; lines keep their numbers. */
export function withoutCode(markdown: string): string {
  const lines = markdown.split("\n");
  for (const { line, text } of findCodeBlocks(markdown))
    lines.fill("", line - 1, line + text.split("\n").length);
  return lines.join("\n").replaceAll(/(`+)[^`\n](?:.*?[^`\n])??\1(?!`)/g, "");
}
