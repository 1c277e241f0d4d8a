import { aiMessage } from "./aiMessage.ts";
import { allowThrough } from "../rights/allow.ts";
import { type Declaration, choice, identity, object, timestamps, uuid } from "../kernel/index.ts";

const fields = {
  ...identity,
  type: choice(["item", "dataset", "text"], { on: ["create"], required: true, nullable: false }),
  value: object({ on: ["create"] }),
  message_id: uuid({
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
  actions: ["create", "get", "delete", "validate"],
  fields,
  allow: allowThrough(() => aiMessage, "message_id"),
  associations: {
    aiMessage: { kind: "one", resource: "aimessage", key: "message_id" },
  },
};
