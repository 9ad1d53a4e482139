import { InMemoryFilesystem } from "@wink/filesystem";
import { type AnySection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import {
  PlanningToolsSection,
  SnapshotToolsSection,
  VfsToolsSection,
  WorkspaceDigestSection,
} from "../index.js";
import { PythonSection } from "../python.js";

const session = new Session();
const engine = {
  name: "none",
  description: "",
  run: () => Promise.reject(new Error("unused")),
  close: async () => {},
};
type Options = { readonly acceptsOverrides?: boolean };

const SECTIONS: Readonly<Record<string, (options: Options) => AnySection | Promise<AnySection>>> = {
  vfs: (options) =>
    VfsToolsSection.create({ session, filesystem: new InMemoryFilesystem(), ...options }),
  planning: (options) => new PlanningToolsSection({ session, ...options }),
  snapshots: (options) => new SnapshotToolsSection(options),
  python: (options) => new PythonSection({ engine, ...options }),
  "workspace-digest/placeholder": (options) =>
    new WorkspaceDigestSection({ session, onWarning: () => {}, ...options }),
};

it("PythonSection is closed with its session (TL-53)", async () => {
  const own = new Session();
  let closed = 0;
  const close = async () => void closed++;
  new PythonSection({ session: own, engine: { ...engine, close } });
  await own.close();
  expect(closed).toBe(1);
});

describe.each(Object.entries(SECTIONS))("the section %s", (path, create) => {
  it.each([
    [{}, "refused"],
    [{ acceptsOverrides: false }, "refused"],
    [{ acceptsOverrides: true }, "applied"],
  ] as const)("with %j: an override is %s (TL-14)", async (options, status) => {
    const sections = [await create(options)];
    const template = new PromptTemplate({ ns: "tests", key: "overrides", sections });
    const hash = template.descriptor.sections.find((each) => each.path === path)?.hash ?? "";
    const overrides = {
      ...{ ns: "tests", key: "overrides", tools: [] },
      sections: [{ path, hash, text: "Other." }],
    };
    const prompt = new Prompt(template, { overrides });
    expect(prompt.overrides).toEqual([{ kind: "section", target: path, status }]);
  });
});
