import Type from "typebox";
import { aiConversation } from "./aiConversation.ts";
import { allowThrough } from "../rights/allow.ts";
import { type Declaration, identity, object, timestamps, uuid } from "../kernel/index.ts";
import { isObject } from "../../base/index.ts";

const roles = ["user", "assistant"];

const fields = {
  ...identity,
  content: object({
    on: ["create"],
    required: true,
    nullable: false,
    check: (value) => {
      const { role, content } = isObject(value) ? value : {};
      return roles.some((each) => each === role) && content !== undefined
        ? undefined
        : `be {role: one of ${roles.join(", ")}, content}`;
    },
  }),
  conversation_id: uuid({
    on: ["create"],
    required: true,
    nullable: false,
    refersTo: ["aiconversation", "own"],
  }),
  ...timestamps,
};

const flat = Type.Optional(Type.Unknown({ description: "instead of properties" }));
const options = Type.Optional(
  Type.Object(
    {
      available_datasets: Type.Optional(Type.Unknown({ description: "datasets, or their ids" })),
      dataset_id: Type.Optional(Type.Unknown({ description: "of one dataset or more" })),
      chart: Type.Optional(Type.Unknown({ description: "the item that the question is about" })),
      stream: Type.Optional(Type.Unknown({ description: "false: the text is sent as one line" })),
      model_preference: Type.Optional(
        Type.Unknown({ description: "without effect: the operator chooses the model" }),
      ),
    },
    { description: "has a model answer the message" },
  ),
);

/** One message of a conversation. It does not change once it is said. */
export const aiMessage: Declaration<typeof fields> = {
  name: "aimessage",
  actions: ["create", "get", "delete", "validate"],
  fields,
  readBeside: { create: { options, content: flat, conversation_id: flat } },
  allow: allowThrough(() => aiConversation, "conversation_id"),
  associations: {
    aiConversation: { kind: "one", resource: "aiconversation", key: "conversation_id" },
    aiMessageAssets: { kind: "many", resource: "aimessageasset", key: "message_id" },
  },
};
