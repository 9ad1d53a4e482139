import assert from "node:assert/strict";
import { areaOf, type CaseBody } from "./contract-case.js";
import { bytes, entriesOf, expectFailure, noise, recordsOf, text } from "./expectations.js";

export const commits = areaOf<CaseBody>("commit", {
  "makes state, deltas, records, entries and contents visible together (STO-1, J234)": async ({
    open,
    id,
  }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    const batch = await writer.place([{ bytes: bytes("one") }, { bytes: bytes("two") }]);
    await writer.commit({
      state: bytes("state"),
      delta: bytes("delta"),
      events: [bytes("e1"), bytes("e2")],
      transcript: [bytes("t1")],
      entries: { set: { first: bytes("1") } },
      blobs: [batch],
    });
    const head = await (await open()).read(name);
    assert.equal(head?.version, 1);
    assert.equal(text(head.state), "state");
    assert.deepEqual(head.deltas.map(text), ["delta"]);
    assert.deepEqual(head.counts, { events: 2, transcript: 1 });
    assert.deepEqual(await recordsOf(head, "events"), ["e1", "e2"]);
    assert.deepEqual(await recordsOf(head, "transcript"), ["t1"]);
    assert.deepEqual(await entriesOf(head), { first: "1" });
    const contents = await head.read(batch.refs);
    assert.deepEqual(
      batch.refs.map((ref) => text(contents.get(ref))),
      ["one", "two"],
    );
    await writer.close();
  },
  "keeps deltas until a commit sets a new state (STO-2)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    await writer.commit({ delta: bytes("a") });
    await writer.commit({ delta: bytes("b") });
    assert.deepEqual((await store.read(name))?.deltas.map(text), ["a", "b"]);
    assert.deepEqual(writer.deltas.map(text), ["a", "b"]);
    await writer.commit({ state: bytes("base"), delta: bytes("c") });
    const head = await store.read(name);
    assert.deepEqual([text(head?.state), head?.deltas.map(text)], ["base", ["c"]]);
    await writer.commit({ state: bytes("next") });
    const last = await store.read(name);
    assert.deepEqual([text(last?.state), last?.deltas], ["next", []]);
    await writer.close();
  },
  "numbers versions and records without gaps (STO-3)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    for (let number = 1; number <= 40; number++) {
      await writer.commit({ events: [bytes(`e${number}`)], transcript: [] });
      assert.equal(writer.version, number);
    }
    const head = await store.read(name);
    const all = Array.from({ length: 40 }, (_, index) => `e${index + 1}`);
    assert.deepEqual(await recordsOf(head, "events"), all);
    assert.deepEqual(await recordsOf(head, "events", 37), ["e38", "e39", "e40"]);
    assert.deepEqual(await recordsOf(head, "events", 40), []);
    assert.deepEqual(await recordsOf(head, "transcript"), []);
    await writer.close();
  },
  "runs in the order of the calls (STO-3)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => writer.commit({ events: [bytes(String(index))] })),
    );
    const expected = Array.from({ length: 20 }, (_, index) => String(index));
    assert.deepEqual(await recordsOf(await store.read(name), "events"), expected);
    await writer.close();
  },
  "does nothing when its id is among the last 32 (STO-4, J243)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    await writer.commit({ events: [bytes("once")] }, { commitId: "call-1" });
    for (let number = 0; number < 31; number++) await writer.commit({});
    await writer.commit({ events: [bytes("twice")] }, { commitId: "call-1" });
    await writer.close();
    const next = await (await open()).open(name);
    await next.commit({ events: [bytes("thrice")] }, { commitId: "call-1" });
    assert.equal(next.version, 32);
    assert.deepEqual(await recordsOf(next, "events"), ["once"]);
    await next.close();
  },
  "preserves all bytes (STO-5, J237)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    const writer = await store.open(name);
    const batch = await writer.place([{ bytes: all }, { bytes: new Uint8Array() }]);
    await writer.commit({
      state: all,
      delta: all,
      events: [all, new Uint8Array(), all],
      entries: { set: { "%_*:{}\n'\"\\ä\u0000?": all, empty: new Uint8Array() } },
      blobs: [batch],
    });
    await writer.close();
    const head = await (await open()).read(name);
    assert.deepEqual(plain(head?.state), [...all]);
    assert.deepEqual(head?.deltas.map(plain), [[...all]]);
    const pages: (number[] | undefined)[] = [];
    for await (const page of head?.records("events") ?? []) pages.push(...page.map(plain));
    assert.deepEqual(pages, [[...all], [], [...all]]);
    const entries = await head?.entries();
    assert.deepEqual(plain(entries?.get("%_*:{}\n'\"\\ä\u0000?")), [...all]);
    assert.deepEqual(plain(entries?.get("empty")), []);
    const contents = await head?.read(batch.refs);
    assert.deepEqual(
      batch.refs.map((ref) => plain(contents?.get(ref))),
      [[...all], []],
    );
  },
  "sets, deletes, lists and clears entries in one step (STO-6)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    await writer.commit({
      entries: { set: { "a%": bytes("1"), ab: bytes("2"), a_: bytes("3"), b: bytes("4") } },
    });
    await writer.commit({ entries: { delete: ["b", "missing"], set: { ab: bytes("5") } } });
    assert.deepEqual(await entriesOf(await store.read(name)), { "a%": "1", a_: "3", ab: "5" });
    assert.deepEqual([...(await writer.entries({ prefix: "a%" })).keys()], ["a%"]);
    await writer.commit({ entries: { clear: true, set: { c: bytes("6") } } });
    assert.deepEqual(await entriesOf(await store.read(name)), { c: "6" });
    await writer.close();
  },
  "stores many and large records, and reads them in pages (STO-3)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    const record = (number: number) => noise(3000, number);
    for (let first = 1; first <= 800; first += 25)
      await writer.commit({
        events: Array.from({ length: 25 }, (_, index) => record(first + index)),
        transcript: [noise(40_000, first)],
      });
    const head = await (await open()).read(name);
    let [number, pages] = [0, 0];
    for await (const page of head?.records("events", { pageBytes: 300_000 }) ?? []) {
      pages += 1;
      for (const each of page) assert.deepEqual(plain(each), plain(record(++number)));
    }
    assert.equal(number, 800);
    assert(pages >= 2, `${pages} pages`);
    let after = 500;
    for await (const page of head?.records("events", { after }) ?? [])
      for (const each of page) assert.deepEqual(plain(each), plain(record(++after)));
    assert.equal(after, 800);
    await writer.close();
  },
  "refuses wrong arguments and changes nothing (STO-7)": async ({ open, id }) => {
    const store = await open();
    const name = id();
    const writer = await store.open(name);
    await expectFailure(writer.commit({}, { commitId: "a b" }), "ARGUMENT_INVALID");
    // A caller without types.
    const wrong = { events: ["text"] } as unknown as { events: Uint8Array[] };
    await expectFailure(writer.commit(wrong), "ARGUMENT_INVALID");
    await expectFailure(writer.commit({ entries: { set: { "": bytes("") } } }), "ARGUMENT_INVALID");
    const tooLarge = new Uint8Array(64 * 1024 * 1024 + 1);
    await expectFailure(writer.commit({ state: tooLarge }), "TOO_LARGE");
    assert.equal((await store.read(name))?.version, 0);
    await writer.close();
  },
});

function plain(value: Uint8Array | undefined): number[] | undefined {
  return value && [...value];
}
