import { allowOwner } from "../rights/allow.ts";
import { type Declaration, identity, settable, text, timestamps, uuid } from "../kernel/index.ts";

const fields = {
  ...identity,
  name: text({ ...settable, description: "Name of the conversation." }),
  user_id: uuid({ description: "The user who owns the conversation.", nullable: false }),
  /** The embed token that created the conversation; null for a user's own conversation. */
  authorization_id: uuid({ hidden: true }),
  ...timestamps,
};

/** A user's conversation with the AI services. Other users cannot see it. */
export const aiConversation: Declaration<typeof fields> = {
  name: "aiconversation",
  description:
    "A conversation of a person with the assistant, which the host keeps so that the person can go on with it.",
  rights: "The user who began the conversation has all rights. Nobody else can see it.",
  actions: ["create", "get", "update", "delete", "validate"],
  fields,
  allow: allowOwner("user_id"),
  associations: {
    aiMessages: { kind: "many", resource: "aimessage", key: "conversation_id" },
    User: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
  },
};
