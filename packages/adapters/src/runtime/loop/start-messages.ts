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
    if (typeof each === "string") messages.push(await userMessage({ text: each }, filesystem));
    else if (typeof each?.text !== "string" || !ROLES.includes(each.role ?? "user"))
      throw invalid("messages", "each message is a text, or an object with role and text.");
    else if (each.role === "assistant" && !("toolCalls" in each))
      messages.push({ role: "assistant", text: each.text, toolCalls: [] });
    // A message of an earlier evaluation goes back as the same object, by which the loop recognises it.
    else if (each.role === "assistant" || each.role === "tool") messages.push(requireHistory(each));
    else if (each.role === "user" && !("files" in each)) {
      requireLists(each as UserMessage);
      messages.push(each as ModelMessage);
    } else messages.push(await userMessage(each as UserMessage, filesystem));
  }
  return messages;
}

function requireHistory(message: ConversationMessage): ModelMessage {
  // The caller can pass any object.
  const fields: unknown = message;
  const { role, toolCalls, toolCallId, toolName } = fields as Readonly<Record<string, unknown>>;
  if (role === "assistant" && !Array.isArray(toolCalls))
    throw invalid("messages", `toolCalls must be an array, got ${describeKind(toolCalls)}.`);
  if (role === "tool" && (typeof toolCallId !== "string" || typeof toolName !== "string"))
    throw invalid("messages", "a message with the role 'tool' needs toolCallId and toolName.");
  return message as ModelMessage;
}

function requireLists({ text, images, files }: UserMessage): void {
  for (const [name, list] of Object.entries({ images, files }))
    if (list !== undefined && !Array.isArray(list))
      throw invalid("messages", `${name} must be an array, got ${describeKind(list)}.`);
  for (const { mediaType, data } of images ?? [])
    if (!Object.values(IMAGES).includes(mediaType) || typeof data !== "string")
      throw invalid("messages", "an image has a mediaType (PNG, JPEG, GIF, WebP) and base64 data.");
  if (text.trim() === "" && !images?.length && !files?.length)
    throw invalid("messages", "a message of the user has no text, no images and no files.");
}

async function userMessage(
  message: UserMessage,
  filesystem: Filesystem | undefined,
): Promise<ModelMessage> {
  requireLists(message);
  const { images = [], files = [] } = message;
  // Providers refuse half characters.
  const text = message.text.toWellFormed();
  const texts = text === "" ? [] : [text];
  const shown = [...images];
  for (const path of files) {
    if (filesystem === undefined)
      throw invalid("messages", "a message has files, but the prompt has no workspace.");
    const mediaType = IMAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
    if (mediaType === undefined) texts.push(await readable(path, () => fileText(path, filesystem)));
    else {
      const data = await readable(path, () => base64(path, filesystem));
      shown.push({ mediaType, data });
      texts.push(`The image '${path}' is attached.`);
    }
  }
  const sent = { role: "user", text: texts.join("\n\n") } as const;
  return shown.length === 0 ? sent : { ...sent, images: shown };
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
  return `The file '${path}':\n\n${(await filesystem.read(path)).content}`;
}

async function readable(path: string, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (!isFilesystemError(error)) throw error;
    throw invalid("messages", `the file '${path}' cannot be read: ${error.reason}.`);
  }
}
