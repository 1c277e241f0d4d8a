import { randomUUID } from "node:crypto";
import { ApiError, isObject, isUuid, type Principal, type Records } from "../../base/index.ts";

/** A conversation of a user with the assistant. */
export interface Conversation {
  readonly id: string;
  /** The user's questions so far, oldest first. */
  readonly questions: readonly string[];
  /** Stores the question and its answer with all items, either completely or not at all. */
  keep(message: string, items: readonly object[]): Promise<void>;
}

const mostQuestions = 6;
const nameLength = 80;

/**
 * Continues a conversation, or begins a new one that is stored together with its first answer. A conversation belongs
 * to its user. If it was begun with an embed token, only that token can continue it, because other tokens have other
 * filters.
 * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID
 */
export async function openConversation(
  given: unknown,
  question: string,
  { userId, restriction, authorizationId }: Principal,
  records: Records,
): Promise<Conversation> {
  const own = { user_id: userId, authorization_id: restriction ? authorizationId : null };
  const isNew = given === undefined || given === null || given === "";
  const id = isNew ? randomUUID() : await expectOwn(given, own, records);
  const questions = isNew ? [] : await questionsOf(id, records);
  const askedAt = new Date();
  return {
    id,
    questions,
    async keep(message, items) {
      await records.transaction(async (transaction) => {
        const name = question.slice(0, nameLength).replace(/[\ud800-\udbff]$/, "");
        if (isNew) await records.insert("aiconversation", { ...own, id, name }, transaction);
        const answeredAt = new Date(Math.max(Date.now(), askedAt.getTime() + 1));
        const message_id = randomUUID();
        const said = [
          { content: { role: "user", content: question }, created_at: askedAt },
          {
            id: message_id,
            content: { role: "assistant", content: message },
            created_at: answeredAt,
          },
        ].map((each) => ({ ...each, conversation_id: id }));
        await records.insertMany("aimessage", said, transaction);
        const assets = items.map((value) => ({
          message_id,
          type: "item" as const,
          value: { ...value },
        }));
        if (assets.length > 0) await records.insertMany("aimessageasset", assets, transaction);
      });
    },
  };
}

async function expectOwn(
  id: unknown,
  own: { readonly user_id: string; readonly authorization_id: string | null },
  records: Records,
): Promise<string> {
  if (!isUuid(id))
    throw new ApiError("MEMBER_INVALID", ["properties.conversation_id", "must be a UUID"]);
  const [found] = await records.find("aiconversation", { id, ...own });
  if (found) return found.id;
  throw new ApiError("RECORD_NOT_FOUND", ["aiconversation", id]);
}

async function questionsOf(id: string, records: Records): Promise<readonly string[]> {
  const messages = await records.find("aimessage", { conversation_id: id });
  return messages
    .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
    .flatMap(({ content }) =>
      isObject<"role" | "content">(content) &&
      content.role === "user" &&
      typeof content.content === "string"
        ? [content.content]
        : [],
    )
    .slice(-mostQuestions);
}
