import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { areaOf, type CaseBody } from "./contract-case.js";
import { bytes, expectFailure, recordsOf } from "./expectations.js";

export const leases = areaOf<CaseBody>("lease", {
  "lets one writer open a head at a time (STO-13, J235)": async ({ open, id }) => {
    const name = id();
    const first = await (await open()).open(name);
    await expectFailure((await open()).open(name), "LEASE_LOST");
    await first.commit({ events: [bytes("1")] });
    await first.close();
    const second = await (await open()).open(name);
    assert.equal(second.epoch, first.epoch + 1);
    await second.commit({ events: [bytes("2")] });
    assert.deepEqual(await recordsOf(second, "events"), ["1", "2"]);
    await second.close();
  },
  "that was taken over refuses the commits of the old writer for good (STO-14, J235, J242)":
    async ({ open, id }) => {
      const name = id();
      const store = await open();
      const old = await store.open(name);
      await old.commit({ events: [bytes("old")] });
      const taken = await (await open()).open(name, { takeOver: "always" });
      await expectFailure(old.commit({ events: [bytes("late")] }), "LEASE_LOST");
      await expectFailure(old.commit({}), "LEASE_LOST");
      await taken.commit({ events: [bytes("new")] });
      await expectFailure(old.flush(), "LEASE_LOST");
      await old.close();
      assert.deepEqual(await recordsOf(await store.read(name), "events"), ["old", "new"]);
      await taken.close();
    },
  "ends when its writer does not renew it (STO-13, J241)": async ({ open, id }) => {
    const name = id();
    const store = await open();
    const old = await store.open(name, { leaseMs: 1 });
    let taken = await store.open(name).catch(() => undefined);
    for (; taken === undefined; taken = await store.open(name).catch(() => undefined))
      await sleep(1);
    await taken.commit({ events: [bytes("new")] });
    await expectFailure(old.commit({ events: [bytes("late")] }), "LEASE_LOST");
    await taken.close();
  },
  "is renewed by a commit and by renew (STO-13)": async ({ open, id }) => {
    const name = id();
    const store = await open();
    const writer = await store.open(name, { leaseMs: 60_000 });
    await writer.commit({});
    await writer.renew();
    for await (const head of store.list()) if (head.id === name) assert.equal(head.leased, true);
    await writer.close();
    for await (const head of store.list()) if (head.id === name) assert.equal(head.leased, false);
  },
  "distinguishes a head that was deleted and one with the same id (STO-15)": async ({
    open,
    id,
  }) => {
    const name = id();
    const store = await open();
    // Another process, which does not notice the deletion.
    const writers = await open();
    const old = await writers.open(name);
    await old.commit({ events: [bytes("old")] });
    await store.delete(name);
    await expectFailure(old.commit({}), "LOST");
    const other = await writers.open(id("other"));
    await other.commit({});
    await store.delete(other.id);
    const again = await store.open(other.id);
    await again.commit({ events: [bytes("new")] });
    await expectFailure(other.commit({ events: [bytes("late")] }), "LOST");
    assert.deepEqual(await recordsOf(await store.read(other.id), "events"), ["new"]);
    await again.close();
  },
  "loses no commit of several writers that take over from each other (STO-14, J235)": async ({
    open,
    id,
  }) => {
    const name = id();
    const acknowledged: string[] = [];
    const work = async (who: string, index: number) => {
      const store = await open();
      let losses = 0;
      for (let done = 0; done < 8; ) {
        const writer = await store.open(name, { takeOver: "always" });
        try {
          for (; done < 8; done++) {
            await writer.commit({ events: [bytes(`${who}${done}`)] });
            acknowledged.push(`${who}${done}`);
          }
        } catch (error) {
          await expectFailure(Promise.reject(error), "LEASE_LOST");
          // With equal delays, the writers would take the lease from each other forever.
          losses += 1;
          await sleep(losses * index);
        }
      }
    };
    await Promise.all(["a", "b", "c"].map(work));
    const records = await recordsOf(await (await open()).read(name), "events");
    assert.deepEqual([...records].sort(), acknowledged.sort());
  },
  "of a store that lost data is noticed (STO-16, J247)": async ({ open, id }) => {
    const store = await open();
    await expectFailure(store.open(id(), { create: false }), "LOST");
    await expectFailure(store.open(id("known"), { minVersion: 3 }), "LOST");
    const writer = await store.open(id("short"));
    await writer.commit({});
    await writer.close();
    await expectFailure(store.open(writer.id, { minVersion: 2 }), "REWOUND");
  },
  "ends when the head could not be opened (STO-13)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    await writer.close();
    await expectFailure(store.open(writer.id, { minVersion: 2 }), "REWOUND");
    await (await store.open(writer.id)).close();
  },
});

export const durability = areaOf<CaseBody>("durability", {
  'of "turn" stores all commits of a turn in one step (STO-17)': async ({ open, id }) => {
    const name = id();
    const store = await open();
    const writer = await store.open(name, { durability: "turn" });
    const batch = await writer.place([{ bytes: bytes("x") }]);
    await writer.commit({ state: bytes("s"), events: [bytes("1")], blobs: [batch] });
    await writer.commit({ delta: bytes("d"), events: [bytes("2")] }, { commitId: "second" });
    await writer.commit({ events: [bytes("twice")] }, { commitId: "second" });
    await writer.commit({ entries: { set: { a: bytes("1"), b: bytes("2") } } });
    await writer.commit({ entries: { delete: ["a"] } });
    assert.equal((await store.read(name))?.version, 0);
    await writer.flush();
    const head = await store.read(name);
    assert.equal(head?.version, 1);
    assert.deepEqual(await recordsOf(head, "events"), ["1", "2"]);
    assert.deepEqual([...(await head.entries()).keys()], ["b"]);
    await writer.commit({ events: [bytes("3")] });
    await writer.close();
    assert.deepEqual(await recordsOf(await store.read(name), "events"), ["1", "2", "3"]);
  },
});
