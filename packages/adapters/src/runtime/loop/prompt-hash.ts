import type { BoundPrompt, RenderedPrompt } from "@wink/prompt";

/** The hash of a prompt, without the state of the session: which sections are shown now does not count. */
export function promptHash({ prompt, descriptor }: RenderedPrompt): string {
  try {
    return prompt.render().descriptor.hash;
  } catch {
    // A section may need the state of a session.
    return descriptor.hash;
  }
}

/** The hash of a prompt that was not rendered in its run. Empty if it cannot be rendered, such as before it is open. */
export function unrenderedHash(prompt: BoundPrompt): string {
  try {
    return prompt.render().descriptor.hash;
  } catch {
    return "";
  }
}
