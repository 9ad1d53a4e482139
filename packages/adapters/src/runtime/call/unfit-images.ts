import type { CallLimits } from "../context/limits.js";

const MEDIA_TYPES: readonly unknown[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What is wrong with the pictures of a result, or `undefined` when a model can be shown them. */
export function describeUnfitImages(images: unknown, limits: CallLimits): string | undefined {
  if (!Array.isArray(images)) return "answered with pictures that are no list";
  if (images.length > limits.maxImages)
    return `answered with ${images.length} pictures, and ${limits.maxImages} are the most`;
  for (const image of images as readonly unknown[]) {
    if (typeof image !== "object" || image === null || !("data" in image))
      return "answered with a picture that has no data";
    const { data } = image;
    if (!("mediaType" in image) || !MEDIA_TYPES.includes(image.mediaType))
      return `answered with a picture that is none of ${MEDIA_TYPES.join(", ")}`;
    if (typeof data !== "string" || data.length % 4 !== 0)
      return "answered with a picture that is not in base64";
    // Before the characters are looked at, so that what is too large costs nothing.
    const sizeBytes = (data.length / 4) * 3;
    if (sizeBytes > limits.maxImageBytes)
      return `answered with a picture of ${sizeBytes} bytes, and ${limits.maxImageBytes} are the most`;
    if (!BASE64.test(data)) return "answered with a picture that is not in base64";
  }
  return undefined;
}
