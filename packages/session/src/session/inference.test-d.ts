import type { StandardSchemaV1 } from "@standard-schema/spec";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { loadSnapshot, saveSnapshot } from "../file.js";
import {
  appendAll,
  type Dispatcher,
  defineEvent,
  defineSlice,
  defineState,
  type EventTrail,
  InProcessDispatcher,
  isSessionError,
  iterSessions,
  type JsonObject,
  type ListSlice,
  type RecordedEvent,
  replaceLatest,
  replaceLatestBy,
  Session,
  type SessionEvent,
  type SessionHold,
  SessionSnapshot,
  type SliceToken,
  type SnapshotJson,
  type StateSlice,
  type StateToken,
  upsertBy,
} from "../index.js";
import { followLog, type LogRecord, replayLog, SessionLog } from "../jsonl.js";

const StepSchema = z.object({ id: z.number(), title: z.string(), details: z.string().default("") });
type Step = z.infer<typeof StepSchema>;

// defineEvent: the payload is the schema's input for the maker and its output for everyone else.
const AddStep = defineEvent("plan.add-step", StepSchema);
expectTypeOf(AddStep).parameters.toEqualTypeOf<
  [payload: { id: number; title: string; details?: string | undefined }]
>();
expectTypeOf(AddStep({ id: 1, title: "x" })).toEqualTypeOf<SessionEvent<"plan.add-step", Step>>();
expectTypeOf(AddStep.type).toEqualTypeOf<"plan.add-step">();
expectTypeOf(AddStep.schema).toEqualTypeOf<typeof StepSchema>();
// @ts-expect-error a title is missing
AddStep({ id: 1 });
// @ts-expect-error a title is a string
AddStep({ id: 1, title: 2 });
// @ts-expect-error unknown property
AddStep({ id: 1, title: "x", extra: true });
// @ts-expect-error a payload is needed
AddStep();
// @ts-expect-error events are made by calling, not with new
new AddStep({ id: 1, title: "x" });
// @ts-expect-error a type is a string
defineEvent(7, StepSchema);
// @ts-expect-error a schema is needed
defineEvent("plan.nothing");
const lengthSchema = z.string().transform((text) => text.length);
// @ts-expect-error a schema that cannot read its own output
defineEvent("plan.length", lengthSchema);

// An optional payload.
const Tick = defineEvent("tick", z.object({ by: z.number().default(1) }).prefault({}));
expectTypeOf(Tick()).toEqualTypeOf<SessionEvent<"tick", { by: number }>>();

// Any Standard Schema.
declare const foreign: StandardSchemaV1<string | number, string>;
const Named = defineEvent("named", foreign);
expectTypeOf(Named).parameters.toEqualTypeOf<[payload: string | number]>();
expectTypeOf(Named("x").payload).toEqualTypeOf<string>();

// is narrows.
declare const recorded: RecordedEvent;
expectTypeOf(recorded.payload).toEqualTypeOf<unknown>();
if (AddStep.is(recorded)) {
  expectTypeOf(recorded.payload.title).toEqualTypeOf<string>();
  expectTypeOf(recorded.type).toEqualTypeOf<"plan.add-step">();
  expectTypeOf(recorded.sequence).toEqualTypeOf<number>();
}

// defineSlice: reducers get the items and the event's payload.
const Steps = defineSlice({
  name: "steps",
  schema: StepSchema,
  policy: "log",
  version: 2,
  migrate(stored, fromVersion) {
    expectTypeOf(stored).toEqualTypeOf<unknown>();
    expectTypeOf(fromVersion).toEqualTypeOf<number>();
    return stored;
  },
  reducers: (on) => [
    on(AddStep, appendAll),
    on(AddStep, replaceLatest),
    on(AddStep, upsertBy("id")),
    on(
      AddStep,
      upsertBy((step) => step.id),
    ),
    on(AddStep, replaceLatestBy("title")),
    on(
      AddStep,
      replaceLatestBy((step) => step.title),
    ),
    on(Named, (steps, name) => {
      expectTypeOf(steps).toEqualTypeOf<readonly Step[]>();
      expectTypeOf(name).toEqualTypeOf<string>();
      return steps.filter((step) => step.title !== name);
    }),
    // @ts-expect-error only a payload that is an item can be appended
    on(Named, appendAll),
    // @ts-expect-error only a payload that is an item can replace one
    on(Named, replaceLatest),
    // @ts-expect-error unknown key property
    on(AddStep, upsertBy("name")),
    // @ts-expect-error unknown key property
    on(AddStep, replaceLatestBy("name")),
    // @ts-expect-error one item is not a list
    on(AddStep, (_, step) => step),
    // @ts-expect-error an item of the wrong type
    on(AddStep, (steps) => [...steps, { id: "1", title: "x", details: "" }]),
    // @ts-expect-error a promise is not a list
    on(AddStep, async (steps) => steps),
    on(AddStep, (steps, step) => {
      // @ts-expect-error items are readonly
      steps.push(step);
      return steps;
    }),
    // @ts-expect-error only an event can be reduced
    on("plan.add-step", appendAll),
  ],
});
expectTypeOf(Steps).toEqualTypeOf<SliceToken<"steps", Step>>();
// @ts-expect-error unknown policy
defineSlice({ name: "a", schema: StepSchema, policy: "keep" });
// @ts-expect-error a slice has a schema
defineSlice({ name: "b" });
// @ts-expect-error a slice has a name
defineSlice({ schema: StepSchema });
// @ts-expect-error the schema must accept its own output
defineSlice({ name: "c", schema: z.string().transform(Number) });

// defineState: one value.
type Plan = z.infer<typeof PlanSchema>;
const PlanSchema = z.object({ objective: z.string(), status: z.enum(["active", "completed"]) });
const Plan = defineState({
  name: "plan",
  schema: PlanSchema,
  initial: { objective: "", status: "active" },
  reducers: (on) => [
    on(AddStep, (plan, step) => {
      expectTypeOf(plan).toEqualTypeOf<Plan>();
      expectTypeOf(step).toEqualTypeOf<Step>();
      return { ...plan, objective: step.title };
    }),
    // @ts-expect-error a value of the wrong type
    on(AddStep, () => ({ objective: 1, status: "active" })),
    // @ts-expect-error unknown status
    on(AddStep, (plan) => ({ ...plan, status: "lost" })),
    // @ts-expect-error a reducer returns a value
    on(AddStep, () => {}),
  ],
});
expectTypeOf(Plan).toEqualTypeOf<StateToken<"plan", Plan>>();
expectTypeOf(Plan.initial).toEqualTypeOf<Plan>();
// @ts-expect-error an initial value of the wrong type
defineState({ name: "d", schema: PlanSchema, initial: { objective: "" } });
// @ts-expect-error an initial value is needed
defineState({ name: "e", schema: PlanSchema });

// A registration of one slice cannot be used for another.
defineSlice({
  name: "f",
  schema: z.number(),
  // @ts-expect-error these reducers are for a list of steps
  reducers: () => {
    const taken: ReturnType<
      Parameters<typeof defineSlice<"g", typeof StepSchema>>[0]["reducers"] & {}
    > = [];
    return taken;
  },
});

// The session.
const session = new Session({
  id: "s",
  tags: { a: "b" },
  clock: () => 0,
  dispatcher: new InProcessDispatcher(),
  slices: [Steps, Plan],
  maxEvents: 1,
  maxChainedEvents: 1,
});
new Session();
new Session({ parent: session });
// @ts-expect-error tags are strings
new Session({ tags: { a: 1 } });
// @ts-expect-error a parent is a session
new Session({ parent: "s" });
// @ts-expect-error slices are tokens
new Session({ slices: [AddStep] });
expectTypeOf(session.id).toEqualTypeOf<string>();
expectTypeOf(session.parent).toEqualTypeOf<Session | undefined>();
expectTypeOf(session.children).toEqualTypeOf<readonly Session[]>();
expectTypeOf(session.dispatcher).toEqualTypeOf<Dispatcher>();
expectTypeOf(session.sequence).toEqualTypeOf<number>();

expectTypeOf(session.dispatch(AddStep({ id: 1, title: "x" }))).toEqualTypeOf<
  RecordedEvent<"plan.add-step", Step>
>();
session.dispatch(Tick(), { meta: { toolCallId: "c" } });
// @ts-expect-error the token is not the event
session.dispatch(AddStep);
// @ts-expect-error meta is an object
session.dispatch(Tick(), { meta: "c" });

const steps = session.slice(Steps);
expectTypeOf(steps).toEqualTypeOf<ListSlice<Step>>();
expectTypeOf(steps.latest()).toEqualTypeOf<Step | undefined>();
expectTypeOf(steps.all()).toEqualTypeOf<readonly Step[]>();
expectTypeOf(steps.at(0)).toEqualTypeOf<Step | undefined>();
expectTypeOf(steps.size).toEqualTypeOf<number>();
expectTypeOf(steps.where((step) => step.id > 1)).toEqualTypeOf<readonly Step[]>();
type First = Step & { id: 1 };
expectTypeOf(steps.where((step): step is First => step.id === 1)).toEqualTypeOf<readonly First[]>();
expectTypeOf([...steps]).toEqualTypeOf<Step[]>();
steps.seed([{ id: 1, title: "x", details: "" }]);
steps.seed({ id: 1, title: "x", details: "" });
steps.append({ id: 1, title: "x", details: "" });
steps.clear();
steps.clear((step) => step.id === 1);
steps.register(Named, (items, name) => items.filter((item) => item.title === name));
steps.register(AddStep, appendAll);
// @ts-expect-error a string is not a step
steps.append("x");
// @ts-expect-error a string is not a step
steps.seed(["x"]);
// @ts-expect-error a predicate returns a boolean
steps.where(() => "yes");
// @ts-expect-error size is read-only
steps.size = 1;
// @ts-expect-error the payload is not a step
steps.register(Named, appendAll);

const plan = session.slice(Plan);
expectTypeOf(plan).toEqualTypeOf<StateSlice<Plan>>();
expectTypeOf(plan.latest()).toEqualTypeOf<Plan | undefined>();
expectTypeOf(session.state(Plan)).toEqualTypeOf<Plan>();
plan.seed({ objective: "x", status: "active" });
plan.register(Named, (value, name) => ({ ...value, objective: name }));
// @ts-expect-error a state takes one value
plan.seed([{ objective: "x", status: "active" }]);
// @ts-expect-error a state's reducer returns a value, not a list
plan.register(Named, (value) => [value]);
// @ts-expect-error a list has no state
session.state(Steps);
// @ts-expect-error an event is not a slice
session.slice(AddStep);
expectTypeOf(session.install(Steps, Plan)).toEqualTypeOf<Session>();
// @ts-expect-error an event cannot be installed
session.install(AddStep);

// The trail.
expectTypeOf(session.events).toEqualTypeOf<EventTrail>();
expectTypeOf(session.events.of(AddStep)).toEqualTypeOf<
  readonly RecordedEvent<"plan.add-step", Step>[]
>();
expectTypeOf(session.events.at(-1)).toEqualTypeOf<RecordedEvent | undefined>();
expectTypeOf(recorded.meta).toEqualTypeOf<JsonObject | undefined>();
expectTypeOf(recorded.rolledBack?.reason).toEqualTypeOf<string | undefined>();
// @ts-expect-error the trail is read-only
session.events.add(recorded);

// Snapshots.
expectTypeOf(session.snapshot()).toEqualTypeOf<SessionSnapshot>();
expectTypeOf(session.snapshot().toJSON()).toEqualTypeOf<SnapshotJson>();
expectTypeOf(session.toJSON()).toEqualTypeOf<SnapshotJson>();
expectTypeOf(session.restore(session.snapshot(), { reason: "x" })).toEqualTypeOf<void>();
expectTypeOf(Session.fromSnapshot("{}", { slices: [Plan] })).toEqualTypeOf<Session>();
expectTypeOf(SessionSnapshot.parse("{}")).toEqualTypeOf<SessionSnapshot>();
expectTypeOf(session.clone({ id: "t" })).toEqualTypeOf<Session>();
expectTypeOf(session.hold()).toEqualTypeOf<SessionHold>();
expectTypeOf(iterSessions(session)).toEqualTypeOf<Generator<Session, void>>();
expectTypeOf(session.reset()).toEqualTypeOf<void>();
// @ts-expect-error a reason is a string
session.restore(session.snapshot(), { reason: 1 });

// Observers.
const dispatcher = new InProcessDispatcher({ onError: (_error, event) => event.sequence });
expectTypeOf(
  dispatcher.subscribe(AddStep, (event, from) => {
    expectTypeOf(event).toEqualTypeOf<RecordedEvent<"plan.add-step", Step>>();
    expectTypeOf(from).toEqualTypeOf<Session>();
  }),
).toEqualTypeOf<() => void>();
dispatcher.subscribe((event) => expectTypeOf(event).toEqualTypeOf<RecordedEvent>());
// @ts-expect-error a step has no name
dispatcher.subscribe(AddStep, (event) => event.payload.name);
// @ts-expect-error an observer is needed
dispatcher.subscribe("plan.add-step");

// Errors.
declare const caught: unknown;
if (isSessionError(caught, "SESSION_BUSY")) {
  expectTypeOf(caught.code).not.toEqualTypeOf<string>();
  expectTypeOf(caught.path).toEqualTypeOf<string | undefined>();
}
// @ts-expect-error unknown code
isSessionError(caught, "session_tired");

// Logs and files.
expectTypeOf(
  SessionLog.open("x", { slices: [Plan], fsync: true }),
).resolves.toEqualTypeOf<SessionLog>();
expectTypeOf(replayLog("x", { slices: [Plan], upTo: 3 })).resolves.toEqualTypeOf<Session>();
expectTypeOf(followLog("x")).toEqualTypeOf<AsyncGenerator<LogRecord, void>>();
expectTypeOf(saveSnapshot("x", session)).resolves.toEqualTypeOf<void>();
expectTypeOf(loadSnapshot("x")).resolves.toEqualTypeOf<SessionSnapshot>();
// @ts-expect-error a log is opened, not constructed
new SessionLog();
// @ts-expect-error upTo is a number
replayLog("x", { upTo: "3" });
