import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Egress, EgressAnswer } from "../../sources/index.ts";
import { traceHeaders } from "../../base/index.ts";
import type { Attempt } from "./driver.ts";

interface Post {
  readonly url: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /**
   * Error codes of the service. A problem repeats an answer only if the whole answer is one of these codes, because
   * other text may contain secrets.
   */
  readonly reasons?: ReadonlySet<string>;
}

/** Maximum number of bytes read from an answer. Little more than the status is used. */
const answerBytes = 2 ** 16;

/**
 * Makes one attempt to send JSON through the egress guard. A 2xx response means `delivered`, and 410 disables the
 * channel. 408, 425, 429 and 5xx are retried, after Retry-After if present. Any other status, including a redirect,
 * means `refused`.
 */
export async function postJson(
  egress: Egress,
  { url, headers, body, signal, reasons }: Post,
): Promise<Attempt> {
  if (typeof url !== "string") return { outcome: "refused", problem: "config.url is missing" };
  let answer: EgressAnswer;
  try {
    answer = await egress.call({
      method: "POST",
      url,
      headers: { "Content-Type": "application/json", ...traceHeaders(), ...headers },
      body,
      signal,
      sizeBytes: answerBytes,
    });
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    const isFinal = failure.code === "PLUGIN_INVALID";
    return { outcome: isFinal ? "refused" : "later", problem: failure.message };
  }
  const { status, retryAfterS } = answer;
  if (status >= 200 && status < 300) return { outcome: "delivered" };
  const word = answer.text.trim();
  const problem = `the address returned status ${status}${reasons?.has(word) ? `: ${word}` : ""}`;
  if (status === 410) return { outcome: "refused", problem, disables: true };
  if (!again.has(status) && status < 500) return { outcome: "refused", problem };
  return { outcome: "later", problem, ...(retryAfterS !== undefined && { retryAfterS }) };
}

/** Statuses below 500 that ask the client to try again. */
const again: ReadonlySet<number> = new Set([408, 425, 429]);
