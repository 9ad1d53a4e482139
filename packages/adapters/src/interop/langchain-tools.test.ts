import { ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { editor, PIXEL } from "../mcp/editor.test.support.js";
import { toLangChainTools } from "./langchain-tools.js";

async function tools() {
  const made = editor();
  const list = await toLangChainTools(made.prompt, made.session);
  const call = async (name: string, args: object = {}, signal?: AbortSignal) => {
    const tool = list.find((each) => each.name === name);
    const request = { type: "tool_call" as const, id: `id-${name}`, name, args };
    const answer: unknown = await tool?.invoke(request, signal && { signal });
    if (!(answer instanceof ToolMessage)) throw new Error("not a message");
    return answer;
  };
  return { ...made, list, call };
}

describe("toLangChainTools", () => {
  it("converts each tool with its schema (AD-149)", async () => {
    const { list } = await tools();
    const addLine = list.find(({ name }) => name === "add_line");
    expect(addLine?.description).toContain("Put a line at the end of a.txt.");
    expect(addLine?.schema).toMatchObject({ type: "object", required: ["text"] });
  });

  it("commits a call, and rolls back a failed one with a message of status error (AD-149)", async () => {
    const { call, content, events } = await tools();
    const added = await call("add_line", { text: "one" });
    expect(added).toMatchObject({ status: "success", tool_call_id: "id-add_line" });
    expect(added.content).toContain("There are 1 lines.");
    const broken = await call("break_file");
    expect(broken.status).toBe("error");
    expect(broken.content).toContain("undone: changes to 'a.txt'");
    expect([await content(), events()]).toEqual(["one\n", ["one"]]);
  });

  it("returns images, and rolls back an aborted call (AD-149)", async () => {
    const { call, content, events } = await tools();
    expect((await call("draw")).content).toEqual([
      { type: "text", text: "A pixel." },
      { type: "image", mimeType: "image/png", data: PIXEL },
    ]);
    const stop = new AbortController();
    const hanging = call("hang", {}, stop.signal).catch(() => undefined);
    await expect.poll(events, { timeout: 60_000 }).toEqual(["half"]);
    stop.abort();
    await hanging;
    await expect.poll(content, { timeout: 60_000 }).toBe("");
  });
});
