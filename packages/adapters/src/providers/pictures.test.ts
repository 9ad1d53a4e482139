import { ok, type ToolImage } from "@wink/prompt";
import { expect, it } from "vitest";
import { agent, change, tool } from "../runtime/call/agent.test.support.js";
import { PIXEL } from "./writer.test.support.js";

const pixel: ToolImage = { mediaType: "image/png", data: PIXEL };

it("a result keeps its images (AD-26)", async () => {
  const { call } = agent({ tools: [tool("draw", () => ok(1, "Drawn.", { images: [pixel] }))] });
  expect(await call("draw")).toMatchObject({ result: { success: true, images: [pixel] } });
});

it.each([
  { what: "too many", images: [pixel, pixel, pixel], says: "3 images; at most 2 are allowed" },
  {
    what: "too large",
    images: [{ ...pixel, data: "A".repeat(400) }],
    says: "an image of 300 bytes; at most 200 are allowed",
  },
  {
    what: "of an unknown kind",
    images: [{ mediaType: "image/svg+xml", data: PIXEL }],
    says: "an image that is not one of image/png",
  },
  { what: "not in base64", images: [{ ...pixel, data: "<svg" }], says: "not base64" },
  { what: "without data", images: [{ mediaType: "image/png" }], says: "without data" },
  { what: "not an array", images: "image", says: "not an array" },
])("rolls back a call whose images are $what (AD-26)", async ({ images, says }) => {
  // The handler deliberately returns invalid values.
  const draw = change("new", () => ({ ...ok(1, "Drawn."), images }));
  const { call, content } = agent({ tools: [tool("draw", draw)] });
  const outcome = await call("draw", {}, { limits: { maxImages: 2, maxImageBytes: 200 } });
  expect(outcome).toMatchObject({ status: "failed", rolledBack: true });
  expect(outcome.text).toContain(says);
  expect(await content()).toBe("old");
});
