import type { ApiCall } from "../../base/index.ts";
import { askQuestion, type Outcome } from "../answers/askQuestion.ts";
import type { Question } from "../answers/question.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { type Conversation, openConversation } from "../conversations/openConversation.ts";
import { itemsOf, messageOfOutcomes, streamOutcomes, type Wire } from "./streamOutcomes.ts";

/** A question, and the conversation in which it is asked. */
export interface Conversing extends Omit<Question, "recordId" | "earlier"> {
  /** Id of the conversation to continue, unchecked. Undefined, null or "": a new conversation begins. */
  readonly conversationId: unknown;
}

/** Opens the conversation before the model is called, so that an invalid id does not use up the budget. */
async function begin(conversing: Conversing, call: ApiCall, parts: AssistantParts) {
  const { principal } = call;
  const conversation = await openConversation(
    conversing.conversationId,
    conversing.text,
    principal,
    parts.records,
  );
  const { id: recordId, questions: earlier } = conversation;
  return { conversation, outcomes: askQuestion({ ...conversing, recordId, earlier }, call, parts) };
}

const keep = (conversation: Conversation) => (all: readonly Outcome[]) =>
  conversation.keep(messageOfOutcomes(all), itemsOf(all));

/** Answers a question in one piece, and stores question and answer in the conversation. */
export async function converse(conversing: Conversing, call: ApiCall, parts: AssistantParts) {
  const { conversation, outcomes } = await begin(conversing, call, parts);
  const all = await Array.fromAsync(outcomes);
  await keep(conversation)(all);
  return { conversation, all };
}

/** Answers a question as a stream. Question and answer are stored in the conversation once the answer is complete. */
export async function converseOn(
  conversing: Conversing,
  wireOf: (conversation: Conversation) => Wire,
  call: ApiCall,
  parts: AssistantParts,
) {
  const streamed = { ...conversing, onPart: () => undefined };
  const { conversation, outcomes } = await begin(streamed, call, parts);
  return streamOutcomes(outcomes, async () => wireOf(conversation), keep(conversation));
}
