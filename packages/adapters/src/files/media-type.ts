/** Media types by the ending of a file name. Everything else is text. */
const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  heic: "image/heic",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  tiff: "image/tiff",
  webp: "image/webp",
  aac: "audio/aac",
  flac: "audio/flac",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  wav: "audio/wav",
  avi: "video/x-msvideo",
  mov: "video/quicktime",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  webm: "video/webm",
  pdf: "application/pdf",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ppt: "application/vnd.ms-powerpoint",
  zip: "application/zip",
  gz: "application/gzip",
  tar: "application/x-tar",
  wasm: "application/wasm",
  bin: "application/x-binary",
  dat: "application/x-binary",
  dll: "application/x-binary",
  exe: "application/x-binary",
  so: "application/x-binary",
  svg: "image/svg+xml",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

const TEXT_TYPES = ["text/plain", "image/svg+xml"];

export function mediaTypeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return TYPES[ending] ?? "text/plain";
}

export function isTextType(mediaType: string): boolean {
  return TEXT_TYPES.includes(mediaType);
}
