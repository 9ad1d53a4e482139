import { SdkHttpError, UnsupportedProtocolVersionError } from "@modelcontextprotocol/client";
import { isRecord } from "./foreign-tools.js";

/** The causes of an error, itself first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 8; each = causeOf(each))
    causes.push(each);
  return causes;
}

/** The client puts the cause of a failed negotiation into `data`. */
function causeOf(error: Error & { readonly data?: unknown }): unknown {
  const { cause, data } = error;
  return cause ?? (isRecord(data) ? data["cause"] : undefined);
}

/** Why a server could not be used, if that is known. Never a path of the machine. */
export function whyUnreachable(error: unknown, timeoutMs: number): string | undefined {
  const causes = causesOf(error);
  const version = causes.find((cause) => cause instanceof UnsupportedProtocolVersionError);
  if (version !== undefined)
    return `the server speaks none of our versions of the protocol, only ${version.supported.join(", ")}`;
  const http = causes.find((cause) => cause instanceof SdkHttpError);
  if (http?.status === 401 || http?.status === 403)
    return `the server answered HTTP ${http.status}. Set \`headers\` with a valid authorization`;
  if (http?.status !== undefined) return `the server answered HTTP ${http.status}`;
  const codes = causes.map((cause) => (cause as { readonly code?: unknown }).code);
  if (codes.includes("ENOENT")) return "its program was not found. Check `command` and `cwd`";
  if (codes.includes("EACCES")) return "its program may not be executed";
  if (codes.includes("ECONNREFUSED")) return "nothing listens at its URL. Start the server first";
  if (codes.includes("ENOTFOUND")) return "the host name of its URL does not exist";
  if (codes.includes("CONNECTION_CLOSED"))
    return 'its program ended during the start. Set `stderr: "inherit"` to see why';
  if (codes.includes("REQUEST_TIMEOUT") || causes.some(isTimeout))
    return `it did not answer within ${timeoutMs} ms. Raise \`connectTimeoutMs\` if it starts slowly`;
  return undefined;
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === "TimeoutError" || /timed? ?out/i.test(error.message))
  );
}
