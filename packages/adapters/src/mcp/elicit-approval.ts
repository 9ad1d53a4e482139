import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ApprovalAnswer, ApprovalQuestion } from "@wink/prompt";
import { cleanText } from "./clean-text.js";

/** Current clients send their capabilities with each request. */
const KEY = CLIENT_CAPABILITIES_META_KEY;

interface Capabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object } | undefined;
}

const MAX_SHOWN_CHARACTERS = 8_000;
const CANNOT_ASK =
  "This call needs a person's approval, but this MCP client cannot ask: it does not support elicitation.";

/**
 * Asks the client's user about a call, by elicitation.
 *
 * The call ends with a question. The client sends it again with the answer, whose key is the hash of the call: a call that
 * has changed is asked about again. The SDK does the same for clients of earlier protocols.
 */
export class ElicitedApproval {
  readonly #responses: ServerContext["mcpReq"]["inputResponses"];
  readonly #canAsk: boolean;
  #asked: ApprovalQuestion | undefined;

  /** @param capabilities of a client of an earlier protocol */
  constructor({ inputResponses, envelope }: ServerContext["mcpReq"], capabilities: object = {}) {
    // The type of the envelope does not list its keys.
    const own = (envelope as Readonly<Record<string, object>> | undefined)?.[KEY];
    const { elicitation }: Capabilities = own ?? capabilities;
    this.#responses = inputResponses;
    // An empty capability means forms.
    this.#canAsk =
      elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined);
  }

  readonly onApproval = (question: ApprovalQuestion): ApprovalAnswer => {
    if (!this.#canAsk) return { allow: false, reason: CANNOT_ASK };
    const response = inputResponse(this.#responses, question.id);
    if (response.kind !== "elicit") {
      this.#asked = question;
      return { park: true };
    }
    const { decision, reason } = response.content ?? {};
    if (response.action === "accept" && decision === "allow") return { allow: true };
    if (typeof reason !== "string" || reason.trim() === "") return { allow: false };
    return { allow: false, reason: `A person denied this call: ${reason}` };
  };

  /** The question for the client, if the call waits for its answer. */
  get question(): InputRequiredResult | undefined {
    const question = this.#asked;
    if (question === undefined) return undefined;
    const asked = inputRequired.elicit({
      message: describe(question),
      requestedSchema: {
        type: "object",
        properties: {
          decision: { type: "string", title: "Decision", enum: ["allow", "deny"] },
          reason: {
            type: "string",
            title: "Reason",
            description: "For the model, if you deny it.",
          },
        },
        required: ["decision"],
      },
    });
    return inputRequired({ inputRequests: { [question.id]: asked } });
  }
}

/** The call with its patch or its input, as a person can read it. */
function describe({ tool, patch, input }: ApprovalQuestion): string {
  const what = patch ?? JSON.stringify(input, null, 2) ?? "";
  return cleanText(`Allow this call of ${tool}?\n\n${what}`, MAX_SHOWN_CHARACTERS);
}
