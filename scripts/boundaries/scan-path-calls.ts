import { parseSync, Visitor } from "vite";

/** One place in a file that removes, copies, renames or changes a node by its path. */
export interface PathCall {
  /** The name in `node:fs`, without `Sync`. */
  readonly call: string;
  readonly line: number;
}

/** Which arguments of a call are paths, and whether it follows a link at the end of a path. */
const CALLS: Readonly<
  Record<string, { readonly paths: readonly number[]; readonly follows: boolean }>
> = {
  chmod: { paths: [0], follows: true },
  chown: { paths: [0], follows: true },
  copyFile: { paths: [0, 1], follows: true },
  cp: { paths: [0, 1], follows: true },
  lchmod: { paths: [0], follows: false },
  lchown: { paths: [0], follows: false },
  link: { paths: [0, 1], follows: false },
  lutimes: { paths: [0], follows: false },
  rename: { paths: [0, 1], follows: false },
  // `rm` enters directories by their paths, so no argument makes it safe.
  rm: { paths: [], follows: true },
  rmdir: { paths: [0], follows: false },
  symlink: { paths: [1], follows: false },
  truncate: { paths: [0], follows: true },
  unlink: { paths: [0], follows: false },
  utimes: { paths: [0], follows: true },
};

const MODULE = /^(?:node:)?fs(?:\/promises)?$/;

interface Node {
  readonly type: string;
  readonly start: number;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Every use of such a function of `node:fs` whose paths are not names in an open directory.
 *
 * A path is safe as `directory.pathOf(name)`, or as `/proc/self/fd/${fd}` where a link at its end would be followed.
 */
export function scanPathCalls(file: string, source: string): readonly PathCall[] {
  const { program } = parseSync(file, source);
  const { functions, modules } = importedNames(program.body as unknown as readonly Node[]);
  const found: { call: string; start: number }[] = [];
  const note = (name: string | undefined, start: number) => {
    const call = name?.replace(/Sync$/, "");
    if (call !== undefined && Object.hasOwn(CALLS, call)) found.push({ call, start });
  };
  const visitor = new Visitor({
    CallExpression(node) {
      const {
        callee,
        arguments: args,
        start,
      } = node as unknown as {
        readonly callee: Node & Fields;
        readonly arguments: readonly (Node & Fields)[];
        readonly start: number;
      };
      const name = functions.get(nameOf(callee) ?? "");
      if (name !== undefined && !isSafe(name, args)) note(name, start);
      // Passed to `promisify` or a similar function.
      for (const arg of args) note(functions.get(nameOf(arg) ?? ""), arg.start);
    },
    MemberExpression(node) {
      const { object, property, start } = node as unknown as {
        readonly object: Node & Fields;
        readonly property: Node & Fields;
        readonly start: number;
      };
      const base = object.type === "MemberExpression" ? object["object"] : object;
      if (modules.has(nameOf(base as Node & Fields) ?? "")) note(nameOf(property), start);
    },
    VariableDeclarator(node) {
      const { id, init, start } = node as unknown as {
        readonly id: Node & Fields;
        readonly init: (Node & Fields) | null;
        readonly start: number;
      };
      if (!isLazyImport(init)) return;
      const properties = (id["properties"] ?? []) as readonly Fields[];
      for (const { key } of properties) note(nameOf(key as Node & Fields), start);
    },
  });
  visitor.visit(program);
  return found
    .sort((a, b) => a.start - b.start)
    .map(({ call, start }) => ({ call, line: source.slice(0, start).split("\n").length }));
}

/** The local names of functions of `node:fs` with their own names, and of the module itself. */
function importedNames(body: readonly Node[]): {
  readonly functions: ReadonlyMap<string, string>;
  readonly modules: ReadonlySet<string>;
} {
  const functions = new Map<string, string>();
  const modules = new Set<string>();
  for (const statement of body as readonly (Node & Fields)[]) {
    if (statement.type !== "ImportDeclaration") continue;
    if (!MODULE.test(String((statement["source"] as Fields)["value"]))) continue;
    for (const specifier of statement["specifiers"] as readonly (Node & Fields)[]) {
      const local = nameOf(specifier["local"] as Node & Fields) ?? "";
      if (specifier.type === "ImportSpecifier")
        functions.set(local, nameOf(specifier["imported"] as Node & Fields) ?? local);
      else modules.add(local);
    }
  }
  return { functions, modules };
}

function isSafe(name: string, args: readonly (Node & Fields)[]): boolean {
  const call = CALLS[name.replace(/Sync$/, "")];
  if (call === undefined) return true;
  const { paths, follows } = call;
  return paths.length > 0 && paths.every((index) => isPinned(args[index], follows));
}

function isPinned(argument: (Node & Fields) | undefined, follows: boolean): boolean {
  if (argument?.type === "TemplateLiteral") {
    const texts = (argument["quasis"] as readonly { value: { raw: string } }[]).map(
      ({ value }) => value.raw,
    );
    return texts.length === 2 && texts[0] === "/proc/self/fd/" && texts[1] === "";
  }
  if (follows || argument?.type !== "CallExpression") return false;
  const callee = argument["callee"] as Node & Fields;
  return (
    callee.type === "MemberExpression" && nameOf(callee["property"] as Node & Fields) === "pathOf"
  );
}

function isLazyImport(init: (Node & Fields) | null): boolean {
  const awaited = init?.type === "AwaitExpression" ? (init["argument"] as Node & Fields) : init;
  if (awaited?.type !== "ImportExpression") return false;
  return MODULE.test(String((awaited["source"] as Fields)["value"]));
}

function nameOf(node: (Node & Fields) | undefined): string | undefined {
  return node?.type === "Identifier" ? String(node["name"]) : undefined;
}
