import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { describeKind } from "@wink/filesystem/internal";
import type { ConversationMessage, ToolImage, UserMessage } from "@wink/prompt";
import { invalid } from "../context/require-options.js";
import type { ModelMessage } from "./model-client.js";

const ROLES = ["user", "assistant", "tool"];
const IMAGES: Readonly<Record<string, ToolImage["mediaType"]>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** The messages of `evaluate` as the model gets them, with the contents of their files. */
export async function startMessages(
  given: readonly ConversationMessage[],
  filesystem: Filesystem | undefined,
): Promise<readonly ModelMessage[]> {
  if (!Array.isArray(given))
    throw invalid("messages", `expected an array, got ${describeKind(given)}.`);
  const messages: ModelMessage[] = [];
  for (const each of given as readonly ConversationMessage[]) {
    if (typeof each === "string") messages.push({ role: "user", text: each });
    else if (typeof each?.text !== "string" || !ROLES.includes(each.role ?? "user"))
      throw invalid("messages", "each message is a text, or an object with role and text.");
    // A message of an earlier evaluation goes back unchanged.
    else if (each.role === "assistant" && !("toolCalls" in each))
      messages.push({ role: "assistant", text: each.text, toolCalls: [] });
    else if (each.role !== undefined && !("files" in each)) messages.push(each as ModelMessage);
    else messages.push(await userMessage(each as UserMessage, filesystem));
  }
  return messages;
}

async function userMessage(
  { text, images = [], files = [] }: UserMessage,
  filesystem: Filesystem | undefined,
): Promise<ModelMessage> {
  const texts = [text];
  const shown = [...images];
  for (const path of files) {
    if (filesystem === undefined)
      throw invalid("messages", "a message has files, but the prompt has no workspace.");
    const mediaType = IMAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
    if (mediaType === undefined) texts.push(await fileText(path, filesystem));
    else {
      shown.push({ mediaType, data: await base64(path, filesystem) });
      texts.push(`The image '${path}' is attached.`);
    }
  }
  const message = { role: "user", text: texts.join("\n\n") } as const;
  return shown.length === 0 ? message : { ...message, images: shown };
}

async function base64(path: string, filesystem: Filesystem): Promise<string> {
  const { content } = await filesystem.readBytes(path);
  let text = "";
  // A multiple of 3, so that the parts have no padding.
  for (let at = 0; at < content.length; at += 24_576)
    text += btoa(String.fromCharCode(...content.subarray(at, at + 24_576)));
  return text;
}

async function fileText(path: string, filesystem: Filesystem): Promise<string> {
  try {
    return `The file '${path}':\n\n${(await filesystem.read(path)).content}`;
  } catch (error) {
    if (!isFilesystemError(error)) throw error;
    throw invalid("messages", `the file '${path}' cannot be read: ${error.reason}.`);
  }
}
