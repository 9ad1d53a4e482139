import assert from "node:assert/strict";
import type { Filesystem } from "../../protocol/filesystem.js";
import { type CaseBody, defineArea, eachRow } from "./contract-case.js";
import { expectFailure, failureOf } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

const START = { kept: "old", "d/inner": "old" };

async function start(fs: Filesystem): Promise<Filesystem> {
  for (const [path, content] of Object.entries(START)) await fs.write(path, content);
  return fs;
}

/** A promise, and the function that resolves it. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

const stopped = new Error("stopped");

/** Every kind of change, by name. */
const CHANGES: Readonly<Record<string, (fs: Filesystem) => Promise<unknown>>> = {
  "a new file": (fs) => fs.write("new/file", "new"),
  "a replaced file": (fs) => fs.write("kept", "new"),
  "an appended file": (fs) => fs.write("kept", "new", { mode: "append" }),
  bytes: (fs) => fs.writeBytes("kept", Uint8Array.of(0, 255)),
  "a deleted file": (fs) => fs.delete("kept"),
  "a deleted directory": (fs) => fs.delete("d", { recursive: true }),
  "a new directory": (fs) => fs.mkdir("empty/deep"),
  "a copy": (fs) => fs.copy("d", "copied"),
  "a move": (fs) => fs.move("d", "moved"),
  "a stream": async (fs) => {
    const writer = await fs.openWrite("streamed/file");
    await writer.write("new");
    await writer.close();
  },
};

const rolledBack = eachRow<[string, (fs: Filesystem) => Promise<unknown>]>(
  Object.entries(CHANGES),
  ([what]) => `roll back ${what} when the body throws, and reject with its error (FS-94)`,
  ([, change]): CaseBody =>
    async (open) => {
      const fs = await start(await open());
      const before = await treeOf(fs);
      const failing = fs.transact(async (files) => {
        await change(files);
        assert.notDeepEqual(await treeOf(files), before);
        throw stopped;
      });
      assert.equal(await failureOf(failing), stopped);
      assert.deepEqual(await treeOf(fs), before);
    },
);

const committed = eachRow<[string, (fs: Filesystem) => Promise<unknown>]>(
  Object.entries(CHANGES),
  ([what]) => `commit ${what} when the body returns (FS-94)`,
  ([, change]): CaseBody =>
    async (open) => {
      const fs = await start(await open());
      const other = await start(await open());
      await change(other);
      assert.equal(
        await fs.transact(async () => {
          await change(fs);
          return "result";
        }),
        "result",
      );
      assert.deepEqual(await treeOf(fs), await treeOf(other));
    },
);

export const transactions = defineArea("transactions", {
  ...rolledBack,
  ...committed,
  "queue behind each other instead of failing (FS-95)": async (open) => {
    const fs = await start(await open());
    const order: string[] = [];
    const run = (name: string, fails: boolean) =>
      fs.transact(async (files) => {
        order.push(`begin ${name}`);
        await files.write(name, name);
        await files.write("kept", name, { mode: "append" });
        order.push(`end ${name}`);
        if (fails) throw stopped;
      });
    const outcomes = await Promise.allSettled(
      ["a", "b", "c", "e"].map((name) => run(name, name === "b" || name === "e")),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "rejected"],
    );
    assert.deepEqual(
      order,
      ["a", "b", "c", "e"].flatMap((name) => [`begin ${name}`, `end ${name}`]),
    );
    assert.deepEqual(await treeOf(fs), {
      a: "a",
      c: "c",
      d: null,
      "d/inner": "old",
      kept: "oldac",
    });
  },
  "do not contain changes from outside, which wait (FS-95)": async (open) => {
    const fs = await start(await open());
    const [begun, end] = [gate(), gate()];
    const failing = fs.transact(async (files) => {
      await files.write("inside", "new");
      begun.open();
      await end.passed;
      throw stopped;
    });
    await begun.passed;
    const outside = fs.write("outside", "new");
    assert.equal((await fs.read("inside")).content, "new");
    end.open();
    assert.equal(await failureOf(failing), stopped);
    await outside;
    assert.deepEqual(await treeOf(fs), { d: null, "d/inner": "old", kept: "old", outside: "new" });
  },
  "inside another one are savepoints (FS-96)": async (open) => {
    const fs = await start(await open());
    await fs.transact(async (files) => {
      await files.write("a", "1");
      const inner = files.transact(async (deeper) => {
        await deeper.write("a", "2");
        await deeper.transact((deepest) => deepest.write("b", "2"));
        throw stopped;
      });
      assert.equal(await failureOf(inner), stopped);
      assert.equal((await files.read("a")).content, "1");
      assert.equal(await files.exists("b"), false);
      await files.transact((deeper) => deeper.write("c", "3"));
    });
    const tree = { a: "1", c: "3", d: null, "d/inner": "old", kept: "old" };
    assert.deepEqual(await treeOf(fs), tree);
    const outer = fs.transact(async (files) => {
      await files.transact((deeper) => deeper.write("a", "committed inside"));
      throw stopped;
    });
    assert.equal(await failureOf(outer), stopped);
    assert.deepEqual(await treeOf(fs), tree);
  },
  "inside another one need not use its filesystem, where the runtime has an async context (FS-96)":
    async (open) => {
      const fs = await start(await open());
      await fs.transact(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        await fs.transact(async () => void (await fs.write("a", "1")));
        assert.equal(await failureOf(fs.transact(() => Promise.reject(stopped))), stopped);
      });
      assert.equal((await fs.read("a")).content, "1");
    },
  "inside another one queue behind each other (FS-96)": async (open) => {
    const fs = await start(await open());
    await fs.transact(async (files) => {
      const outcomes = await Promise.allSettled([
        files.transact((deeper) => deeper.write("kept", "1", { mode: "append" })),
        files.transact(async (deeper) => {
          await deeper.write("kept", "2", { mode: "append" });
          throw stopped;
        }),
        files.write("kept", "3", { mode: "append" }),
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ["fulfilled", "rejected", "fulfilled"],
      );
    });
    assert.equal((await fs.read("kept")).content, "old13");
  },
  "refuse changes of their body after they were rolled back (FS-97)": async (open) => {
    const fs = await start(await open());
    const before = await treeOf(fs);
    const go = gate();
    const late: Promise<unknown>[] = [];
    const failing = fs.transact(async (files) => {
      const writer = await files.openWrite("late");
      await writer.write("late");
      const next = (change: () => Promise<unknown>) => late.push(failureOf(go.passed.then(change)));
      next(() => files.write("late", "late"));
      next(() => files.transact((deeper) => deeper.write("late", "late")));
      next(() => fs.write("late", "late"));
      next(() => writer.close());
      throw stopped;
    });
    assert.equal(await failureOf(failing), stopped);
    go.open();
    for (const refusal of late) await expectFailure(Promise.reject(await refusal), "EBADF");
    assert.deepEqual(await treeOf(fs), before);
    await fs.write("later", "allowed");
  },
  "roll back the ones that their body left running (FS-97)": async (open) => {
    const fs = await start(await open());
    const before = await treeOf(fs);
    const begun = gate();
    let inner: Promise<unknown> | undefined;
    const failing = fs.transact(async (files) => {
      inner = failureOf(
        files.transact(async (deeper) => {
          await deeper.write("inner", "1");
          begun.open();
          await new Promise(() => {});
        }),
      );
      await begun.passed;
      throw stopped;
    });
    assert.equal(await failureOf(failing), stopped);
    await expectFailure(Promise.reject(await inner), "EBADF");
    assert.deepEqual(await treeOf(fs), before);
  },
  "are rolled back when their signal aborts, also with a body that never ends (FS-97)": async (
    open,
  ) => {
    const fs = await start(await open());
    const before = await treeOf(fs);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = failureOf(
      fs.transact(
        async (files) => {
          await files.write("a", "1");
          queueMicrotask(() => controller.abort(stopped));
          await new Promise(() => {});
        },
        { signal },
      ),
    );
    const queued = failureOf(
      fs.transact(() => assert.fail("it was aborted before it began"), { signal }),
    );
    assert.equal(await aborted, stopped);
    assert.equal(await queued, stopped);
    assert.equal(await failureOf(fs.transact(() => {}, { signal })), stopped);
    assert.deepEqual(await treeOf(fs), before);
    await fs.transact((files) => files.write("kept", "new"));
    assert.equal((await fs.read("kept")).content, "new");
  },
  "are refused on a read-only filesystem (FS-94)": async (open) => {
    const fs = await open({ readOnly: true });
    await expectFailure(
      fs.transact(() => assert.fail("it must not run")),
      "EROFS",
    );
  },
  "keep the usage exact (FS-94)": async (open) => {
    const fs = await start(await open());
    const before = await fs.usage();
    await failureOf(
      fs.transact(async (files) => {
        await files.write("more/files", "12345");
        await files.delete("kept");
        throw stopped;
      }),
    );
    assert.deepEqual(await fs.usage(), before);
  },
});
