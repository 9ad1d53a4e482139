import type { Filesystem } from "../../protocol/filesystem.js";
import { attributeStep, linkStep, namingStep, statStep } from "./attribute-steps.test.support.js";
import type { Random } from "./random.test.support.js";
import type { ReferenceFilesystem, ReferenceWrite } from "./reference-filesystem.test.support.js";
import { Refused } from "./reference-nodes.test.support.js";

/** One operation, for the model and for the real filesystem. */
export interface Step {
  /** For the report of a difference. Starts with the operation. */
  readonly says: string;
  readonly model: (model: ReferenceFilesystem) => unknown;
  readonly real: (filesystem: Filesystem) => Promise<unknown>;
}

const NAMES = [
  "a",
  "b",
  "c",
  "dir",
  "é",
  "e\u0301",
  "A",
  "..x",
  " ",
  "__proto__",
  "*",
  "-rf",
  "~",
  "x".repeat(9),
];
const ODD = ["..", ".", "", ".git", ".GIT", "a\0", "\ud800", "\u007f"];
const SEPARATORS = ["/", "/", "/", "/", "\\", "//"];
/** One character per byte; the fifth is not UTF-8, the last exceeds a limit. */
const CONTENTS = [
  "",
  "1",
  "two\n",
  Buffer.from("é😀\r\n").toString("latin1"),
  "\xff\xfe",
  "x".repeat(60),
  "line\n".repeat(8),
  "y".repeat(130),
];

/** A random next operation. The set of paths is small, so that paths repeat. */
export function randomStep(random: Random): Step {
  const path = randomPath(random);
  switch (random.below(20)) {
    case 0:
    case 1:
    case 2:
      return writeStep(random, path);
    case 3:
      return streamStep(random, path);
    case 4:
      return deleteStep(random, path);
    case 5:
      return mkdirStep(random, path);
    case 6:
    case 7:
      return transferStep(random, path);
    case 8:
    case 9:
      return readStep(path);
    case 10:
      return bytesStep(random, path);
    case 11:
      return statStep(random, path);
    case 12:
      return {
        says: `exists ${JSON.stringify(path)}`,
        model: (model) => model.exists(path),
        real: (fs) => fs.exists(path),
      };
    case 13:
      return listStep(path);
    case 14:
      return usageStep();
    case 15:
    case 16:
      return linkStep(random, path);
    case 17:
      return attributeStep(random, path);
    case 18:
      return namingStep(random, path);
    default:
      return random.chance(0.9) ? usageStep() : globStep();
  }
}

const CHANGES = /^(?:write|writeBytes|delete|mkdir|copy|move|symlink|chmod|utimes) /;

/** A change in a single call, so that it has one position in the order of changes. */
export function randomChange(random: Random): Step {
  for (;;) {
    const step = randomStep(random);
    if (CHANGES.test(step.says)) return step;
  }
}

/** Compares the whole content: at the end of a run and sometimes in between. */
export function globStep(): Step {
  return {
    says: "glob **",
    model: (model) => model.paths(),
    real: async (fs) =>
      (await fs.glob("**", { directories: true })).map(({ path, isFile }) =>
        isFile ? path : `${path}/`,
      ),
  };
}

function randomPath(random: Random): string {
  let path = random.chance(0.1) ? random.pick(["/", "./", "\\"]) : "";
  const depth = random.pick([1, 1, 1, 2, 2, 2, 3, 3, 4, 6]);
  for (let index = 0; index < depth; index++) {
    if (index > 0) path += random.pick(SEPARATORS);
    // The first names are the most likely, so that operations find existing files.
    path += random.chance(0.04)
      ? random.pick(ODD)
      : NAMES[Math.floor(NAMES.length * random.next() ** 2.5)];
  }
  return random.chance(0.05) ? `${path}/` : path;
}

function writeStep(random: Random, path: string): Step {
  const content = random.pick(CONTENTS);
  const options = writeOptions(random);
  const asText = isText(content) && random.chance(0.5);
  return {
    says: `${asText ? "write" : "writeBytes"} ${JSON.stringify([path, content, options])}`,
    model: (model) => model.write(path, content, options),
    async real(fs) {
      const given = realOptions(options);
      const result = asText
        ? await fs.write(path, textOf(content), given)
        : await fs.writeBytes(path, bytesOf(content), given);
      return result.bytesWritten;
    },
  };
}

function streamStep(random: Random, path: string): Step {
  const content = random.pick(CONTENTS);
  const options = writeOptions(random);
  const middle = random.below(content.length + 1);
  const isDiscarded = random.chance(0.2);
  return {
    says: `openWrite ${JSON.stringify([path, content, options, isDiscarded])}`,
    model(model) {
      // An aborted stream may be rejected earlier or not at all. Only its effect is compared.
      return isDiscarded ? undefined : model.write(path, content, options, true);
    },
    async real(fs) {
      try {
        const writer = await fs.openWrite(path, realOptions(options));
        await writer.write(bytesOf(content.slice(0, middle)));
        await writer.write(bytesOf(content.slice(middle)));
        if (!isDiscarded) return (await writer.close()).bytesWritten;
        await writer.abort();
      } catch (error) {
        if (!isDiscarded) throw error;
      }
      return undefined;
    },
  };
}

function writeOptions(random: Random): ReferenceWrite {
  return {
    mode: random.pick(["overwrite", "overwrite", "create", "append"]),
    createParents: random.chance(0.8),
    stale: random.chance(0.05),
  };
}

function realOptions({ mode, createParents, stale }: ReferenceWrite) {
  return { mode, createParents, ifRevision: stale ? "not of any content" : undefined };
}

function deleteStep(random: Random, path: string): Step {
  const recursive = random.chance(0.6);
  return {
    says: `delete ${JSON.stringify([path, recursive])}`,
    model: (model) => model.delete(path, recursive),
    real: (fs) => fs.delete(path, { recursive }),
  };
}

function mkdirStep(random: Random, path: string): Step {
  const parents = random.chance(0.7);
  const existOk = random.chance(0.7);
  return {
    says: `mkdir ${JSON.stringify([path, parents, existOk])}`,
    model: (model) => model.mkdir(path, parents, existOk),
    real: (fs) => fs.mkdir(path, { parents, existOk }),
  };
}

function transferStep(random: Random, from: string): Step {
  const call = random.pick(["copy", "move"] as const);
  const to = randomPath(random);
  const overwrite = random.chance(0.5);
  const createParents = random.chance(0.8);
  return {
    says: `${call} ${JSON.stringify([from, to, overwrite, createParents])}`,
    model: (model) => model.transfer(call, from, to, overwrite, createParents),
    real: (fs) => fs[call](from, to, { overwrite, createParents }),
  };
}

function readStep(path: string): Step {
  return {
    says: `read ${JSON.stringify(path)}`,
    model(model) {
      const content = model.read(path);
      if (!isText(content)) throw new Refused("EILSEQ");
      return [textOf(content), textOf(content).split("\n").length];
    },
    async real(fs) {
      const { content, totalLines } = await fs.read(path);
      // The number of pieces between line ends, which is how the model counts.
      return [content, content === "" || content.endsWith("\n") ? totalLines + 1 : totalLines];
    },
  };
}

function bytesStep(random: Random, path: string): Step {
  const offset = random.below(20);
  const limit = random.below(40);
  return {
    says: `readBytes ${JSON.stringify([path, offset, limit])}`,
    model(model) {
      const content = model.read(path);
      return [
        content.slice(offset, offset + limit),
        offset + limit < content.length && offset < content.length,
      ];
    },
    async real(fs) {
      const { content, truncated } = await fs.readBytes(path, { offset, limit });
      return [Buffer.from(content).toString("latin1"), truncated];
    },
  };
}

function listStep(path: string): Step {
  return {
    says: `list ${JSON.stringify(path)}`,
    model: (model) => model.list(path),
    real: async (fs) =>
      (await fs.list(path)).map(({ name, isDirectory }) => (isDirectory ? `${name}/` : name)),
  };
}

function usageStep(): Step {
  return {
    says: "usage",
    model: (model) => model.usage(),
    async real(fs) {
      const { totalBytes, nodeCount } = await fs.usage();
      return { totalBytes, nodeCount };
    },
  };
}

function bytesOf(content: string): Uint8Array {
  return Uint8Array.from(Buffer.from(content, "latin1"));
}

/** Decodes content with one character per byte to the text that those bytes are in UTF-8. */
function textOf(content: string): string {
  return Buffer.from(content, "latin1").toString();
}

function isText(content: string): boolean {
  return Buffer.from(textOf(content)).toString("latin1") === content;
}
