import { code, kept, linked, searched, type MemberUses } from "./memberUse.ts";

const conversations = kept(
  "the words of a conversation, which its clients show; messages that a client creates are stored as sent",
);

/** Evidence for the members of channels and conversations. */
export const later: Readonly<Record<string, MemberUses>> = {
  channel: {
    name: searched,
    type: code("jobs/deliveries/sendTo.ts", "drivers[type]"),
    config: code("jobs/deliveries/sendTo.ts", "const { type, config } = channel"),
    rotate_secret: code("resources/automation/channel.ts", "{ rotate_secret: rotates = false"),
    disabled_reason: code("jobs/deliveries/deliver.ts", "{ disabled_reason: problem }"),
    failures: code("jobs/deliveries/breaker.ts", "failures < mostFailures"),
    paused_until: code("jobs/deliveries/breaker.ts", "paused_until.getTime()"),
    told_at: code("jobs/deliveries/notifyOwner.ts", "told_at: new Date(nowMs)"),
    unsubscribed: code("jobs/deliveries/deliver.ts", "channel.unsubscribed.includes"),
    user_id: code("resources/automation/channel.ts", "user_id: principal.userId"),
  },
  aiconversation: {
    name: searched,
    user_id: code("resources/ai/aiConversation.ts", "user_id: principal.userId"),
    authorization_id: code(
      "assistant/conversations/openConversation.ts",
      "authorization_id: restriction ? authorizationId : null",
    ),
  },
  aimessage: { content: conversations, conversation_id: linked },
  aimessageasset: { type: conversations, value: conversations, message_id: linked },
};
