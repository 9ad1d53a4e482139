import type { RenderedPrompt } from "@wink/prompt";

/** The hash of a prompt, without the state of the session: which sections are shown now does not count. */
export function promptHash({ prompt, descriptor }: RenderedPrompt): string {
  try {
    return prompt.render().descriptor.hash;
  } catch {
    // A section may need the state of a session.
    return descriptor.hash;
  }
}
