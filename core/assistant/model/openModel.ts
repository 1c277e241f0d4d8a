import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../catalog/index.ts";
import type { Egress, EgressAnswer } from "../../sources/index.ts";
import { ApiError, messageOf } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { estimateTokens } from "./estimateTokens.ts";
import type { Model, ModelMessage, ModelRequest } from "./model.ts";
import { createStreamedReply, readReply } from "./readReply.ts";

export interface ModelOptions {
  /** The endpoint's address, without `/chat/completions` at its end. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly name: string;
  /** Sends the HTTP requests. Its deadline applies to each attempt, and its size limit to each answer. */
  readonly egress: Pick<Egress, "call">;
  readonly timeoutMs: number;
  readonly log: Pick<Log, "warn">;
  /** Waits before the next attempt. Tests replace it. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** HTTP statuses after which another attempt may succeed. */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);
const attemptCount = 3;
/**
 * Maximum wait that an endpoint may request in Retry-After. If it requests a longer wait, the caller gets the error.
 */
const longestWaitMs = 20_000;

/**
 * Opens a model behind an endpoint that supports the chat completions API. Every attempt goes through the egress guard.
 * The key is sent in a single header. Neither the key nor text from the endpoint ever gets into a message or the log.
 */
export function openModel(options: ModelOptions): Model {
  const { name, egress, log, timeoutMs, wait = pause } = options;
  const url = `${options.url.replace(/\/+$/, "")}/chat/completions`;
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(options.key !== undefined && { Authorization: `Bearer ${options.key}` }),
  };
  return {
    name,
    async complete(request, signal) {
      const body = JSON.stringify(bodyOf(name, request));
      for (let attempt = 1; ; attempt++) {
        const { answer, read } = await attempted(body, request.onPart, signal);
        if (answer.status >= 200 && answer.status < 300) {
          const reply = read();
          if (!reply)
            throw failed("did not return a complete answer in the form of chat completions");
          const tokenCount = reply.tokenCount ?? estimateTokens(body) + estimateTokens(reply);
          return { ...reply, tokenCount };
        }
        const waitMs = waitOf(answer, attempt);
        log.warn({ status: answer.status, attempt }, "the model's endpoint refused a call");
        if (!passing.has(answer.status) || attempt >= attemptCount || waitMs > longestWaitMs)
          throw refused(answer);
        await wait(waitMs, signal);
      }
    },
  };

  async function attempted(body: string, onPart: (() => void) | undefined, signal: AbortSignal) {
    const streamed = createStreamedReply();
    const parts: Uint8Array[] = [];
    const take = async (part: Uint8Array) => {
      parts.push(part);
      if (onPart) streamed.take(part);
      onPart?.();
    };
    try {
      const answer = await egress.call({ method: "POST", url, headers, body, signal, take });
      // An endpoint that does not support streaming returns the whole answer at once.
      const read = () =>
        (onPart && streamed.end()) ?? readReply(Buffer.concat(parts).toString("utf8"));
      return { answer, read };
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof PluginError)) throw failure;
      log.warn({ problem: messageOf(failure) }, "the model's endpoint could not be called");
      if (failure.code === "PLUGIN_TIMEOUT")
        throw new ApiError("ASSISTANT_MODEL_SLOW", [timeoutMs], { cause: failure });
      throw failed("could not be reached, or sent an incomplete or late answer", failure);
    }
  }
}

function failed(problem: string, cause?: unknown): ApiError {
  return new ApiError("ASSISTANT_MODEL_FAILED", [problem], { cause });
}

function refused({ status, retryAfterS }: EgressAnswer): ApiError {
  const problem =
    status === 401 || status === 403
      ? "rejects the host's key (MANIFOLD_AI_KEY)"
      : status === 429
        ? "receives too many calls at the moment"
        : `returned status ${status}`;
  const options = retryAfterS === undefined ? {} : { retryAfterS };
  return new ApiError("ASSISTANT_MODEL_FAILED", [problem], options);
}

/**
 * Returns the milliseconds to wait before the next attempt. This is Retry-After if the endpoint sent it, and otherwise
 * one second, doubled with each attempt.
 */
function waitOf({ retryAfterS }: EgressAnswer, attempt: number): number {
  return retryAfterS === undefined ? 1000 * 2 ** (attempt - 1) : retryAfterS * 1000;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}

/**
 * Builds the request body. It sets no token limit, because endpoints use two different names for this member, and
 * refuse the name that they do not know.
 */
function bodyOf(model: string, { messages, tools, onPart }: ModelRequest): object {
  return {
    model,
    messages: messages.map(wireMessage),
    tools: tools.map((tool) => ({ type: "function", function: tool })),
    tool_choice: "required",
    ...(onPart && { stream: true, stream_options: { include_usage: true } }),
  };
}

function wireMessage(message: ModelMessage): object {
  if (message.role === "result")
    return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "call") return message;
  const { id, name, arguments: given } = message.call;
  const call = { id, type: "function", function: { name, arguments: given } };
  return { role: "assistant", content: null, tool_calls: [call] };
}
