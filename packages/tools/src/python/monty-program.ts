/**
 * The source of the module that runs in the interpreter's process.
 *
 * It needs its own process because the interpreter is native code. A program can overflow its stack, block it where
 * no timer can interrupt it, or make it allocate gigabytes. In a thread this would end the host process as well; a
 * separate process can be limited and killed.
 */
export const MONTY_PROGRAM: string = String.raw`
const [watchedBytes, url] = process.argv.slice(-2);
if (watchedBytes !== "") await watchMemory(Number(watchedBytes));
const { Monty, MontySnapshot, MontyNameLookup } = await import(url);
let answered;
process.on("disconnect", () => process.exit(0));
process.on("message", (message) => {
  if (message.type === "run") run(message).then((outcome) => process.send({ type: "done", outcome }));
  else answered?.(message.answer);
});
process.send({ type: "ready" });

/** Uses a thread, because the interpreter blocks this one. */
async function watchMemory(maxBytes) {
  const { Worker } = await import("node:worker_threads");
  const text = "setInterval(() => { if (process.memoryUsage.rss() < " + maxBytes + ") return; require('node:fs').writeSync(2, 'out of memory'); process.kill(process.pid, 'SIGKILL'); }, 10)";
  const watcher = new Worker(text, { eval: true, execArgv: [] });
  await new Promise((resolve) => watcher.on("online", resolve));
  watcher.unref();
}

async function run({ code, globals, exports, limits, functions }) {
  let stdout = "";
  let flooded = false;
  const printCallback = (_, text) => {
    const room = limits.maxOutputCharacters - stdout.length;
    stdout += text.slice(0, room);
    if (text.length <= room) return;
    flooded = true;
    throw new Error("too much output");
  };
  try {
    new Monty(code);
    const inputs = Object.fromEntries(Object.entries(globals).map(([name, value]) => [name, toPython(value)]));
    const names = Object.keys(inputs);
    const program = new Monty(withEpilogue(code, [...exports, ...names]), { inputs: names });
    let step = program.start({
      ...(names.length > 0 && { inputs }),
      limits: {
        maxDurationSecs: limits.timeoutMs / 1000,
        maxMemory: limits.maxMemoryBytes,
        maxRecursionDepth: limits.maxRecursionDepth,
      },
      printCallback,
    });
    const values = new Map();
    for (;;) {
      if (step instanceof MontyNameLookup) {
        const name = step.variableName;
        if (functions.includes(name)) step = step.resume({ value: namedFunction(name) });
        else step = step.resume({});
      } else if (step instanceof MontySnapshot) {
        if (step.functionName === "__wink_global__") {
          values.set(step.args[0], step.args[1]);
          step = step.resume({ returnValue: null });
        } else if (functions.includes(step.functionName)) {
          const answer = await call(step.functionName, step.args, step.kwargs);
          step = "value" in answer ? step.resume({ returnValue: toPython(answer.value) }) : step.resume({ exception: answer.raise });
        } else {
          step = step.resume({ exception: { type: "NameError", message: "name '" + step.functionName + "' is not defined" } });
        }
      } else return completed(values, stdout, limits, exports, functions);
    }
  } catch (error) {
    if (flooded) return { kind: "ended", limit: "output", stdout };
    const type = error?.exception?.typeName ?? "RuntimeError";
    const limit = limitOf(type, String(error?.message));
    if (limit) return { kind: "ended", limit, stdout };
    const display = typeof error?.display === "function" ? error.display : undefined;
    const message = display ? display.call(error, "type-msg") : "RuntimeError: the interpreter failed";
    let traceback = "";
    try { traceback = display ? withoutWrapping(display.call(error, "traceback")) : ""; } catch {}
    return { kind: "raised", error: clip(message, 2000), stdout, stderr: clip(traceback, 4000) };
  }
}

/** Removes our assignment from the last line of a traceback, and moves the marker below it back into place. */
function withoutWrapping(traceback) {
  return traceback.replace(/__wink_result__ = \((.*\n {4}) {19}/g, "$1").replaceAll("__wink_result__ = (", "");
}

function limitOf(type, message) {
  if (type === "TimeoutError" && message.includes("time limit exceeded")) return "time";
  if (type === "MemoryError") return "memory";
  if (type === "RecursionError") return "recursion";
  return undefined;
}

function namedFunction(name) {
  return { [name]: () => undefined }[name];
}

function call(name, args, kwargs) {
  return new Promise((resolve) => {
    answered = resolve;
    const given = [...args.map((each) => toPlain(each, { left: 1000, characters: 8e6 })), ...Object.entries(kwargs).map(([key, value]) => ({ key, value: toPlain(value, { left: 1000, characters: 8e6 }) }))];
    process.send({ type: "call", name, args: given });
  });
}

/** Appends lines that export the variables. If the last line is an expression, its value is assigned to a variable. */
function withEpilogue(code, wanted) {
  const used = (code.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []).filter((name) => !name.startsWith("_"));
  const names = [...new Set([...wanted, ...used])].filter((name) => !KEYWORDS.has(name)).slice(0, 300);
  const lines = code.split("\n");
  let body = code;
  for (let index = lines.length - 1, tries = 0; index >= 0 && tries < 30; index--) {
    const line = lines[index];
    if (!/^[^\s#)\]}]/.test(line)) continue;
    tries++;
    const before = lines.slice(0, index).join("\n");
    if (!parses(before)) continue;
    const last = lines.slice(index).join("\n");
    if (parses("(" + last + "\n)")) body = before + (index > 0 ? "\n" : "") + "__wink_result__ = (" + last + "\n)";
    break;
  }
  // Skips names that are not bound.
  const handovers = ["__wink_result__", ...names].map((name) => "try:\n  __wink_global__('" + name + "', " + name + ")\nexcept Exception:\n  pass\n");
  const whole = body + "\n" + handovers.join("");
  return parses(whole) ? whole : code;
}

function parses(code) {
  try { new Monty(code); return true; } catch { return false; }
}

const KEYWORDS = new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type".split(" "));

function completed(values, stdout, limits, exports, functions) {
  const budget = { left: 5000, characters: limits.maxOutputCharacters };
  const result = values.get("__wink_result__") ?? values.get("result") ?? null;
  values.delete("__wink_result__");
  const own = [...values].filter(([name, value]) => !functions.includes(name) && !isCode(value));
  const plainResult = toPlain(result, budget);
  const globals = {};
  for (const [name, value] of own) globals[name] = toPlain(value, budget);
  const exported = Object.fromEntries(own.filter(([name, value]) => exports.includes(name) && typeof value === "string").map(([name, value]) => [name, value.toWellFormed()]));
  return { kind: "completed", result: plainResult, stdout, stderr: "", globals, exported };
}

/** Functions, modules and types are not exported. */
function isCode(value) {
  if (typeof value === "string") return /^<(?:function|module|builtin|external)[ _]/.test(value);
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && ["BuiltinFunction", "Type"].includes(value.__monty_type__);
}

function toPython(value) {
  if (Array.isArray(value)) return value.map(toPython);
  if (typeof value === "object" && value !== null) return new Map(Object.entries(value).map(([key, each]) => [key, toPython(each)]));
  return value;
}

/** Converts to a JSON value. Deep and long values are cut. */
function toPlain(value, budget, depth = 0) {
  if (--budget.left < 0 || depth > 20) return "…";
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
  if (typeof value === "number") return Number.isFinite(value) ? (Object.is(value, -0) ? 0 : value) : value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
  if (typeof value === "bigint") return spend(bigText(value), budget);
  if (typeof value === "string") return spend(value.toWellFormed(), budget);
  if (value instanceof Uint8Array) return spend("b'" + Array.from(value.subarray(0, 1000), (byte) => (byte > 31 && byte < 127 && byte !== 39 && byte !== 92 ? String.fromCharCode(byte) : "\\x" + byte.toString(16).padStart(2, "0"))).join("") + "'", budget);
  if (value instanceof Set || Array.isArray(value)) {
    const items = [];
    for (const each of value) {
      if (budget.left <= 0 || budget.characters <= 0) { items.push("…"); break; }
      items.push(toPlain(each, budget, depth + 1));
    }
    return items;
  }
  const entries = value instanceof Map ? value : Object.entries(value);
  const plain = {};
  for (const [key, each] of entries) {
    if (budget.left <= 0 || budget.characters <= 0) { plain["…"] = "…"; break; }
    const name = spend(keyText(key, budget), budget);
    Object.defineProperty(plain, name === "__proto__" ? "'__proto__'" : name, { value: toPlain(each, budget, depth + 1), enumerable: true, configurable: true, writable: true });
  }
  return plain;
}

function keyText(key, budget) {
  return typeof key === "string" ? key.toWellFormed() : JSON.stringify(toPlain(key, budget, 19));
}

/** Converting a very long number to text is too slow. */
function bigText(value) {
  const size = value < 0n ? -value : value;
  return size >> 4000n === 0n ? value.toString() : "an integer of more than 1,200 digits";
}

function spend(text, budget) {
  const kept = clip(text, Math.max(0, budget.characters));
  budget.characters -= kept.length;
  return kept;
}

function clip(text, most) {
  return text.length <= most ? text : text.slice(0, most).toWellFormed() + "…";
}
`;
