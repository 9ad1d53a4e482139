import { configureStore, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { appendAll, defineEvent, defineSlice, Session } from "@wink/session";
import { produce } from "immer";
import { z } from "zod";
import type { Run } from "./harness.js";

const NoteSchema = z.object({ id: z.number(), text: z.string() });
type Note = z.infer<typeof NoteSchema>;

const AddNote = defineEvent("note.add", NoteSchema);
const Notes = defineSlice({
  name: "notes",
  schema: NoteSchema,
  reducers: (on) => [on(AddNote, appendAll)],
});

export async function run(run: Run): Promise<void> {
  await compareDispatch(run);
  await compareGrowth(run);
  await compareSnapshots(run);
  await compareTransactions(run);
}

/**
 * Appending to a list one event at a time. Ours checks each event with its schema and
 * records it, the peers do neither. They copy the list for each event, which takes
 * half an hour for 100,000 events. So they get fewer, and the ratio at 100,000 is
 * measured on the events that follow.
 */
async function compareDispatch(run: Run): Promise<void> {
  const count = run.quick ? 2000 : 10_000;
  await run.compare({
    name: `dispatch ${count} events into an append slice, reading latest after each`,
    ours: () => fill(new Session({ slices: [Notes] }), count),
    peers: {
      "Redux Toolkit": () => fillRedux([], count),
      immer: () => fillImmer([], count),
      "array spread": () => fillSpread([], count),
    },
    targets: [
      { peer: "Redux Toolkit", atLeast: 5 },
      { peer: "immer", atLeast: 5 },
    ],
  });
  const session = new Session({ slices: [Notes] });
  fill(session, 100_000);
  const notes = session.slice(Notes).all();
  const next = run.quick ? 20 : 100;
  await run.compare({
    name: "the next events after 100,000",
    ours: () => fill(session, next * 100),
    peers: {
      "Redux Toolkit": () => fillRedux(notes, next),
      immer: () => fillImmer(notes, next),
      "array spread": () => fillSpread(notes, next),
    },
    targets: [
      { peer: "Redux Toolkit", atLeast: 5 },
      { peer: "immer", atLeast: 5 },
    ],
  });
}

/** The cost of one event must not depend on how many came before it. */
async function compareGrowth(run: Run): Promise<void> {
  const few = run.quick ? 20_000 : 100_000;
  const many = few * 10;
  const peer = `${few.toLocaleString("en")} events`;
  await run.compare({
    name: `one event of ${many.toLocaleString("en")}, against one of ${few.toLocaleString("en")}`,
    rounds: run.quick ? 1 : 3,
    ours: () => fill(new Session({ slices: [Notes] }), many),
    peers: {
      [peer]: () => {
        // Ten sessions, so that both sides run equally long.
        for (let round = 0; round < 10; round++) fill(new Session({ slices: [Notes] }), few);
        return many;
      },
    },
    targets: [{ peer, atMost: 2 }],
  });
}

async function compareSnapshots(run: Run): Promise<void> {
  const big = new Session({ slices: [Notes] });
  fill(big, 1_000_000);
  const small = new Session({ slices: [Notes] });
  fill(small, 1000);
  const items = big.slice(Notes).all();
  const repeat = 100_000;
  const snapshots = (session: Session) => () => {
    for (let round = 0; round < repeat; round++) session.snapshot();
    return repeat;
  };
  await run.compare({
    name: "snapshot of a session with 1,000,000 items",
    ours: snapshots(big),
    peers: {
      structuredClone: () => {
        structuredClone(items);
      },
      "1,000 items": snapshots(small),
    },
    targets: [
      { peer: "structuredClone", atLeast: 10_000 },
      { peer: "1,000 items", atMost: 2 },
    ],
  });
}

/** The cost of a failed tool call: snapshot, one event, restore. */
async function compareTransactions(run: Run): Promise<void> {
  const session = new Session({ slices: [Notes], maxEvents: 1000 });
  const count = 1_000_000;
  fill(session, count);
  const items = session.slice(Notes).all();
  const repeat = 2000;
  await run.compare({
    name: "snapshot, one event and restore with 1,000,000 items",
    ours: () => {
      for (let round = 0; round < repeat; round++) {
        const snapshot = session.snapshot();
        session.dispatch(AddNote({ id: round, text: "tried" }));
        session.restore(snapshot);
      }
      return repeat;
    },
    peers: {
      immer: () => {
        // Restoring is a reference to the old root.
        produce(items, (draft) => {
          draft.push({ id: 0, text: "tried" });
        });
      },
    },
    targets: [{ peer: "immer", atLeast: 20 }],
  });
}

function fill(session: Session, count: number): number {
  const notes = session.slice(Notes);
  for (let id = 0; id < count; id++) {
    session.dispatch(AddNote({ id, text: "a note" }));
    if (notes.latest()?.id !== id) throw new Error("latest is not the latest");
  }
  return count;
}

function fillRedux(start: readonly Note[], count: number): number {
  const initialState: Note[] = [...start];
  const notes = createSlice({
    name: "notes",
    initialState,
    reducers: {
      add(state, action: PayloadAction<Note>) {
        state.push(action.payload);
      },
    },
  });
  const store = configureStore({
    reducer: notes.reducer,
    // As in production: its development checks walk the whole state for each event.
    middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false }),
    devTools: false,
  });
  for (let id = 0; id < count; id++) {
    store.dispatch(notes.actions.add({ id, text: "a note" }));
    if (store.getState().at(-1)?.id !== id) throw new Error("latest is not the latest");
  }
  return count;
}

function fillImmer(start: readonly Note[], count: number): number {
  let notes = start;
  for (let id = 0; id < count; id++) {
    notes = produce(notes, (draft) => {
      draft.push({ id, text: "a note" });
    });
  }
  return count;
}

function fillSpread(start: readonly Note[], count: number): number {
  let notes = start;
  for (let id = 0; id < count; id++) notes = [...notes, { id, text: "a note" }];
  return count;
}
