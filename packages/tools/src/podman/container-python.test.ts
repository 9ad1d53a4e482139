import { wrapFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { vfsFiles } from "../files/virtual-file-system.js";
import { hasPodman, type OpenSandbox, openSandbox, SMALL_IMAGE } from "./sandbox.test.support.js";

describe.runIf(hasPodman)("evaluate_python in a container", () => {
  let box: OpenSandbox;
  beforeAll(async () => {
    box = await openSandbox({ timeoutMs: 60_000, memoryLimit: "256m" });
  });
  const ask = (input: object) => box.ask("evaluate_python", input);

  it.each([
    { code: "x = 5\nx * 2", text: 'result: 10\nglobals: {"x":5}' },
    {
      code: "result = sum(range(1, 101))\nprint(f'Sum: {result}')",
      text: 'result: 5050\nstdout:\n```\nSum: 5050\n```\nglobals: {"result":5050}',
    },
    { code: "", text: "result: null" },
    { code: "class A: pass\nlen([A() for _ in range(3)])", text: "result: 3" },
    {
      code: "{1: (1, 2), 'n': float('nan'), 'i': -float('inf'), 'b': b'\\x00a', 'big': 2**70, 's': {3}}",
      text: 'result: {"1":[1,2],"n":"nan","i":"-inf","b":"b\'\\\\x00a\'","big":"1180591620717411303424","s":[3]}',
    },
    {
      code: "a = []\na.append(a)\na",
      text: 'result: ["[...]"]\nglobals: {"a":["[...]"]}',
    },
    { code: "{'__proto__': 1}", text: "result: {\"'__proto__'\":1}" },
    { code: "'\\ud800'", text: 'result: "\ufffd"' },
  ])("gives the same answer as Monty: $code (SB-13, TL-50, I232)", async ({ code, text }) => {
    expect(await ask({ code })).toBe(`The program has run.\n\n${text}`);
  });

  it("supports globals, reads, writes, read_text and write_text (SB-13, TL-50, TL-51)", async () => {
    await box.filesystem.write("a.txt", "3\n1\n2\n");
    expect(
      await ask({
        code: "t = ','.join(sorted(s.split())) * n\nwrite_text('out/b.txt', read_text('a.txt'))",
        globals: { n: 2 },
        reads: [{ file_path: "a.txt", variable: "s" }],
        writes: [{ file_path: "c.txt", variable: "t" }],
      }),
    ).toMatch(/^The program has run\. Wrote 2 files: 'out\/b.txt', 'c.txt'\./);
    expect((await box.filesystem.read("c.txt")).content).toBe("1,2,31,2,3");
    expect(await ask({ code: "read_text('../x')" })).toMatch(
      /^PermissionError: '..\/x': the path escapes from/,
    );
    expect(
      await ask({
        code: "try:\n  read_text('nope')\nexcept FileNotFoundError:\n  print('caught')",
      }),
    ).toMatch(/stdout:\n```\ncaught\n```/);
  });

  it("reports files that a program wrote directly (SB-13, SB-9)", async () => {
    expect(await ask({ code: "open('direct.txt', 'w').write('x')" })).toBe(
      "The program has run. Wrote 1 file: 'direct.txt'.\n\nresult: 1",
    );
    expect(vfsFiles(box.session)).toContainEqual(
      expect.objectContaining({ path: "direct.txt", tool: "evaluate_python" }),
    );
    const transaction = await box.filesystem.begin({ full: true });
    expect(await ask({ code: "open('half.txt', 'w').write('x')\n1 / 0" })).toMatch(
      /^ZeroDivisionError: division by zero\n```\nTraceback .*File "main.py", line 2/s,
    );
    await transaction.rollback();
    expect(await box.filesystem.exists("half.txt")).toBe(false);
  });

  it.each([
    { code: "x = (", answer: /^SyntaxError: / },
    { code: "def f(): return f()\nf()", answer: /levels deep and was ended/ },
    { code: "while True: print('x' * 1000)", answer: /printed more than 16,000 characters/ },
    { code: "x = 'a' * 10**10", answer: /of memory and was ended/ },
    { code: "input()", answer: /^EOFError/ },
    { code: "import os\nos.kill(os.getpid(), 9)", answer: /was ended|crashed the interpreter/ },
    {
      code: "import os\nos.write(1, b'raw'); os.system('echo sub')",
      answer: /stderr:\n```\nrawsub/,
    },
    { code: "import sys\nsys.exit(3)", answer: /^SystemExit: 3/ },
    { code: "import socket\nsocket.create_connection(('1.1.1.1', 80), 5)", answer: /^OSError/ },
    {
      code: "import os, threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\n7",
      answer: /result: 7/,
    },
  ])(
    "answers $code clearly, and the next program works (SB-13, TL-53)",
    async ({ code, answer }) => {
      expect(await ask({ code })).toMatch(answer);
      expect(await ask({ code: "20 + 1" })).toBe("The program has run.\n\nresult: 21");
    },
  );

  it("stops answering a program that never reads its answers (SB-13)", async () => {
    await box.filesystem.write("large.txt", "x".repeat(200_000));
    let reads = 0;
    const filesystem = wrapFilesystem(box.filesystem, (call, run) => {
      if (call.operation.startsWith("read")) reads++;
      return run();
    });
    const controller = new AbortController();
    const { signal } = controller;
    const context = createToolContext({ session: box.session, filesystem, signal });
    const code = `import __main__, json, time
for i in range(2000): __main__.outbox.write(json.dumps({"type": "call", "name": "read_text", "args": ["large.txt"]}) + "\\n")
__main__.outbox.flush()
open("asked", "w").close()
time.sleep(1000)`;
    const settled = expect(box.call("evaluate_python", { code }, context)).rejects.toThrow(
      "enough",
    );
    const wait = { timeout: 60_000, interval: 100 };
    await vi.waitFor(async () => expect(await box.filesystem.exists("asked")).toBe(true), wait);
    await vi.waitFor(() => expect(reads).toBeGreaterThan(0), wait);
    controller.abort(new Error("enough"));
    await settled;
    expect(reads).toBeLessThan(200);
  });

  it("ends a program that takes too long, and reports if there is no Python (SB-13, TL-53)", async () => {
    const short = await openSandbox({ timeoutMs: 3_000 });
    expect(await short.ask("evaluate_python", { code: "while True: pass" })).toMatch(
      /^The program ran longer than 3 seconds and was ended\./,
    );
    await short.section.close();
    const small = await openSandbox({ image: SMALL_IMAGE });
    expect(await small.ask("evaluate_python", { code: "1" })).toBe("The image has no python3.");
    expect(await small.print("echo a | tr a b; setsid true && echo $?")).toBe("b\n0\n");
    await small.section.close();
  });
});
