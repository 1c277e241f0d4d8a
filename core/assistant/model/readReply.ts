import { isList, isObject, type Members } from "../../base/index.ts";
import { createEventReader } from "./readEvents.ts";
import type { ModelCall, ModelReply } from "./model.ts";

type UncountedReply = Omit<ModelReply, "tokenCount"> & { readonly tokenCount?: number };

/** Maximum number of characters in the arguments of a reply, and also in its text. */
const longestText = 200_000;
const mostCalls = 16;

/**
 * Parses a complete chat completions answer. Undefined for any other text. The format is documented at
 * https://platform.openai.com/docs/api-reference/chat/object
 */
export function readReply(text: string): UncountedReply | undefined {
  const answer = parsed(text);
  if (!isObject<"choices" | "usage">(answer)) return undefined;
  const message = firstChoice(answer)?.message;
  if (!isObject<"tool_calls" | "content" | "refusal">(message)) return undefined;
  const calls = isList(message.tool_calls) ? message.tool_calls.map(callOf) : [];
  if (!calls.every((call) => call !== undefined)) return undefined;
  return {
    text: textOf(message.content),
    calls: calls.slice(0, mostCalls),
    isRefused: textOf(message.refusal) !== "",
    ...countOf(answer),
  };
}

/** Parses a streamed chat completions answer chunk by chunk. */
export interface StreamedReply {
  take(part: Uint8Array): void;
  /** Returns the reply once the stream has ended. Undefined if the stream was incomplete or in another format. */
  end(): UncountedReply | undefined;
}

export function createStreamedReply(): StreamedReply {
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  let text = "";
  let refusal = "";
  let isWhole = false;
  let isValid = true;
  let tokenCount: number | undefined;
  const addCall = (delta: unknown) => {
    if (
      !isObject<"function" | "index" | "id">(delta) ||
      !isObject<"name" | "arguments">(delta.function)
    )
      return;
    const index = Number(delta.index ?? 0);
    if (!Number.isInteger(index) || index < 0 || index >= mostCalls) return;
    const call = calls.get(index) ?? { id: "", name: "", arguments: "" };
    call.id ||= textOf(delta.id);
    call.name += textOf(delta.function.name);
    call.arguments += textOf(delta.function.arguments);
    if (call.arguments.length > longestText) isValid = false;
    calls.set(index, call);
  };
  const take = createEventReader((data) => {
    if (data.trim() === "[DONE]") {
      isWhole = true;
      return;
    }
    const chunk = parsed(data);
    if (!isObject<"error">(chunk) || chunk.error !== undefined) {
      isValid = false;
      return;
    }
    ({ tokenCount = tokenCount } = countOf(chunk));
    const choice = firstChoice(chunk);
    const delta = choice?.delta;
    if (typeof choice?.finish_reason === "string") isWhole = true;
    if (!isObject<"content" | "refusal" | "tool_calls">(delta)) return;
    text += textOf(delta.content);
    refusal += textOf(delta.refusal);
    if (text.length > longestText) isValid = false;
    if (isList(delta.tool_calls)) for (const call of delta.tool_calls) addCall(call);
  });
  return {
    take,
    end() {
      if (!isWhole || !isValid) return undefined;
      return {
        text,
        calls: [...calls].toSorted(([one], [other]) => one - other).map(([, call]) => call),
        isRefused: refusal !== "",
        ...(tokenCount !== undefined && { tokenCount }),
      };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstChoice(answer: Members<"choices">) {
  const [choice] = isList(answer.choices) ? answer.choices : [];
  return isObject<"message" | "delta" | "finish_reason">(choice) ? choice : undefined;
}

function callOf(value: unknown): ModelCall | undefined {
  if (!isObject<"function" | "id">(value) || !isObject(value.function)) return undefined;
  const { name, arguments: given } = value.function;
  // Some endpoints send the arguments as an object instead of a string.
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
  if (typeof name !== "string" || text.length > longestText) return undefined;
  return { id: textOf(value.id), name, arguments: text };
}

function countOf(answer: Members<"usage">): { readonly tokenCount?: number } {
  const usage = answer.usage;
  const count = isObject<"total_tokens">(usage) ? usage.total_tokens : undefined;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0
    ? { tokenCount: count }
    : {};
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
