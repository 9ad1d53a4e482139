// Lets an agent that lies anywhere import what wink itself is made of, when nothing of its own is installed there. A project's
// own copies come first. Plain JavaScript, because older Nodes load resolution hooks in a thread of their own.

let own;

/** `home` is a file of this package to resolve from; `index` is what `@wink/cli` means. */
export function initialize(data) {
  own = data;
}

/** Answers at once where `next` does, and with a promise where that does. */
export function resolve(specifier, context, next) {
  const recover = (error) => {
    if (!isOwn(specifier) || !isUnresolved(error)) throw error;
    if (specifier === "@wink/cli") return next(own.index, context);
    return next(specifier, { ...context, parentURL: own.home });
  };
  try {
    const resolved = next(specifier, context);
    return resolved instanceof Promise ? resolved.then(asModule, recover) : asModule(resolved);
  } catch (error) {
    return recover(error);
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
  return ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"].includes(
    error?.code,
  );
}
