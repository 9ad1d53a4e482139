// The program of the interpreter's process. JavaScript with checked types, because the process starts from this file
// as it is, from `src` and from `dist`. It imports nothing but Node and the interpreter.
//
// It needs its own process because the interpreter is native code. A program can overflow its stack, block it where no
// timer can interrupt it, or make it allocate gigabytes. In a thread this would end the host process as well; a
// separate process can be limited and killed.
import { writeSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";

/**
 * @typedef {import("./python-engine.js").PythonRequest["limits"]} Limits
 * @typedef {import("./python-engine.js").PythonOutcome} Outcome
 * @typedef {import("./python-engine.js").HostAnswer} Answer
 * @typedef {import("./python-engine.js").PlainValue} Plain
 * @typedef {{ type: "run", code: string, globals: Record<string, Plain>, exports: string[], limits: Limits, functions: string[] }} RunMessage
 * @typedef {{ left: number, characters: number }} Budget How many values and characters may still be converted.
 *
 * The parts of the interpreter that are used here:
 * @typedef {{ resume(answer: object): unknown, variableName: string }} NameLookup
 * @typedef {{ resume(answer: object): unknown, functionName: string, args: unknown[], kwargs: Record<string, unknown> }} Snapshot
 * @typedef {{ start(options: object): unknown }} Program
 * @typedef {object} Interpreter
 * @property {new (code: string, options?: object) => Program} Monty
 * @property {new (...args: never[]) => Snapshot} MontySnapshot
 * @property {new (...args: never[]) => NameLookup} MontyNameLookup
 */

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case type".split(
    " ",
  ),
);

/** @type {Interpreter} */
let interpreter;
/** @type {((answer: Answer) => void) | undefined} */
let answered;

if (isMainThread) await start();
else watchMemory(workerData.maxBytes);

async function start() {
  const [watchedBytes = "", url = ""] = process.argv.slice(-2);
  if (watchedBytes !== "") await startWatcher(Number(watchedBytes));
  interpreter = await import(url);
  process.on("disconnect", () => process.exit(0));
  process.on(
    "message",
    (/** @type {RunMessage | { type: "answer", answer: Answer }} */ message) => {
      if (message.type === "run")
        run(message).then((outcome) => process.send?.({ type: "done", outcome }));
      else answered?.(message.answer);
    },
  );
  process.send?.({ type: "ready" });
}

/**
 * Uses a thread, because the interpreter blocks this one.
 * @param {number} maxBytes
 */
async function startWatcher(maxBytes) {
  const watcher = new Worker(new URL(import.meta.url), { workerData: { maxBytes }, execArgv: [] });
  await new Promise((resolve) => watcher.on("online", resolve));
  watcher.unref();
}

/** @param {number} maxBytes */
function watchMemory(maxBytes) {
  setInterval(() => {
    if (process.memoryUsage.rss() < maxBytes) return;
    writeSync(2, "out of memory");
    process.kill(process.pid, "SIGKILL");
  }, 10);
}

/**
 * @param {RunMessage} message
 * @returns {Promise<Outcome>}
 */
async function run({ code, globals, exports, limits, functions }) {
  let stdout = "";
  let flooded = false;
  const printCallback = (/** @type {unknown} */ _, /** @type {string} */ text) => {
    const room = limits.maxOutputCharacters - stdout.length;
    stdout += text.slice(0, room);
    if (text.length <= room) return;
    flooded = true;
    throw new Error("too much output");
  };
  try {
    const { Monty, MontyNameLookup, MontySnapshot } = interpreter;
    new Monty(code);
    const inputs = Object.fromEntries(
      Object.entries(globals).map(([name, value]) => [name, toPython(value)]),
    );
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
    /** @type {Map<string, unknown>} */
    const values = new Map();
    for (;;) {
      if (step instanceof MontyNameLookup) {
        const name = step.variableName;
        step = step.resume(functions.includes(name) ? { value: namedFunction(name) } : {});
      } else if (step instanceof MontySnapshot) {
        step = await answerCall(step, values, functions);
      } else return completed(values, stdout, limits, exports, functions);
    }
  } catch (error) {
    if (flooded) return { kind: "ended", limit: "output", stdout };
    return describeError(error, stdout);
  }
}

/**
 * @param {Snapshot} step
 * @param {Map<string, unknown>} values
 * @param {string[]} functions
 */
async function answerCall(step, values, functions) {
  if (step.functionName === "__wink_global__") {
    values.set(String(step.args[0]), step.args[1]);
    return step.resume({ returnValue: null });
  }
  if (!functions.includes(step.functionName))
    return step.resume({
      exception: { type: "NameError", message: `name '${step.functionName}' is not defined` },
    });
  const answer = await call(step.functionName, step.args, step.kwargs);
  return "value" in answer
    ? step.resume({ returnValue: toPython(answer.value) })
    : step.resume({ exception: answer.raise });
}

/**
 * @param {unknown} thrown
 * @param {string} stdout
 * @returns {Outcome}
 */
function describeError(thrown, stdout) {
  /** @type {{ message?: unknown, exception?: { typeName?: string }, display?: unknown }} */
  const error = typeof thrown === "object" && thrown !== null ? thrown : {};
  const limit = limitOf(error.exception?.typeName ?? "RuntimeError", String(error.message));
  if (limit !== undefined) return { kind: "ended", limit, stdout };
  const { display } = error;
  const show = (/** @type {string} */ format) =>
    typeof display === "function" ? String(display.call(error, format)) : undefined;
  const message = show("type-msg") ?? "RuntimeError: the interpreter failed";
  let traceback = "";
  try {
    traceback = withoutWrapping(show("traceback") ?? "");
  } catch {
    // The interpreter cannot describe every error.
  }
  return { kind: "raised", error: clip(message, 2000), stdout, stderr: clip(traceback, 4000) };
}

/**
 * Removes our assignment from the last line of a traceback, and moves the marker below it back into place.
 * @param {string} traceback
 */
function withoutWrapping(traceback) {
  return traceback
    .replace(/__wink_result__ = \((.*\n {4}) {19}/g, "$1")
    .replaceAll("__wink_result__ = (", "");
}

/**
 * @param {string} type
 * @param {string} message
 * @returns {"time" | "memory" | "recursion" | undefined}
 */
function limitOf(type, message) {
  if (type === "TimeoutError" && message.includes("time limit exceeded")) return "time";
  if (type === "MemoryError") return "memory";
  if (type === "RecursionError") return "recursion";
  return undefined;
}

/** @param {string} name */
function namedFunction(name) {
  return { [name]: () => undefined }[name];
}

/**
 * @param {string} name
 * @param {unknown[]} args
 * @param {Record<string, unknown>} kwargs
 * @returns {Promise<Answer>}
 */
function call(name, args, kwargs) {
  const plain = (/** @type {unknown} */ value) => toPlain(value, { left: 1000, characters: 8e6 });
  return new Promise((resolve) => {
    answered = resolve;
    const named = Object.entries(kwargs).map(([key, value]) => ({ key, value: plain(value) }));
    process.send?.({ type: "call", name, args: [...args.map(plain), ...named] });
  });
}

/**
 * Appends lines that export the variables. If the last line is an expression, its value is assigned to a variable.
 * @param {string} code
 * @param {string[]} wanted
 */
function withEpilogue(code, wanted) {
  const used = (code.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []).filter(
    (name) => !name.startsWith("_"),
  );
  const names = [...new Set([...wanted, ...used])]
    .filter((name) => !KEYWORDS.has(name))
    .slice(0, 300);
  const lines = code.split("\n");
  let body = code;
  for (let index = lines.length - 1, tries = 0; index >= 0 && tries < 30; index--) {
    if (!/^[^\s#)\]}]/.test(lines[index] ?? "")) continue;
    tries++;
    const before = lines.slice(0, index).join("\n");
    if (!parses(before)) continue;
    const last = lines.slice(index).join("\n");
    if (parses(`(${last}\n)`))
      body = `${before}${index > 0 ? "\n" : ""}__wink_result__ = (${last}\n)`;
    break;
  }
  // Skips names that are not bound.
  const handovers = ["__wink_result__", ...names].map(
    (name) => `try:\n  __wink_global__('${name}', ${name})\nexcept Exception:\n  pass\n`,
  );
  const whole = `${body}\n${handovers.join("")}`;
  return parses(whole) ? whole : code;
}

/** @param {string} code */
function parses(code) {
  try {
    new interpreter.Monty(code);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Map<string, unknown>} values
 * @param {string} stdout
 * @param {Limits} limits
 * @param {string[]} exports
 * @param {string[]} functions
 * @returns {Outcome}
 */
function completed(values, stdout, limits, exports, functions) {
  const budget = { left: 5000, characters: limits.maxOutputCharacters };
  const value = values.get("__wink_result__") ?? values.get("result") ?? null;
  values.delete("__wink_result__");
  const own = [...values].filter(([name, each]) => !functions.includes(name) && !isCode(each));
  const result = toPlain(value, budget);
  /** @type {Record<string, Plain>} */
  const globals = {};
  /** @type {Record<string, string>} */
  const exported = {};
  for (const [name, each] of own) {
    globals[name] = toPlain(each, budget);
    if (exports.includes(name) && typeof each === "string") exported[name] = each.toWellFormed();
  }
  return { kind: "completed", result, stdout, stderr: "", globals, exported };
}

/**
 * Functions, modules and types are not exported.
 * @param {unknown} value
 */
function isCode(value) {
  if (typeof value === "string") return /^<(?:function|module|builtin|external)[ _]/.test(value);
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null || !("__monty_type__" in value)) return false;
  return value.__monty_type__ === "BuiltinFunction" || value.__monty_type__ === "Type";
}

/**
 * @param {Plain} value
 * @returns {unknown}
 */
function toPython(value) {
  if (Array.isArray(value)) return value.map(toPython);
  if (typeof value === "object" && value !== null)
    return new Map(Object.entries(value).map(([key, each]) => [key, toPython(each)]));
  return value;
}

/**
 * Converts to a JSON value. Deep and long values are cut.
 * @param {unknown} value
 * @param {Budget} budget
 * @returns {Plain}
 */
function toPlain(value, budget, depth = 0) {
  if (--budget.left < 0 || depth > 20) return "…";
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return plainNumber(value);
  if (typeof value === "bigint") return spend(bigText(value), budget);
  if (typeof value === "string") return spend(value.toWellFormed(), budget);
  if (value instanceof Uint8Array) return spend(bytesText(value), budget);
  const isFull = () => budget.left <= 0 || budget.characters <= 0;
  if (value instanceof Set || Array.isArray(value)) {
    /** @type {Plain[]} */
    const items = [];
    for (const each of value) {
      if (isFull()) {
        items.push("…");
        break;
      }
      items.push(toPlain(each, budget, depth + 1));
    }
    return items;
  }
  /** @type {Record<string, Plain>} */
  const plain = {};
  for (const [key, each] of value instanceof Map ? value : Object.entries(value)) {
    if (isFull()) {
      plain["…"] = "…";
      break;
    }
    const name = spend(keyText(key, budget), budget);
    Object.defineProperty(plain, name === "__proto__" ? "'__proto__'" : name, {
      value: toPlain(each, budget, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return plain;
}

/** @param {number} value */
function plainNumber(value) {
  if (Number.isFinite(value)) return Object.is(value, -0) ? 0 : value;
  return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
}

/** @param {Uint8Array} bytes */
function bytesText(bytes) {
  const shown = Array.from(bytes.subarray(0, 1000), (byte) =>
    byte > 31 && byte < 127 && byte !== 39 && byte !== 92
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  );
  return `b'${shown.join("")}'`;
}

/**
 * @param {unknown} key
 * @param {Budget} budget
 */
function keyText(key, budget) {
  return typeof key === "string" ? key.toWellFormed() : JSON.stringify(toPlain(key, budget, 19));
}

/**
 * Converting a very long number to text is too slow.
 * @param {bigint} value
 */
function bigText(value) {
  const size = value < 0n ? -value : value;
  return size >> 4000n === 0n ? value.toString() : "an integer of more than 1,200 digits";
}

/**
 * @param {string} text
 * @param {Budget} budget
 */
function spend(text, budget) {
  const kept = clip(text, Math.max(0, budget.characters));
  budget.characters -= kept.length;
  return kept;
}

/**
 * @param {string} text
 * @param {number} most
 */
function clip(text, most) {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
