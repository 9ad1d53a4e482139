import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import { CLONE } from "../terminal/clone.js";

/** The data for `bin/agent-hooks.js`. */
interface HookData {
  /** A file of this package to resolve from. */
  readonly home: string;
  /** The module for `@wink/cli`. */
  readonly index: string;
  /** Whether this Node runs TypeScript without help. */
  readonly stripsTypes: boolean;
}

interface Hooks {
  initialize(data: HookData): void;
  isWink(specifier: string): boolean;
  isZod(specifier: string): boolean;
  either<T>(first: () => T, second: () => T): T;
  readonly resolve: unknown;
}

const HOOKS = new URL("../../bin/agent-hooks.js", import.meta.url).href;

let installed: Promise<void> | undefined;

/**
 * Makes an agent file loadable: TypeScript on every supported Node, and `@wink/*` and zod in
 * directories where nothing is installed.
 */
export function installAgentHooks({ isTypeScript }: { isTypeScript: boolean }): Promise<void> {
  installed ??= install(isTypeScript);
  return installed;
}

async function install(isTypeScript: boolean): Promise<void> {
  const stripsTypes = "typescript" in process.features && Boolean(process.features.typescript);
  const data: HookData = {
    home: import.meta.url,
    index: new URL(`../index.${CLONE === undefined ? "js" : "ts"}`, import.meta.url).href,
    stripsTypes: stripsTypes && CLONE === undefined,
  };
  // A clone starts with tsx, because its own sources need it.
  if (isTypeScript && !stripsTypes && CLONE === undefined) (await import("tsx/esm/api")).register();
  // A JavaScript file of this package with exactly these exports.
  const hooks = (await import(HOOKS)) as Hooks;
  hooks.initialize(data);
  if (hasRegisterHooks(nodeModule)) nodeModule.registerHooks({ resolve: hooks.resolve });
  else nodeModule.register(HOOKS, { data });
  extendRequire(data, hooks);
}

/** For `require`: older Node versions do not call the hooks, newer ones ignore their `parentURL`. */
function extendRequire({ home, index }: HookData, { isWink, isZod, either }: Hooks): void {
  // Not documented, but every loader of TypeScript for Node depends on it.
  const loader = nodeModule.Module as unknown as {
    _resolveFilename(
      this: unknown,
      request: string,
      parent: { readonly filename?: string } | undefined,
      ...rest: unknown[]
    ): string;
  };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (request, parent, ...rest) {
    if (request === "@wink/cli") return fileURLToPath(index);
    const theirs = () => resolve.call(this, request, parent, ...rest);
    const ours = () => nodeModule.createRequire(home).resolve(request);
    // The resolution of our own packages calls this function again.
    if (parent?.filename === fileURLToPath(home)) return theirs();
    if (isWink(request)) return either(ours, theirs);
    return isZod(request) ? either(theirs, ours) : theirs();
  };
}

/** `@types/node` is for the oldest supported Node, which has no `registerHooks`. */
function hasRegisterHooks<Module extends object>(
  module: Module,
): module is Module & { registerHooks(hooks: { readonly resolve: unknown }): void } {
  return "registerHooks" in module && typeof module.registerHooks === "function";
}
