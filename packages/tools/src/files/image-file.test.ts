import { InMemoryFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import { expect, it } from "vitest";
import { fileHandlers } from "./file-tools.js";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

async function read(bytes: readonly number[]) {
  const filesystem = new InMemoryFilesystem();
  await filesystem.writeBytes("a file", Uint8Array.from(bytes));
  const context = createToolContext({ filesystem });
  return await fileHandlers.readFile({ path: "a file", offset: 0 }, context);
}

it.each([
  { kind: "PNG", bytes: [...PNG, 0, 1] },
  { kind: "JPEG", bytes: [0xff, 0xd8, 0xff, 0xe0] },
  { kind: "GIF", bytes: [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0xff] },
  { kind: "WEBP", bytes: [0x52, 0x49, 0x46, 0x46, 0xff, 0, 0, 0, 0x57, 0x45, 0x42, 0x50] },
])("read_file shows a $kind file whatever its name is (MD-5)", async ({ kind, bytes }) => {
  const result = await read(bytes);
  expect(result.message).toBe(`'a file' is a ${kind} image of ${bytes.length} bytes.`);
  expect(result).toMatchObject({
    images: [
      { mediaType: `image/${kind.toLowerCase()}`, data: Buffer.from(bytes).toString("base64") },
    ],
  });
});

it("read_file shows an image of a megabyte exactly, and refuses one over 5 MB (MD-5)", async () => {
  const bytes = Array.from({ length: 1_000_000 }, (_, index) => PNG[index] ?? index % 256);
  const result = await read(bytes);
  expect(result).toMatchObject({ images: [{ data: Buffer.from(bytes).toString("base64") }] });
  const filesystem = new InMemoryFilesystem();
  await filesystem.writeBytes("big.png", Uint8Array.from([...PNG, ...new Uint8Array(5_000_000)]));
  const refused = await fileHandlers.readFile(
    { path: "big.png", offset: 0 },
    createToolContext({ filesystem }),
  );
  expect(refused.message).toBe("'big.png' is an image of 5 MB; read_file shows at most 5 MB.");
});

it("read_file refuses other binary files as before (MD-5)", async () => {
  expect(await read([0xff, 0, 1])).toMatchObject({ success: false });
});
