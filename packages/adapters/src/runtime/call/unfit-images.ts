import type { CallLimits } from "../context/limits.js";

const MEDIA_TYPES: readonly unknown[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Describes the problem with the images of a result, or returns `undefined` if they are valid.
 */
export function describeUnfitImages(images: unknown, limits: CallLimits): string | undefined {
  if (!Array.isArray(images)) return "returned images that are not an array";
  if (images.length > limits.maxImages)
    return `returned ${images.length} images; at most ${limits.maxImages} are allowed`;
  for (const image of images as readonly unknown[]) {
    if (typeof image !== "object" || image === null || !("data" in image))
      return "returned an image without data";
    const { data } = image;
    if (!("mediaType" in image) || !MEDIA_TYPES.includes(image.mediaType))
      return `returned an image that is not one of ${MEDIA_TYPES.join(", ")}`;
    if (typeof data !== "string" || data.length % 4 !== 0)
      return "returned an image that is not base64";
    // Check the size before the characters, so that an oversized image costs nothing.
    const sizeBytes = (data.length / 4) * 3;
    if (sizeBytes > limits.maxImageBytes)
      return `returned an image of ${sizeBytes} bytes; at most ${limits.maxImageBytes} are allowed`;
    if (!BASE64.test(data)) return "returned an image that is not base64";
  }
  return undefined;
}
