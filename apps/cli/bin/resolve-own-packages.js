// Lets an agent that lies anywhere import what wink itself is made of, when nothing of its own is installed there. A project's
// own copies come first. Plain JavaScript, because Node loads resolution hooks in a thread of their own.

let own;

/** `home` is a file of this package to resolve from; `index` is what `@wink/cli` means. */
export function initialize(data) {
  own = data;
}

export async function resolve(specifier, context, next) {
  try {
    return asModule(await next(specifier, context));
  } catch (error) {
    if (!isOwn(specifier) || !isUnresolved(error)) throw error;
    if (specifier === "@wink/cli") return await next(own.index, context);
    return await next(specifier, { ...context, parentURL: own.home });
  }
}

/** A lone agent.ts has no package.json that says so, but it is written with `import` and `export`. */
function asModule(resolved) {
  const isTypeScript = /\.ts(\?|$)/.test(resolved.url);
  return isTypeScript && resolved.format === "commonjs"
    ? { ...resolved, format: "module" }
    : resolved;
}

function isOwn(specifier) {
  return specifier.startsWith("@wink/") || specifier === "zod";
}

/** Not there; or there, as this package in a clone is, without a way in. */
function isUnresolved(error) {
  return error?.code === "ERR_MODULE_NOT_FOUND" || error?.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
}
