import assert from "node:assert/strict";
import type { Head, HeadWriter } from "../store/head.js";
import type { Store } from "../store/store.js";
import { areaOf, type CaseBody } from "./contract-case.js";
import { bytes, entriesOf, expectFailure, noise, recordsOf, text } from "./expectations.js";

/** Commits a content and a state that refers to it. */
async function save(writer: HeadWriter, content: string): Promise<string> {
  const batch = await writer.place([{ bytes: bytes(content) }]);
  const [ref = ""] = batch.refs;
  await writer.commit({ state: bytes(ref), blobs: [batch] });
  return ref;
}

async function contentOf(head: Head | undefined): Promise<string | undefined> {
  const ref = text(head?.state) ?? "";
  return text((await head?.read([ref]))?.get(ref));
}

async function idsOf(store: Store): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids;
}

function* trace({
  state,
  entries,
}: {
  state: Uint8Array | undefined;
  entries: ReadonlyMap<string, Uint8Array>;
}) {
  for (const value of [state, ...entries.values()]) if (value) yield text(value) ?? "";
}

/** More than one chunk on every engine, and all chunks differ. */
async function* tenMegabytes(): AsyncGenerator<Uint8Array> {
  for (let number = 2; number < 12; number++) yield new Uint8Array(1_000_000).fill(number);
}

const ODD_NAMES = [
  "a",
  "A",
  "a:b",
  "a*",
  "{a}",
  "a\nb",
  "a/b",
  "..",
  "a%",
  "a_",
  "ä",
  "a\u0308",
  "😀",
  " ",
  "x".repeat(200),
];

export const heads = areaOf<CaseBody>("heads", {
  "have any name, and are kept separate (STO-18, J237, J238)": async ({ open, id }) => {
    const store = (await open()).tenant(id());
    for (const name of ODD_NAMES) {
      const writer = await store.open(name);
      await writer.commit({ state: bytes(name) });
      await writer.close();
    }
    for (const name of ODD_NAMES) assert.equal(text((await store.read(name))?.state), name);
    assert.deepEqual([...(await idsOf(store))].sort(), [...ODD_NAMES].sort());
    for (const wrong of ["", "\ud800", "x".repeat(201), "x".repeat(1024)])
      await expectFailure(store.open(wrong), "ARGUMENT_INVALID");
  },
  "that do not exist are undefined (STO-18)": async ({ open, id }) => {
    const store = await open();
    assert.equal(await store.read(id()), undefined);
    await store.delete(id());
  },
  "show the last committed version to readers while a writer works (STO-19, J240, J245)": async ({
    open,
    id,
  }) => {
    const store = await open();
    const writer = await store.open(id());
    await writer.commit({ events: [bytes("1")], state: bytes("one") });
    const old = await (await open()).read(writer.id);
    await writer.commit({ events: [bytes("2")], state: bytes("two") });
    assert.deepEqual(await recordsOf(old, "events"), ["1"]);
    assert.equal(text(old?.state), "one");
    assert.equal((await (await open()).read(writer.id))?.version, 2);
    await writer.close();
  },
  "are forked with their contents, also from an entry (STO-20, J246)": async ({ open, id }) => {
    const store = await open();
    const parent = await store.open(id());
    const first = await save(parent, "first");
    await parent.commit({ entries: { set: { before: bytes(first) } }, events: [bytes("e")] });
    await save(parent, "second");
    await store.fork(parent.id, id("now"));
    await store.fork(parent.id, id("then"), { entry: "before" });
    const now = await store.read(id("now"));
    assert.equal(await contentOf(now), "second");
    assert.deepEqual(await recordsOf(now, "events"), []);
    assert.deepEqual(await entriesOf(now), {});
    const fork = await store.open(id("then"));
    assert.equal(await contentOf(fork), "first");
    await save(fork, "third");
    assert.equal(await contentOf(await store.read(parent.id)), "second");
    assert.equal(await contentOf(await store.read(fork.id)), "third");
    await expectFailure(store.fork(parent.id, fork.id), "ARGUMENT_INVALID");
    await expectFailure(store.fork(id("none"), id("x")), "LOST");
    await expectFailure(store.fork(parent.id, id("x"), { entry: "none" }), "LOST");
    await fork.close();
    await parent.close();
  },
  "keep the contents of forks when they are deleted (STO-21, J246)": async ({ open, id }) => {
    const store = await open();
    const parent = await store.open(id());
    await save(parent, "shared");
    await parent.close();
    await store.fork(parent.id, id("child"));
    await store.fork(id("child"), id("grandchild"));
    await store.delete(parent.id);
    await store.delete(id("child"));
    assert.equal(await store.read(parent.id), undefined);
    assert.equal(await contentOf(await store.read(id("grandchild"))), "shared");
    await store.prune({});
    assert.equal(await contentOf(await store.read(id("grandchild"))), "shared");
    await store.delete(id("grandchild"));
  },
  "are swept without what nothing refers to (STO-22, J246)": async ({ open, id }) => {
    const store = await open();
    const writer = await store.open(id());
    const kept = await save(writer, "kept by an entry");
    await writer.commit({ entries: { set: { snapshot: bytes(kept) } } });
    const forked = await save(writer, "kept by a fork");
    await store.fork(writer.id, id("fork"));
    const large = await writer.place([{ bytes: noise(2_500_000) }]);
    await writer.commit({
      blobs: [large],
      entries: { set: { large: bytes(large.refs[0] ?? "") } },
    });
    const dead = await save(writer, "dead");
    const waiting = await writer.place([{ bytes: bytes("placed") }]);
    await writer.stage(waiting);
    await save(writer, "last");
    const { deletedObjects, deletedBytes } = await writer.sweep(trace);
    assert.equal(deletedObjects, 1);
    // Encrypted contents are larger.
    assert(deletedBytes >= 4, `${deletedBytes} bytes`);
    await expectFailure(writer.read([dead]), "MISSING_BLOB");
    await writer.commit({ blobs: [waiting] });
    const refs = [kept, forked, ...large.refs, ...waiting.refs];
    assert.equal((await (await store.read(writer.id))?.read(refs))?.size, 4);
    const again = await save(writer, "dead");
    assert.equal(text((await writer.read([again])).get(again)), "dead");
    await writer.close();
  },
  "are swept without what is on its way to a commit (STO-22)": async ({ open, id }) => {
    const writer = await (await open()).open(id());
    const large = new Uint8Array(9_000_000).fill(1);
    const placed = await writer.place([{ bytes: large }, { bytes: noise(1000, 2) }]);
    async function* parts() {
      yield* tenMegabytes();
      // The first chunks are stored, and no batch has them yet.
      await writer.sweep(trace);
      yield noise(1000, 3);
    }
    const arriving = await writer.placeStream(parts());
    await writer.commit({ blobs: [placed, arriving] });
    assert.equal((await writer.read([...placed.refs, ...arriving.refs])).size, 3);
    await writer.close();
  },
  "are not swept by a writer that lost its lease (STO-22)": async ({ open, id }) => {
    const store = await open();
    const old = await store.open(id());
    await save(old, "one");
    const taken = await store.open(old.id, { takeOver: "always" });
    await save(taken, "two");
    // The old writer knows only the first state, so it would delete the second content.
    await expectFailure(old.sweep(trace), "LEASE_LOST");
    assert.equal(await contentOf(await store.read(old.id)), "two");
    await taken.close();
  },
  "are pruned by age, count and bytes, but not while they are open (STO-23)": async ({
    open,
    id,
  }) => {
    const store = (await open()).tenant(id());
    for (const name of ["a", "b", "c"]) {
      const writer = await store.open(name);
      const batch = await writer.place([{ bytes: noise(1000) }]);
      await writer.commit({ blobs: [batch] });
      if (name !== "a") await writer.close();
    }
    const ids = (report: { deleted: readonly { id: string }[] }) =>
      report.deleted.map((head) => head.id).sort();
    assert.deepEqual(ids(await store.prune({ maxAgeMs: 3_600_000 })), []);
    assert.deepEqual(ids(await store.prune({ maxHeads: 0, dryRun: true })), ["b", "c"]);
    assert.deepEqual(await idsOf(store), ["a", "b", "c"]);
    assert.equal((await store.prune({ maxBytes: 2500 })).deleted.length, 1);
    assert.deepEqual(ids(await store.prune({ maxHeads: 0 })).length, 1);
    assert.deepEqual(await idsOf(store), ["a"]);
    await expectFailure(store.prune({ maxHeads: -1 }), "ARGUMENT_INVALID");
  },
  "of tenants are invisible to each other (STO-24)": async ({ open, id }) => {
    const store = await open();
    const [one, other] = [store.tenant(id("t_1")), store.tenant(id("tx1"))];
    const writer = await one.open("run");
    const ref = await save(writer, "secret");
    assert.equal(await other.read("run"), undefined);
    assert.deepEqual(await idsOf(other), []);
    assert.deepEqual(await idsOf(one), ["run"]);
    const thief = await other.open("run");
    await expectFailure(thief.read([ref]), "MISSING_BLOB");
    // Storing the same content must not reveal that another tenant has it.
    const batch = await thief.place([{ bytes: bytes("secret") }]);
    assert.equal(batch.newBytes > 0, true);
    await other.delete("run");
    assert.equal(await contentOf(await one.read("run")), "secret");
    assert((await idsOf(store)).every((name) => name !== "run"));
    await writer.close();
    await one.delete("run");
  },
  "have quotas, and a commit over one changes nothing (STO-25)": async ({ open, id }) => {
    const store = (await open()).tenant(id(), { maxHeadBytes: 1000, maxHeads: 2 });
    const writer = await store.open("a");
    const batch = await writer.place([{ bytes: noise(1001) }]);
    await expectFailure(writer.commit({ blobs: [batch] }), "FULL");
    await expectFailure(writer.commit({ events: [noise(1001)] }), "FULL");
    await writer.commit({ events: [noise(900)] });
    await expectFailure(writer.commit({ state: noise(101) }), "FULL");
    assert.equal((await store.read("a"))?.version, 1);
    await writer.close();
    await (await store.open("b")).close();
    await expectFailure(store.open("c"), "FULL");
    await expectFailure(store.fork("a", "c"), "FULL");
    await (await store.open("b")).close();
  },
  "have a quota that counts staged contents, and a sweep counts again (STO-25)": async ({
    open,
    id,
  }) => {
    const store = (await open()).tenant(id(), { maxHeadBytes: 1500 });
    const writer = await store.open("a");
    const [first, second] = [noise(800, 1), noise(800, 2)];
    const staged = await writer.place([{ bytes: first }]);
    await writer.stage(staged);
    await expectFailure(writer.stage(await writer.place([{ bytes: second }])), "FULL");
    await writer.commit({ blobs: [staged] });
    await expectFailure(writer.placeStream(tenMegabytes()), "FULL");
    await writer.commit({ entries: { set: { a: noise(400) } } });
    await expectFailure(writer.commit({ entries: { set: { a: noise(400) } } }), "FULL");
    await writer.commit({ entries: { delete: ["a"] } });
    await writer.sweep(() => []);
    assert.equal(writer.sizeBytes, 0);
    await writer.commit({ entries: { set: { a: noise(400) } } });
    await writer.close();
  },
  "count the bytes of a stream (STO-25)": async ({ open, id }) => {
    const writer = await (await open()).open(id());
    const batch = await writer.placeStream(tenMegabytes());
    await writer.commit({ blobs: [batch] });
    assert(writer.sizeBytes >= 10_000_000, `${writer.sizeBytes} bytes`);
    await writer.close();
  },
});
