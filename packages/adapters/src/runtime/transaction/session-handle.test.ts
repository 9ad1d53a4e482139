import type { ToolContext } from "@wink/prompt";
import { appendAll, defineEvent, defineSlice, isSessionError, Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { agent, done, failed, Note, Notes, tool } from "../call/agent.test.support.js";

const Late = defineEvent("test.late", z.object({ text: z.string() }));
const LateNotes = defineSlice({
  name: "test.late",
  schema: Late.schema,
  reducers: (on) => [on(Late, appendAll)],
});

it("no session that a handler can reach can bypass the session handle of its call (AD-60)", async () => {
  const app = new Session({ id: "app", slices: [Notes] });
  const session = new Session({ id: "run", slices: [Notes], parent: app });
  const sibling = new Session({ id: "below", slices: [Notes], parent: session });
  const codes: unknown[] = [];
  const { call } = agent({
    session,
    tools: [
      tool("set", ({ session: handle }) => {
        const { parent } = handle;
        const [child] = handle.children;
        expect([parent?.id, parent?.parent, child?.id]).toEqual(["app", undefined, "below"]);
        expect(handle.parent).toBe(parent);
        for (const reached of [parent, child, child?.parent]) {
          expect([session, app, sibling]).not.toContain(reached);
          codes.push(codeOf(() => reached?.dispatch(Note({ text: "x" }))));
          codes.push(codeOf(() => reached?.slice(Notes).append({ text: "x" })));
          codes.push(codeOf(() => reached?.install(LateNotes)));
          codes.push(codeOf(() => reached?.restore(reached.snapshot())));
          codes.push(codeOf(() => reached?.reset()));
          codes.push(codeOf(() => reached?.hold()));
          codes.push(codeOf(() => reached?.close()));
        }
        return failed();
      }),
    ],
  });
  app.dispatch(Note({ text: "of the app" }));
  await call("set");
  expect(codes).toEqual(Array.from({ length: 21 }, () => "SESSION_BUSY"));
  for (const each of [session, sibling]) expect(each.slice(Notes).all()).toEqual([]);
  expect(app.slice(Notes).all()).toEqual([{ text: "of the app" }]);
});

it("a handler can read the parents of its session (AD-60)", async () => {
  const app = new Session({ slices: [Notes] });
  app.dispatch(Note({ text: "of the app" }));
  const seen: unknown[] = [];
  const { call } = agent({
    session: new Session({ slices: [Notes], parent: app }),
    tools: [
      tool("look", ({ session: { parent } }) => {
        seen.push(parent?.slice(Notes).all(), parent?.sequence);
        return done();
      }),
    ],
  });
  expect((await call("look")).status).toBe("succeeded");
  expect(seen).toEqual([[{ text: "of the app" }], 1]);
});

it("a call that has ended installs no slices, and reads a copy (AD-60)", async () => {
  let kept: ToolContext["session"] | undefined;
  const { call, session } = agent({
    tools: [
      tool("set", (context) => {
        kept = context.session;
        context.session.install(Notes);
        context.session.dispatch(Note({ text: "kept" }));
        return done();
      }),
    ],
  });
  await call("set");
  const slices = () => Object.keys(session.toJSON().slices);
  const before = slices();
  expect(codeOf(() => kept?.install(LateNotes))).toBe("SESSION_CLOSED");
  expect(codeOf(() => kept?.hold())).toBe("SESSION_CLOSED");
  expect(codeOf(() => kept?.slice(LateNotes).append({ text: "late" }))).toBe("SESSION_CLOSED");
  expect(kept?.slice(LateNotes).all()).toEqual([]);
  expect(kept?.slice(Notes).all()).toEqual([{ text: "kept" }]);
  expect(slices()).toEqual(before);
});

function codeOf(work: () => unknown): string {
  try {
    work();
    return "done";
  } catch (error) {
    if (isSessionError(error)) return error.code;
    throw error;
  }
}
