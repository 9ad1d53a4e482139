import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem, type SnapshotableFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { describe, expect, it, onTestFinished } from "vitest";
import { agent, done, failed, tool } from "./agent.test.support.js";

const BACKENDS: Readonly<Record<string, () => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem(),
  host: async () => {
    const root = await mkdtemp(join(tmpdir(), "wink-transact-"));
    const files = await HostFilesystem.open(root, { fsync: false });
    onTestFinished(async () => {
      await files.close();
      await rm(root, { recursive: true });
    });
    return files;
  },
};

const stopped = new Error("stopped");

describe.each(Object.entries(BACKENDS))("transact in a handler on %s", (_, open) => {
  const start = async () => {
    const files = await open();
    await files.write("a.txt", "old");
    const tree = async () => {
      const paths = (await files.glob("**")).map(({ path }) => path);
      const read = async (path: string) => [path, (await files.read(path)).content] as const;
      return Object.fromEntries(await Promise.all(paths.map(read)));
    };
    return { files, tree };
  };

  it("is a savepoint of the call, and concurrent ones queue (AD-73)", async () => {
    for (const ends of [done, failed]) {
      const { files, tree } = await start();
      const { call } = agent({
        files,
        tools: [
          tool("set", async ({ filesystem }) => {
            const run = (name: string, fails: boolean) =>
              filesystem.transact(async (inside) => {
                await inside.write(name, name);
                await filesystem.transact(() => filesystem.write(`${name}.inner`, name));
                if (fails) throw stopped;
              });
            const [kept, undone] = await Promise.allSettled([
              run("kept", false),
              run("undone", true),
              filesystem.write("outside", "plain"),
            ]);
            expect([kept?.status, undone?.status]).toEqual(["fulfilled", "rejected"]);
            return ends();
          }),
        ],
      });
      const { text } = await call("set");
      expect(text).not.toContain("could not be undone");
      const all = { "a.txt": "old", kept: "kept", "kept.inner": "kept", outside: "plain" };
      expect(await tree()).toEqual(ends === done ? all : { "a.txt": "old" });
      await files.write("a.txt", "later");
    }
  });

  it("that the handler left running is rolled back with its call (AD-73)", async () => {
    for (const ends of [done, failed]) {
      const { files, tree } = await start();
      const { call } = agent({
        files,
        tools: [
          tool("set", async ({ filesystem }) => {
            await new Promise<void>((begun) => {
              void filesystem.transact(async (inside) => {
                await inside.write("a.txt", "left");
                begun();
                await new Promise(() => {});
              });
            });
            void filesystem.write("waits", "for it");
            return ends();
          }),
        ],
      });
      const { text } = await call("set");
      expect(text).not.toContain("could not be undone");
      expect(await tree()).toEqual({ "a.txt": "old" });
    }
  });

  it("can restore a snapshot, and is undone exactly (AD-58, AD-73)", async () => {
    for (const ends of [done, failed]) {
      const { files, tree } = await start();
      const first = await files.snapshot();
      await files.write("b.txt", "later");
      const { call } = agent({
        files,
        tools: [
          tool("set", async ({ filesystem }) => {
            const inside = filesystem as SnapshotableFilesystem;
            await inside.transact(async (deeper) => {
              await deeper.restore(first);
              await deeper.write("c.txt", "after");
            });
            return ends();
          }),
        ],
      });
      await call("set");
      expect(await tree()).toEqual(
        ends === done ? { "a.txt": "old", "c.txt": "after" } : { "a.txt": "old", "b.txt": "later" },
      );
    }
  });

  it("is refused for a tool that only reads (AD-73)", async () => {
    const { files } = await start();
    const { call } = agent({
      files,
      tools: [
        tool(
          "look",
          async ({ filesystem }) => {
            await expect(filesystem.transact(() => {})).rejects.toMatchObject({ code: "EROFS" });
            return done();
          },
          { access: "read" },
        ),
      ],
    });
    expect((await call("look")).status).toBe("succeeded");
  });
});
