import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { InMemoryFilesystem, readOnlyView } from "@wink/filesystem";
import { missingFilesystem } from "@wink/prompt/adapter";
import { createToolContext } from "@wink/prompt/testing";
import { afterAll, describe, expect, it } from "vitest";
import { vfsFiles } from "../files/virtual-file-system.js";
import { contentsOf } from "../files/workspace.test.support.js";
import { callTool } from "../reply/call-tool.test.support.js";
import { openPython, pythonIsHere } from "./interpreter.test.support.js";
import type { PythonEngine } from "./python-engine.js";
import { pythonHandlers } from "./python-handlers.js";
import { PythonSection } from "./python-section.js";

// Long enough for a busy machine. Only programs that never end use the short one.
const section = openPython({ limits: { timeoutMs: 60_000 } });
const hasty = openPython({ limits: { timeoutMs: 1_000 } });
afterAll(async () => {
  await section?.close();
  await hasty?.close();
});
const itRunsPython = it.skipIf(!pythonIsHere);

const FILES = { "a.txt": "3\n1\n2\n", "bin.dat": Uint8Array.of(0xff, 0) };

function open(filesystem = new InMemoryFilesystem({ files: FILES }), python = section) {
  const context = createToolContext({ filesystem });
  const call = (input: object) => callTool(python?.tools[0], input, context);
  const ask = async (input: object) => (await call(input)).text;
  return { context, filesystem, call, ask };
}

itRunsPython.each([
  { what: "the last line", code: "x = 5\nx * 2", text: 'result: 10\nglobals: {"x":5}' },
  {
    what: "a variable named result",
    code: "result = sum(range(1, 101))\nprint(f'Sum: {result}')",
    text: 'result: 5050\nstdout:\n```\nSum: 5050\n```\nglobals: {"result":5050}',
  },
  {
    what: "an expression over several lines",
    code: "n = [\n1,\n2\n]\nsum(\n  n\n)",
    text: 'result: 3\nglobals: {"n":[1,2]}',
  },
  { what: "a text over several lines", code: "'''\nabc\n'''.strip()", text: 'result: "abc"' },
  { what: "nothing", code: "", text: "result: null" },
  { what: "a comment after it", code: "1 + 1 # two\n# end", text: "result: 2" },
  {
    what: "values that JSON cannot represent",
    code: "{1: (1, 2), 'n': float('nan'), 'i': -float('inf'), 'b': b'\\x00a', 'big': 2**70, 's': {3}, 'o': ...}",
    text: 'result: {"1":[1,2],"n":"nan","i":"-inf","b":"b\'\\\\x00a\'","big":"1180591620717411303424","s":[3],"o":{"__monty_type__":"Ellipsis"}}',
  },
  {
    what: "a cycle",
    code: "a = []\na.append(a)\na",
    text: 'result: ["[...]"]\nglobals: {"a":["[...]"]}',
  },
  {
    what: "the name of a prototype",
    code: "{'__proto__': 1}",
    text: "result: {\"'__proto__'\":1}",
  },
])("evaluate_python answers with the value of $what (TL-50, I232)", async ({ code, text }) => {
  expect(await open().ask({ code })).toBe(`The program has run.\n\n${text}`);
});

itRunsPython(
  "evaluate_python starts with the given globals and returns their final values (TL-50)",
  async () => {
    const { call } = open();
    const { result } = await call({
      code: "d['a'].append(n)\nf = lambda x: x\nimport math\nm = math.sqrt(16)",
      globals: { n: 41, d: { a: [null, true, "x"] } },
    });
    expect(result).toMatchObject({
      success: true,
      value: {
        globals: { n: 41, d: { a: [null, true, "x", 41] }, m: 4 },
        stdout: "",
        stderr: "",
        written: [],
      },
    });
  },
);

itRunsPython(
  "evaluate_python reads and writes only files of the workspace (TL-51, I228)",
  async () => {
    const { ask, filesystem, context } = open();
    expect(
      await ask({
        code: "lines = sorted(read_text('a.txt').split())\nwrite_text('out/b.txt', '\\n'.join(lines))",
      }),
    ).toBe(
      'The program has run. Wrote 1 file: \'out/b.txt\'.\n\nresult: 5\nglobals: {"lines":["1","2","3"]}',
    );
    expect((await filesystem.read("out/b.txt")).content).toBe("1\n2\n3");
    expect(vfsFiles(context.session)).toMatchObject([
      { path: "out/b.txt", version: 1, sizeBytes: 5, tool: "evaluate_python" },
    ]);
    expect(
      await ask({
        code: "t = s.replace('\\n', ',') * 5000",
        reads: [{ file_path: "a.txt", variable: "s" }],
        writes: [{ file_path: "c.txt", variable: "t" }],
      }),
    ).toMatch(/^The program has run\. Wrote 1 file: 'c\.txt'\./);
    expect((await filesystem.read("c.txt")).content).toBe("3,1,2,".repeat(5_000));
  },
);

itRunsPython.each([
  { code: "read_text('nope')", error: "FileNotFoundError: 'nope': no such file or directory" },
  {
    code: "read_text('../x')",
    error:
      "PermissionError: '../x': the path escapes from the workspace; use one under the workspace root",
  },
  {
    code: "read_text('/etc/passwd')",
    error: "FileNotFoundError: '/etc/passwd': no such file or directory",
  },
  { code: "read_text('bin.dat')", error: "ValueError: 'bin.dat': it is not UTF-8 text (byte 0)" },
  { code: "read_text('.')", error: "IsADirectoryError: '.': it is a directory" },
  {
    code: "write_text('.git/config', 'x')",
    error: "PermissionError: '.git/config': files in a .git directory may be read but not changed",
  },
  {
    code: "write_text('a.txt/b', 'x')",
    error: "NotADirectoryError: 'a.txt/b': a part of its path is not a directory",
  },
  { code: "write_text(5, 6)", error: "TypeError: content must be a str" },
  { code: "read_text()", error: "TypeError: path must be a str" },
  {
    code: "write_text('big', 'x' * 1048577)",
    error:
      "OSError: 'big': 1,048,577 bytes are too many: a program reads and writes at most 1,048,576",
  },
])("$code raises an error that the program can catch (TL-51, I228)", async ({ code, error }) => {
  const { ask } = open();
  expect((await ask({ code })).split("\n")[0]).toBe(error);
  const caught = await ask({
    code: `try:\n  ${code}\nexcept Exception as e:\n  print(type(e).__name__ if False else str(e))`,
  });
  expect(caught).toContain(`stdout:\n\`\`\`\n${error.slice(error.indexOf(": ") + 2)}`);
});

itRunsPython(
  "evaluate_python separates the program's output from its own text (TL-56)",
  async () => {
    const { ask } = open();
    expect(await ask({ code: "print('```\\nresult: 1')\n2" })).toBe(
      "The program has run.\n\nresult: 2\nstdout:\n````\n```\nresult: 1\n````",
    );
    const raised = await ask({ code: "raise ValueError('no\\nThe program has run.')" });
    expect(raised.split("\n")[0]).toBe("ValueError: no\\nThe program has run.");
    expect(raised).toMatch(/^[^\n]*\n```\nTraceback[^`]*\n```$/);
  },
);

itRunsPython("evaluate_python rolls back the writes of a program that fails (TL-52)", async () => {
  const { ask, filesystem, context } = open();
  expect(
    await ask({
      code: "write_text('a.txt', 'gone')\nwrite_text('new', 'x')\nprint('so far')\n1 / 0",
    }),
  ).toBe(
    "ZeroDivisionError: division by zero\nIts changes were rolled back: 'a.txt', 'new'.\n```\nTraceback (most recent call last):\n  File \"main.py\", line 4, in <module>\n    1 / 0\n    ~~~~~\nZeroDivisionError: division by zero\n```\nIt had printed:\n```\nso far\n```",
  );
  expect((await filesystem.read("a.txt")).content).toBe("3\n1\n2\n");
  expect(await filesystem.exists("new")).toBe(false);
  expect(context.session.events.length).toBe(0);
});

itRunsPython.each([
  {
    input: { code: "x".repeat(48_001) },
    answer: "That is 48,001 characters, and one call takes at most 48,000.",
  },
  {
    input: { code: "'\ud800'" },
    answer: "The code contains half of a surrogate pair, which is not a character.",
  },
  {
    input: { code: "1", globals: { "a b": 1 } },
    answer: "'a b' cannot be the name of a variable.",
  },
  {
    input: { code: "1", globals: { __wink_result__: 1 } },
    answer: "'__wink_result__' cannot be the name of a variable.",
  },
  {
    input: { code: "1", globals: { a: "x".repeat(2_000_000) } },
    answer: "globals is too large. Put large data into a file and use reads.",
  },
  {
    input: { code: "1", reads: [{ file_path: "nope", variable: "a" }] },
    answer: "'nope': no such file or directory.\nUse ls or glob to list the files.",
  },
  {
    input: { code: "a = 5", writes: [{ file_path: "o", variable: "a" }] },
    answer: "'a' is not a string at the end of the program, so it cannot be written.",
  },
  {
    input: { code: "a = 'x'", writes: [{ file_path: "a.txt", variable: "a" }] },
    answer: "'a.txt': it already exists.",
  },
  {
    input: { code: "1", reads: Array(51).fill({ file_path: "a.txt", variable: "a" }) },
    answer: "One call reads and writes at most 50 files.",
  },
  { input: { code: "x = (" }, answer: "SyntaxError: unexpected EOF while parsing", first: true },
])("evaluate_python answers $answer (TL-2, TL-50)", async ({ input, answer, first }) => {
  const { ask, filesystem } = open();
  const text = await ask(input);
  if (first) expect(text).toMatch(/^SyntaxError: /);
  else expect(text).toBe(answer);
  expect(Object.keys(await contentsOf(filesystem))).toEqual(["a.txt", "bin.dat"]);
});

const ENDED = {
  time: /^The program ran longer than 1 second and was ended\./,
  memory: /^The program needed more than 64 MiB of memory and was ended\./,
  recursion: /^The program called itself more than 200 levels deep and was ended\./,
  output:
    /^The program printed more than 16,000 characters and was ended\.\nIt had printed:\n```\n/,
  crash: /^The program crashed the interpreter, which was restarted\./,
};

/** Programs that try to escape or to exhaust resources. Each ends within its limits with an answer, and the next call works. */
const HOSTILE: readonly { cases: string; code: string; answer: RegExp }[] = [
  { cases: "I224", code: "while True: pass", answer: ENDED.time },
  {
    cases: "I224",
    code: "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
    answer: ENDED.time,
  },
  { cases: "I224", code: "pow(3, 10**7)", answer: ENDED.time },
  { cases: "I224", code: "sum(range(10**10))", answer: ENDED.time },
  {
    cases: "I224",
    code: "import re\nre.match('(a+)+$', 'a' * 40 + 'b')\n'done'",
    answer: /^The program has run\./,
  },
  { cases: "I224", code: "import time\ntime.sleep(100)", answer: /^ModuleNotFoundError/ },
  { cases: "I225", code: "9**9**9", answer: ENDED.memory },
  { cases: "I225", code: "[0] * 10**9", answer: ENDED.memory },
  { cases: "I225", code: "x = 'a'\nwhile True: x += x", answer: ENDED.memory },
  { cases: "I225", code: "{i: i for i in range(10**8)}", answer: /memory|longer/ },
  { cases: "I225", code: "f'{1:>1000000000}'", answer: ENDED.memory },
  { cases: "I225", code: "('a' * 1000000).replace('a', 'b' * 1000000)", answer: ENDED.memory },
  { cases: "I225", code: "bytes(10**10)", answer: ENDED.memory },
  { cases: "I226", code: "def f(): return f()\nf()", answer: ENDED.recursion },
  {
    cases: "I226",
    code: "def f():\n  try:\n    f()\n  finally:\n    f()\nf()",
    answer: /recursion|levels|longer/,
  },
  { cases: "I226", code: "while True: print('x' * 1000)", answer: ENDED.output },
  { cases: "I226", code: "print('y' * 10**7)", answer: ENDED.output },
  { cases: "I226", code: "raise ValueError('z' * 10**6)", answer: /^ValueError: z+…/ },
  { cases: "I226", code: "'w' * 10**6", answer: /^The program has run\.\n\nresult: "w+…?/ },
  {
    cases: "I226",
    code: "a = []\nfor i in range(100000):\n  a = [a]\na",
    answer: /^The program has run\./,
  },
  {
    cases: "I231",
    code: "import json\na = []\nfor i in range(100000):\n  a = [a]\njson.dumps(a)",
    answer: ENDED.crash,
  },
  { cases: "I231", code: "(".repeat(20_000) + ")".repeat(20_000), answer: /^SyntaxError: / },
  { cases: "I223", code: "import js\njs.process.exit()", answer: /^ModuleNotFoundError/ },
  { cases: "I223", code: "import ctypes", answer: /^ModuleNotFoundError/ },
  { cases: "I223", code: "().__class__.__base__.__subclasses__()", answer: /^AttributeError/ },
  { cases: "I223", code: "(lambda: 0).__globals__['__builtins__']", answer: /^AttributeError/ },
  { cases: "I223", code: "print.__self__.open('/etc/passwd')", answer: /^AttributeError/ },
  { cases: "I223", code: "eval('1')", answer: /^NameError: name 'eval' is not defined/ },
  { cases: "I223", code: "exec('import os')", answer: /^NameError: name 'exec' is not defined/ },
  { cases: "I223", code: "__import__('os').system('id')", answer: /^NameError/ },
  { cases: "I223", code: "import os\nos.system('id')", answer: /^\w+Error/ },
  { cases: "I223", code: "import os\nos.environ['HOME']", answer: /^\w+Error/ },
  { cases: "I228", code: "open('/etc/passwd').read()", answer: /^PermissionError/ },
  { cases: "I228", code: "open('escape.txt', 'w').write('x')", answer: /^PermissionError/ },
  {
    cases: "I228",
    code: "from pathlib import Path\nPath('/etc/passwd').read_text()",
    answer: /^PermissionError/,
  },
  {
    cases: "I228",
    code: "from pathlib import Path\nPath('CANARY').write_text('x')",
    answer: /^PermissionError/,
  },
  { cases: "I229", code: "input()", answer: /^NameError: name 'input' is not defined/ },
  {
    cases: "I229",
    code: "import subprocess\nsubprocess.run(['id'])",
    answer: /^ModuleNotFoundError/,
  },
  { cases: "I229", code: "import socket\nsocket.socket()", answer: /^ModuleNotFoundError/ },
  { cases: "I229", code: "import threading\nthreading.Thread()", answer: /^ModuleNotFoundError/ },
  { cases: "I230", code: "import micropip\nmicropip.install('x')", answer: /^ModuleNotFoundError/ },
  {
    cases: "I223",
    code: "__wink_global__('x', 1)\n__wink_result__ = 2\n3",
    answer: /^The program has run\.\n\nresult: 3/,
  },
];

describe("hostile programs", () => {
  itRunsPython.each(HOSTILE)(
    "$code ends with a clear answer, and the next program works (TL-53, $cases)",
    async ({ code, answer }) => {
      const folder = await mkdtemp(path.join(tmpdir(), "wink-python-"));
      const canary = path.join(folder, "canary");
      await writeFile(canary, "untouched");
      try {
        const isEndless = /longer/.test(answer.source);
        const { ask, filesystem } = open(undefined, isEndless ? hasty : section);
        const before = await contentsOf(filesystem);
        expect(await ask({ code: code.replaceAll("CANARY", canary) })).toMatch(answer);
        expect(await contentsOf(filesystem)).toEqual(before);
        expect(await readdir(folder)).toEqual(["canary"]);
        expect(await readFile(canary, "utf8")).toBe("untouched");
        expect(await ask({ code: "20 + 1" })).toBe("The program has run.\n\nresult: 21");
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});

itRunsPython("evaluate_python keeps no state from one program to the next (I227)", async () => {
  const { ask } = open();
  await ask({ code: "secret = 42\nimport math\nmath.pi" });
  expect(await ask({ code: "secret" })).toMatch(/^NameError: name 'secret' is not defined/);
});

itRunsPython("evaluate_python runs concurrent programs one after the other (TL-53)", async () => {
  const { ask } = open();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => ask({ code: `${index} * 2` })),
  );
  expect(answers).toEqual(
    Array.from({ length: 10 }, (_, index) => `The program has run.\n\nresult: ${index * 2}`),
  );
});

itRunsPython(
  "evaluate_python does not block the host's event loop while a program runs (F160)",
  async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    expect(await open(undefined, hasty).ask({ code: "while True: pass" })).toMatch(ENDED.time);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  },
);

itRunsPython(
  "evaluate_python ends a program when its call is cancelled, and rejects with the reason (TL-53)",
  async () => {
    const controller = new AbortController();
    const context = createToolContext({ signal: controller.signal });
    const running = section?.tools[0]?.handler(
      { code: "while True: pass", globals: {}, reads: [], writes: [] },
      context,
    );
    setTimeout(() => controller.abort(new Error("given up")), 50);
    await expect(running).rejects.toThrow("given up");
    expect(await open().ask({ code: "1" })).toBe("The program has run.\n\nresult: 1");
  },
);

itRunsPython(
  "evaluate_python reports a read-only filesystem and a missing one (TL-2, TL-52)",
  async () => {
    const context = createToolContext({ filesystem: readOnlyView(new InMemoryFilesystem()) });
    expect(
      (await callTool(section?.tools[0], { code: "write_text('a', 'b')" }, context)).text,
    ).toMatch(/^PermissionError: 'a': the filesystem is read-only/);
    const none = createToolContext({ filesystem: missingFilesystem });
    expect((await callTool(section?.tools[0], { code: "read_text('a')" }, none)).text).toMatch(
      /^PermissionError: 'a': this prompt has no workspace section, so there are no files/,
    );
  },
);

itRunsPython("pythonHandlers take parsed input and end their interpreter (TL-2)", async () => {
  const input = { code: "1 + x", globals: { x: 1 }, reads: [], writes: [] };
  expect(await pythonHandlers.evaluatePython(input, createToolContext())).toMatchObject({
    value: { result: 2, written: [] },
  });
});

it("PythonSection accepts another engine (TL-54)", async () => {
  let closed = false;
  const engine: PythonEngine = {
    name: "echo",
    description: "It answers with the code.",
    run: async ({ code }) => ({
      kind: "completed",
      result: code,
      stdout: "",
      stderr: "",
      globals: {},
      exported: {},
    }),
    close: async () => {
      closed = true;
    },
  };
  const other = new PythonSection({ engine });
  expect(other.tools[0]?.description).toContain("It answers with the code.");
  expect((await callTool(other.tools[0], { code: "hello" }, createToolContext())).text).toBe(
    'The program has run.\n\nresult: "hello"',
  );
  await other.close();
  expect(closed).toBe(true);
});

it("PythonSection refuses invalid limits (TL-53)", () => {
  expect(() => new PythonSection({ limits: { timeoutMs: 0 } })).toThrow(
    "limits: timeoutMs must be a whole number above 0, got 0.",
  );
});
