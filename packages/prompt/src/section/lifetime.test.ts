import { expect, it } from "vitest";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { MarkdownSection } from "./markdown-section.js";
import type { AnySection } from "./section.js";

it("a prompt opens and closes every section in order, including nested and disabled ones (PR-11)", async () => {
  const { log, section } = setup();
  const inner = section("b", {}, [section("c")]);
  {
    await using prompt = promptOf(section("a"), inner, section("d"));
    await prompt.open();
    await prompt.open();
  }
  expect(log).toEqual([
    ..."abcd".split("").map((key) => `open ${key}`),
    ..."abcd".split("").map((key) => `close ${key}`),
  ]);
});

it("close closes sections that were never opened, once (PR-11)", async () => {
  const { log, section } = setup();
  const prompt = promptOf(section("a"));
  await prompt.close();
  await prompt.close();
  expect(log).toEqual(["close a"]);
});

it("close closes all sections if one fails, and throws that error (PR-11)", async () => {
  const { log, section } = setup();
  const prompt = promptOf(section("a"), section("b", { failsToClose: true }), section("c"));
  await expect(prompt.close()).rejects.toThrow(new Error("b cannot close"));
  expect(log).toEqual(["close a", "close b", "close c"]);
});

it("close throws an AggregateError if several sections fail (PR-11)", async () => {
  const { section } = setup();
  const prompt = promptOf(
    section("a", { failsToClose: true }),
    section("b", { failsToClose: true }),
  );
  const error = await prompt.close().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AggregateError);
  expect((error as AggregateError).errors.map(String)).toEqual([
    "Error: a cannot close",
    "Error: b cannot close",
  ]);
});

it("open opens all sections or none (PR-11)", async () => {
  const { log, section } = setup();
  const prompt = promptOf(section("a"), section("b"), section("c", { failsToOpen: true }));
  await expect(prompt.open()).rejects.toThrow("c cannot open");
  expect(log).toEqual(["open a", "open b", "open c", "close b", "close a"]);
});

it("concurrent calls of open and close wait until the sections are open (PR-11)", async () => {
  const { log, section } = setup();
  const prompt = promptOf(section("a"), section("b"));
  const [first, second] = [prompt.open(), prompt.open()];
  const closing = prompt.close();
  await Promise.all([first, second, closing]);
  expect(log).toEqual(["open a", "open b", "close a", "close b"]);
});

it("a section in two places is opened and closed once (PR-11)", async () => {
  const { log, section } = setup();
  const shared = section("a");
  const prompt = promptOf(section("x", {}, [shared]), section("y", {}, [shared]));
  await prompt.open();
  await prompt.close();
  expect(log.filter((line) => line.endsWith(" a"))).toEqual(["open a", "close a"]);
});

it("a closed prompt cannot be opened (PR-11)", async () => {
  const { section } = setup();
  const prompt = promptOf(section("a"));
  await prompt.close();
  await expect(prompt.open()).rejects.toThrow("prompt 'tests/lifetime': it is closed.");
});

it("a section shared with clones stays open until the last prompt is closed (PR-12)", async () => {
  const { log, section } = setup();
  const prompt = promptOf(section("a"));
  await prompt.open();
  const clone = await prompt.clone();
  const cloneOfClone = await clone.clone();
  await prompt.close();
  await clone.close();
  expect(log).toEqual(["open a"]);
  await cloneOfClone.close();
  expect(log).toEqual(["open a", "close a"]);
});

it("a prompt that was never opened keeps the sections that it shares with a clone (PR-12)", async () => {
  const { log, section } = setup();
  const prompt = promptOf(section("a"));
  await (await prompt.clone()).close();
  expect(log).toEqual(["open a"]);
  await prompt.close();
  expect(log).toEqual(["open a", "close a"]);
  await expect(prompt.clone()).rejects.toThrow("it is closed");
});

it("a clone that cannot be opened closes its forks and nothing else (PR-12)", async () => {
  const { log, section } = setup();
  const [shared, forking] = [section("a"), section("b")];
  const fork = section("fork", { failsToOpen: true });
  forking.clone = () => fork;
  const prompt = promptOf(shared, forking);
  await expect(prompt.clone()).rejects.toThrow("fork cannot open");
  expect(log).toEqual(["open a", "open b", "open fork", "close fork"]);
});

it("a prompt that never opened a section does not close it for another prompt (PR-12)", async () => {
  const { log, section } = setup();
  const template = new PromptTemplate({ ns: "tests", key: "two", sections: [section("a")] });
  const [user, bystander] = [new Prompt(template), new Prompt(template)];
  await user.open();
  await bystander.close();
  expect(log).toEqual(["open a"]);
  await user.close();
  expect(log).toEqual(["open a", "close a"]);
});

it("a section that several prompts open concurrently is opened once (PR-12)", async () => {
  const { log, section } = setup();
  const template = new PromptTemplate({ ns: "tests", key: "many", sections: [section("a")] });
  const prompts = Array.from({ length: 20 }, () => new Prompt(template));
  await Promise.all(prompts.map((prompt) => prompt.open()));
  await Promise.all(prompts.map((prompt) => prompt.close()));
  expect(log).toEqual(["open a", "close a"]);
});

interface Behaviour {
  readonly failsToOpen?: boolean;
  readonly failsToClose?: boolean;
}

function setup() {
  const log: string[] = [];
  class Logged extends MarkdownSection<string, undefined, unknown, readonly AnySection[]> {
    behaviour: Behaviour = {};

    override async open() {
      log.push(`open ${this.key}`);
      await Promise.resolve();
      if (this.behaviour.failsToOpen) throw new Error(`${this.key} cannot open`);
    }

    override async close() {
      log.push(`close ${this.key}`);
      await Promise.resolve();
      if (this.behaviour.failsToClose) throw new Error(`${this.key} cannot close`);
    }
  }
  const section = (
    key: string,
    behaviour: Behaviour = {},
    children: readonly AnySection[] = [],
  ): AnySection => {
    const made = new Logged({ key, title: key, template: "", children, enabled: key !== "c" });
    made.behaviour = behaviour;
    return made;
  };
  return { log, section };
}

function promptOf(...sections: readonly AnySection[]) {
  return new Prompt(new PromptTemplate({ ns: "tests", key: "lifetime", sections }));
}
