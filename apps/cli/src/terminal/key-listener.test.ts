import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { KeyListener } from "./key-listener.js";

it("text that the person types during a turn starts the next message, without Enter and without control characters (MD-18)", () => {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const keys = new KeyListener(input);
  let escaped = 0;
  const release = keys.listen(() => escaped++);
  for (const text of ["h", "x", "\x7f", "é", "\r", " ", "y", "\t"]) input.write(text);
  input.emit("keypress", "\x1b", { name: "escape" });
  expect(escaped).toBe(1);
  expect(keys.takeTyped()).toBe("hé y");
  expect(keys.takeTyped()).toBe("");
  release();
});
