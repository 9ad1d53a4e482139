import { ok, type ToolImage } from "@wink/prompt";
import { expect, it } from "vitest";
import { agent, change, tool } from "../runtime/call/agent.test.support.js";
import { PIXEL } from "./writer.test.support.js";

const pixel: ToolImage = { mediaType: "image/png", data: PIXEL };

it("keeps the pictures of a result (AD-26)", async () => {
  const { call } = agent({ tools: [tool("draw", () => ok(1, "Drawn.", { images: [pixel] }))] });
  expect(await call("draw")).toMatchObject({ result: { success: true, images: [pixel] } });
});

it.each([
  { what: "too many", images: [pixel, pixel, pixel], says: "3 pictures, and 2 are the most" },
  {
    what: "too large",
    images: [{ ...pixel, data: "A".repeat(400) }],
    says: "a picture of 300 bytes, and 200 are the most",
  },
  {
    what: "of an unknown kind",
    images: [{ mediaType: "image/svg+xml", data: PIXEL }],
    says: "a picture that is none of image/png",
  },
  { what: "not in base64", images: [{ ...pixel, data: "<svg" }], says: "not in base64" },
  { what: "without data", images: [{ mediaType: "image/png" }], says: "has no data" },
  { what: "no list", images: "image", says: "no list" },
])("fails and undoes a call whose pictures are $what (AD-26)", async ({ images, says }) => {
  // What a handler answers with may be anything here: that is what is tested.
  const draw = change("new", () => ({ ...ok(1, "Drawn."), images }));
  const { call, content } = agent({ tools: [tool("draw", draw)] });
  const outcome = await call("draw", {}, { limits: { maxImages: 2, maxImageBytes: 200 } });
  expect(outcome).toMatchObject({ status: "failed", rolledBack: true });
  expect(outcome.text).toContain(says);
  expect(await content()).toBe("old");
});
