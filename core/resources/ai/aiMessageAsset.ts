import { aiMessage } from "./aiMessage.ts";
import { allowThrough } from "../rights/allow.ts";
import { type Declaration, choice, identity, object, timestamps, uuid } from "../kernel/index.ts";

const fields = {
  ...identity,
  type: choice(["item", "dataset", "text"], {
    description: "Kind of the attachment.",
    on: ["create"],
    required: true,
    nullable: false,
  }),
  value: object({ description: "The attachment.", on: ["create"] }),
  message_id: uuid({
    description: "The message of the attachment.",
    on: ["create"],
    required: true,
    nullable: false,
    refersTo: ["aimessage", "own"],
  }),
  ...timestamps,
};

/** An attachment of a message, such as a chart or a dataset. */
export const aiMessageAsset: Declaration<typeof fields> = {
  name: "aimessageasset",
  description: "An item that belongs to a message of a conversation, such as a chart.",
  rights: "A caller has the same rights as on the conversation.",
  actions: ["create", "get", "delete", "validate"],
  fields,
  allow: allowThrough(() => aiMessage, "message_id"),
  associations: {
    aiMessage: { kind: "one", resource: "aimessage", key: "message_id" },
  },
};
