// A custom section over a custom backend: the tickets of a tracker as files.
// Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { createToolContext } from "@wink/prompt/testing";
import { fileHandlers } from "@wink/tools";
import type { Ticket } from "./ticket-driver.js";
import { TicketSection } from "./ticket-section.js";

const tickets = new Map<string, Ticket>([
  ["T-1", { id: "T-1", status: "open", text: "The door sticks.\n" }],
  ["T-2", { id: "T-2", status: "open", text: "The bell is broken.\n" }],
]);
const section = new TicketSection(tickets);
const prompt = new Prompt(
  new PromptTemplate({ ns: "examples", key: "janitor", sections: [section] }),
);
assert.equal(prompt.filesystem(), section.filesystem);

// The handlers of the file tools work on any filesystem, and so on tickets.
const context = createToolContext({ prompt: prompt.bind(), filesystem: section.filesystem });
const path = "open/T-2.md";
const listed = await fileHandlers.ls({ path: "open", offset: 0 }, context);
const found = await fileHandlers.glob({ pattern: "T-*", path: "open", offset: 0 }, context);
const read = await fileHandlers.readFile({ path, offset: 0 }, context);
const edited = await fileHandlers.editFile(
  { path, old_string: "broken", new_string: "silent", replace_all: false },
  context,
);
for (const { message } of [listed, found, read, edited]) console.log(message);
assert.equal(tickets.get("T-2")?.text, "The bell is silent.\n");

const close = section.tools.find((tool) => tool.name === "close_ticket");
const closed = await close?.handler({ id: "T-2", remark: "a new battery" }, context);
console.log(closed?.message);
assert.deepEqual(tickets.get("T-2"), {
  id: "T-2",
  status: "closed",
  text: "The bell is silent.\n\nClosed: a new battery\n",
});
