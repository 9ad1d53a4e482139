import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host/open/host-filesystem.js";
import type {
  FilesystemTransaction,
  SnapshotableFilesystem,
} from "../snapshots/filesystem-snapshot.js";
import { readOnlyView } from "../wrap/read-only-view.js";
import { wrapFilesystem } from "../wrap/wrap-filesystem.js";
import { TransactionQueue, type TransactionTurn } from "./transaction-queue.js";

const BACKENDS: Readonly<Record<string, () => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem({ files: { a: "old" } }),
  host: async () => {
    const root = mkdtempSync(join(tmpdir(), "wink-transact-"));
    const fs = await HostFilesystem.open(root, { fsync: false });
    onTestFinished(async () => {
      await fs.close();
      rmSync(root, { recursive: true });
    });
    await fs.write("a", "old");
    return fs;
  },
};

describe.each(Object.entries(BACKENDS))("transact on %s", (_, open) => {
  it("rolls back a transaction that its body left open, and says so (FS-97)", async () => {
    const fs = await open();
    const failing = fs.transact(async (files) => {
      await files.write("a", "1");
      await files.begin();
      await files.write("a", "2");
    });
    await expect(failing).rejects.toMatchObject({ code: "TRANSACTION_ENDED" });
    expect((await fs.read("a")).content).toBe("old");
    await fs.transact((files) => files.write("a", "new"));
    expect((await fs.read("a")).content).toBe("new");
  });

  const contents = async (fs: SnapshotableFilesystem) => {
    const paths = (await fs.glob("**")).map(({ path }) => path);
    const read = async (path: string) => [path, (await fs.read(path)).content] as const;
    return Object.fromEntries(await Promise.all(paths.map(read)));
  };

  it.each([
    { full: false, inner: undefined },
    { full: true, inner: undefined },
    { full: false, inner: false },
    { full: false, inner: true },
    { full: true, inner: false },
    { full: true, inner: true },
  ])(
    "rolls back or commits a restored snapshot exactly: full $full, in a savepoint with full $inner (FS-94, FS-96)",
    async ({ full, inner }) => {
      for (const fails of [true, false]) {
        const fs = await open();
        const snapshot = await fs.snapshot();
        await fs.write("a", "later");
        await fs.write("b", "later");
        const before = await contents(fs);
        const restore = async (files: SnapshotableFilesystem) => {
          await files.write("a", "changed");
          await files.restore(snapshot);
          await files.write("c", "after");
        };
        const transacting = fs.transact(
          async (files) => {
            await files.write("d", "first");
            if (inner === undefined) await restore(files);
            else await files.transact(restore, { full: inner });
            await files.write("e", "last");
            if (fails) throw new Error("stopped");
          },
          { full },
        );
        if (fails) await expect(transacting).rejects.toThrow("stopped");
        else await transacting;
        const after = { a: "old", c: "after", e: "last" };
        expect(await contents(fs)).toEqual(fails ? before : after);
        await fs.write("a", "works");
      }
    },
  );

  it("a savepoint that restored a snapshot can be rolled back alone (FS-96)", async () => {
    const fs = await open();
    const snapshot = await fs.snapshot();
    await fs.write("b", "later");
    await fs.transact(async (files) => {
      await files.write("c", "kept");
      const failing = files.transact(async (deeper) => {
        await deeper.restore(snapshot);
        throw new Error("stopped");
      });
      await expect(failing).rejects.toThrow("stopped");
      await files.transact((deeper) => deeper.write("d", "kept"));
    });
    expect(await contents(fs)).toEqual({ a: "old", b: "later", c: "kept", d: "kept" });
  });

  it("runs inside a transaction that was begun before, and its end waits (FS-95)", async () => {
    const fs = await open();
    const outer = await fs.begin();
    let finish = () => {};
    const inner = fs.transact(async (files) => {
      await files.write("a", "inner");
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    await expect.poll(async () => (await fs.read("a")).content).toBe("inner");
    const rollback = outer.rollback();
    finish();
    await inner;
    await rollback;
    expect((await fs.read("a")).content).toBe("old");
  });
});

it("transact of a wrapper passes every call of the body through the hook (FS-92, FS-94)", async () => {
  const seen: string[] = [];
  const fs = wrapFilesystem(new InMemoryFilesystem(), (call, run) => {
    seen.push(call.operation);
    return run();
  });
  await fs.transact(async (files) => {
    await files.write("a", "1");
    await files.transact((deeper) => deeper.delete("a"));
  });
  expect(seen).toEqual(["transact", "write", "transact", "delete"]);
});

it("transact of a read-only view is refused and runs nothing (FS-94)", async () => {
  const fs = readOnlyView(new InMemoryFilesystem());
  await expect(fs.transact(() => expect.unreachable())).rejects.toMatchObject({ code: "EROFS" });
});

it("a commit that fails is rolled back, and a rollback that fails is reported (FS-97)", async () => {
  const queue = new TransactionQueue();
  const done: string[] = [];
  const transaction = (broken: readonly string[]): FilesystemTransaction => {
    const end = (how: string) => async () => {
      done.push(how);
      if (broken.includes(how)) throw new Error(`${how} failed`);
    };
    const [commit, rollback] = [end("commit"), end("rollback")];
    return { changes: async () => [], commit, rollback, [Symbol.asyncDispose]: rollback };
  };
  const run = (...broken: readonly string[]) =>
    queue.transact({ begin: async () => transaction(broken) }, () => "result");
  expect(await run()).toBe("result");
  await expect(run("commit")).rejects.toThrow("commit failed");
  await expect(run("commit", "rollback")).rejects.toMatchObject({
    code: "INCOMPLETE",
    cause: { errors: [{ message: "commit failed" }, { message: "rollback failed" }] },
  });
  expect(await run()).toBe("result");
  expect(done).toEqual(["commit", "commit", "rollback", "commit", "rollback", "commit"]);
});

describe("without an async context, as in a browser", () => {
  const noop = async () => {};
  const begin = async () => ({
    ...{ changes: async () => [], commit: noop, rollback: noop },
    [Symbol.asyncDispose]: noop,
  });
  const open = () => {
    const queue = TransactionQueue.withoutContext();
    const transact = <T>(body: (turn: TransactionTurn) => Promise<T> | T, turn?: TransactionTurn) =>
      queue.transact({ begin, turn }, body);
    return { queue, transact };
  };

  it("transactions queue, and each one that starts is a savepoint (FS-96)", async () => {
    const { transact } = open();
    const order: string[] = [];
    await Promise.all([
      transact(async (turn) => {
        order.push("first");
        await transact(() => order.push("inside"), turn);
        order.push("first ends");
      }),
      transact(() => order.push("second")),
    ]);
    expect(order).toEqual(["first", "inside", "first ends", "second"]);
  });

  it("changes do not wait, because the body could not be recognised (FS-95)", async () => {
    const { queue, transact } = open();
    await transact(async (turn) => {
      expect(queue.current).toBeUndefined();
      expect(queue.enter()).toBeUndefined();
      expect(queue.enter(turn)).toBeUndefined();
    });
  });
});
