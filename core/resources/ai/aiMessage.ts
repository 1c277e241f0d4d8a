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

const flat = Type.Optional(Type.Unknown({ description: "send the members here or in properties" }));
const options = Type.Optional(
  Type.Object(
    {
      available_datasets: Type.Optional(Type.Unknown({ description: "datasets or their ids" })),
      dataset_id: Type.Optional(Type.Unknown({ description: "ids of one or more datasets" })),
      chart: Type.Optional(Type.Unknown({ description: "the item that the question is about" })),
      stream: Type.Optional(Type.Unknown({ description: "false sends the text as one line" })),
      model_preference: Type.Optional(
        Type.Unknown({ description: "has no effect, because the operator chooses the model" }),
      ),
    },
    { description: "makes a model answer the message" },
  ),
);

/** A message of a conversation. Messages never change. */
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
