import { type ApiCall, ApiError, isList, isObject, type Members } from "../../base/index.ts";
import type { Outcome } from "../answers/askQuestion.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { suggestQuestions } from "../answers/suggestQuestions.ts";
import type { Conversation } from "../conversations/openConversation.ts";
import { converse, converseOn } from "./conversing.ts";
import { datasetsOf, idsOf, localeOf, membersOf, questionOf, timezoneOf } from "./readRequest.ts";
import {
  itemsOf,
  messageOfOutcomes,
  struckCountOf,
  textParts,
  type Wire,
} from "./streamOutcomes.ts";

/** The default questions of the tasks, used if the caller sends no question. */
const usual: Readonly<Record<string, string>> = {
  "analyst describe": "Describe these datasets with the query that best shows their content.",
  "item describe": "Describe what this item shows, with its query.",
  "item generate": "Create the item.",
};

/**
 * Handles `aiprompt`: the agents `analyst` and `item` with the tasks `generate`, `suggest` and `describe`. Answers
 * either in one piece or as server-sent events.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, RECORD_NOT_FOUND; the errors of `CallModel`
 */
export async function aiPrompt(call: ApiCall, parts: AssistantParts): Promise<unknown> {
  const members = membersOf<
    | "conversation_id"
    | "input"
    | "locale_id"
    | "response_mode"
    | "timezone_id"
    | "agent"
    | "task"
    | "stream"
  >(call);
  const { agent = "analyst", task = "generate", stream = false } = members;
  const refuse = (member: string, problem: string) =>
    new ApiError("MEMBER_INVALID", [`properties.${member}`, problem]);
  if (agent !== "analyst" && agent !== "item") throw refuse("agent", "must be analyst or item");
  if (task !== "generate" && task !== "suggest" && task !== "describe")
    throw refuse("task", "must be generate, suggest or describe");
  if (typeof stream !== "boolean") throw refuse("stream", "must be true or false");
  const timezone = timezoneOf(members.timezone_id);
  const { texts, datasetIds, item } = readInput(members.input);
  const locale = localeOf(members.locale_id);
  const fallback = usual[`${agent} ${task}`];
  const text =
    task === "suggest" && texts === ""
      ? "Suggest questions."
      : questionOf(texts === "" ? fallback : texts, "properties.input");
  const datasets = await datasetsOf(datasetIds, call, parts, locale.localeId);
  const about = { resource: "aiprompt", datasets, ...locale, about: item };
  if (task === "suggest") {
    const recordId = datasets[0]?.id ?? call.principal.userId;
    const questions = await suggestQuestions({ ...about, recordId }, call, parts);
    return {
      conversation_id: members.conversation_id ?? null,
      assistant_message: { message: questions.join("\n"), aiMessageAssets: [] },
      suggestions: questions.map((title) => ({ title })),
    };
  }
  const conversing = {
    ...about,
    text,
    conversationId: members.conversation_id,
    ...timezone,
    isWithoutText: members.response_mode === "item_only",
  };
  if (stream) return converseOn(conversing, eventsOf, call, parts);
  const { conversation, all } = await converse(conversing, call, parts);
  return presented(conversation, all);
}

/** Parses the `input` member: a list whose entries are text, datasets or an item. */
function readInput(input: unknown): {
  readonly texts: string;
  readonly datasetIds: readonly string[];
  readonly item: Members | undefined;
} {
  if (!isList(input))
    throw new ApiError("MEMBER_INVALID", [
      "properties.input",
      'must be a list of {type: "text" | "dataset" | "item", value}',
    ]);
  const texts: string[] = [];
  const datasetIds: string[] = [];
  let item: Members | undefined;
  for (const [index, each] of input.entries()) {
    const path = `properties.input[${index}]`;
    if (!isObject<"value" | "text" | "content" | "item" | "type" | "id" | "dataset_id">(each))
      throw new ApiError("MEMBER_INVALID", [path, "must be an object"]);
    const value = each.value ?? each.text ?? each.content;
    const given = value ?? each.item;
    if (each.type === "text") texts.push(questionOf(value, `${path}.value`));
    else if (each.type === "dataset")
      datasetIds.push(...idsOf(value ?? each.id ?? each.dataset_id, `${path}.value`));
    else if (each.type === "item" && isObject(given)) item = given;
    else
      throw new ApiError("MEMBER_INVALID", [
        `${path}.type`,
        "must be text, dataset or item, with a value",
      ]);
  }
  return { texts: texts.join("\n"), datasetIds, item };
}

function presented({ id }: Conversation, all: readonly Outcome[]): object {
  const askedBack = all.find((outcome) => outcome.kind === "asked_back");
  return {
    conversation_id: id,
    assistant_message: {
      message: messageOfOutcomes(all),
      aiMessageAssets: itemsOf(all).map((value) => ({ type: "item", value })),
      struck_count: struckCountOf(all),
      ...(askedBack && { choices: askedBack.choices }),
    },
  };
}

/** Writes outcomes as server-sent events: start, progress, text_*, asset_*, finish, error, then [DONE]. */
function eventsOf(conversation: Conversation): Wire {
  const all: Outcome[] = [];
  let isFailed = false;
  const event = (type: string, members: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  return {
    mediaType: "text/event-stream",
    headers: { "Cache-Control": "no-store", "X-Conversation-Id": conversation.id },
    start: () => event("start", { conversation_id: conversation.id }),
    *write(outcome) {
      all.push(outcome);
      if (outcome.kind === "item") {
        const [value] = itemsOf([outcome]);
        yield event("progress", { message: "The query was answered." });
        yield event("asset_start", { asset_type: "item" });
        yield event("asset_end", { asset: { type: "item", value } });
        return;
      }
      yield event("text_start");
      for (const text of textParts(messageOfOutcomes([outcome])))
        yield event("text_delta", { text });
      yield event("text_end", { struck_count: outcome.struckCount });
    },
    failed(body) {
      isFailed = true;
      return event("error", { error: body });
    },
    end: () => `${isFailed ? "" : event("finish", presented(conversation, all))}data: [DONE]\n\n`,
  };
}
