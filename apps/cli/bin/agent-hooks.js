// Module hooks for agent files. This is plain JavaScript, because older Node versions load
// resolution hooks in a separate thread.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

let own;

/**
 * `home` is a file of this package to resolve from. `index` is the module for `@wink/cli`.
 * `stripsTypes` tells whether this Node runs TypeScript.
 */
export function initialize(data) {
  own = data;
}

/** Synchronous if `next` is synchronous; otherwise it may return a promise. */
export function resolve(specifier, context, next) {
  const file = findTypeScript(specifier, context.parentURL);
  // tsx would load a TypeScript file without a package.json as CommonJS, but it uses `import`.
  if (file !== undefined && !own.stripsTypes)
    return { url: file, format: "module", shortCircuit: true };
  if (specifier === "@wink/cli") return { url: own.index, format: "module", shortCircuit: true };
  const ours = { ...context, parentURL: own.home };
  if (isWink(specifier))
    return either(
      () => next(specifier, ours),
      () => next(specifier, context),
    );
  const found = () => next(file ?? specifier, context);
  return isZod(specifier) ? either(found, () => next(specifier, ours)) : found();
}

/**
 * A package of wink. Ours is used even if the agent's project has another copy, because state and
 * sections of two copies do not fit together.
 */
export function isWink(specifier) {
  return specifier.startsWith("@wink/");
}

/** Ours is used if the agent's project has none. */
export function isZod(specifier) {
  return specifier === "zod" || specifier.startsWith("zod/");
}

/** The second resolution if the first finds nothing. */
export function either(first, second) {
  const recover = (error) => {
    if (!NOT_FOUND.includes(error?.code)) throw error;
    return second();
  };
  try {
    const resolved = first();
    return resolved instanceof Promise ? resolved.catch(recover) : resolved;
  } catch (error) {
    return recover(error);
  }
}

const NOT_FOUND = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"];

/** The agent's TypeScript file that an import means: `./tools.ts`, `./tools.js` or `./tools`. */
function findTypeScript(specifier, parentURL) {
  if (!/^(\.{1,2}\/|file:)/.test(specifier)) return undefined;
  const { href, pathname } = new URL(specifier, parentURL);
  if (pathname.includes("/node_modules/")) return undefined;
  if (/\.m?ts$/.test(pathname)) return href;
  if (existsSync(fileURLToPath(href))) return undefined;
  return [href.replace(/js$/, "ts"), `${href}.ts`].find((each) => existsSync(fileURLToPath(each)));
}
