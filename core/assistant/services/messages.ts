import { type ApiCall, ApiError, isObject } from "../../base/index.ts";
import type { AssistantParts } from "../assistantParts.ts";
import type { Conversation } from "../conversations/openConversation.ts";
import { converseOn } from "./conversing.ts";
import { datasetsOf, idsOf, localeOf, membersOf, questionOf } from "./readRequest.ts";
import { itemsOf, messageOfOutcomes, textParts, type Wire } from "./streamOutcomes.ts";

/**
 * Handles `iqmessage`: answers with lines of JSON, each of which contains a state, chunk, text, chart or done.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID; the errors of `CallModel`
 */
export async function iqMessage(call: ApiCall, parts: AssistantParts): Promise<unknown> {
  const members = membersOf<
    "conversation_id" | "dataset_id" | "locale_id" | "prompt" | "response_mode"
  >(call);
  const mode = members.response_mode ?? "mixed";
  if (mode !== "text_only" && mode !== "mixed")
    throw new ApiError("MEMBER_INVALID", [
      "properties.response_mode",
      "must be text_only or mixed",
    ]);
  const locale = localeOf(members.locale_id);
  const text = questionOf(members.prompt, "properties.prompt");
  const ids = idsOf(members.dataset_id, "properties.dataset_id");
  const datasets = await datasetsOf(ids, call, parts, locale.localeId);
  const conversationId = members.conversation_id;
  const conversing = { resource: "iqmessage", text, datasets, conversationId, ...locale };
  return converseOn(conversing, (opened) => linesOf(opened, mode === "mixed", true), call, parts);
}

/**
 * Handles `aimessage` with `options`: answers with lines of JSON, and with the conversation's id in the header
 * X-Conversation-Id.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, RECORD_NOT_FOUND; the errors of `CallModel`
 */
export async function aiMessageReply(call: ApiCall, parts: AssistantParts): Promise<unknown> {
  const members = membersOf<"conversation_id" | "content">(call);
  const { options } = call.body;
  const given = isObject<"dataset_id" | "available_datasets" | "chart" | "stream">(options)
    ? options
    : {};
  const { content } = members;
  const isUsers = isObject<"role" | "content">(content) && content.role === "user";
  if (!isUsers)
    throw new ApiError("MEMBER_INVALID", ["properties.content", "must be {role: user, content}"]);
  const text = questionOf(content.content, "properties.content.content");
  const ids = [
    ...idsOf(given.dataset_id, "options.dataset_id"),
    ...idsOf(given.available_datasets, "options.available_datasets"),
  ];
  const about = isObject(given.chart) ? given.chart : undefined;
  const conversing = {
    resource: "aimessage",
    text,
    datasets: await datasetsOf(ids, call, parts),
    conversationId: members.conversation_id,
    about,
  };
  const isStreamed = given.stream !== false;
  return converseOn(conversing, (opened) => linesOf(opened, true, isStreamed), call, parts);
}

/** Writes outcomes as lines of JSON. Unless `isStreamed` is set, the text is written as a single line. */
function linesOf(conversation: Conversation, withCharts: boolean, isStreamed: boolean): Wire {
  const line = (members: object) => `${JSON.stringify(members)}\n`;
  return {
    mediaType: "application/x-ndjson",
    headers: { "Cache-Control": "no-store", "X-Conversation-Id": conversation.id },
    start: () => line({ state: "answering" }),
    *write(outcome) {
      if (outcome.kind === "item") {
        if (withCharts) for (const chart of itemsOf([outcome])) yield line({ chart });
        return;
      }
      const text = messageOfOutcomes([outcome]);
      if (isStreamed) for (const chunk of textParts(text)) yield line({ chunk });
      yield line({ text, struck_count: outcome.struckCount });
    },
    failed: (body) => line({ state: "failed", error: body }),
    end: () => line({ done: true }),
  };
}
