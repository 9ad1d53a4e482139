import * as nodeModule from "node:module";
import { CLONE } from "../terminal/clone.js";

/** The data for `bin/resolve-own-packages.js`. */
interface OwnPackages {
  /** A file of this package to resolve from. */
  readonly home: string;
  /** The module for `@wink/cli`. */
  readonly index: string;
}

interface ResolveHooks {
  initialize(data: OwnPackages): void;
  readonly resolve: unknown;
}

const HOOKS = new URL("../../bin/resolve-own-packages.js", import.meta.url).href;

let offered: Promise<void> | undefined;

/** Makes `@wink/*` and zod resolvable for agents in directories where nothing is installed. */
export function offerOwnPackages(): Promise<void> {
  offered ??= offer();
  return offered;
}

async function offer(): Promise<void> {
  const extension = CLONE === undefined ? "js" : "ts";
  const data: OwnPackages = {
    home: import.meta.url,
    index: new URL(`../index.${extension}`, import.meta.url).href,
  };
  // Newer Node versions have synchronous hooks and deprecate `module.register`.
  if (!hasRegisterHooks(nodeModule)) {
    nodeModule.register(HOOKS, { data });
    return;
  }
  // A JavaScript file of this package with exactly these exports.
  const hooks = (await import(HOOKS)) as ResolveHooks;
  hooks.initialize(data);
  nodeModule.registerHooks({ resolve: hooks.resolve });
}

/** `@types/node` is for the oldest supported Node, which has no `registerHooks`. */
function hasRegisterHooks<Module extends object>(
  module: Module,
): module is Module & { registerHooks(hooks: { readonly resolve: unknown }): void } {
  return "registerHooks" in module && typeof module.registerHooks === "function";
}
