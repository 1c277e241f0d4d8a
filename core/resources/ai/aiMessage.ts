import Type from "typebox";
import { aiConversation } from "./aiConversation.ts";
import { allowThrough } from "../rights/allow.ts";
import { type Declaration, identity, object, timestamps, uuid } from "../kernel/index.ts";
import { isObject, reference } from "../../base/index.ts";

const roles = ["user", "assistant"];

const fields = {
  ...identity,
  content: object({
    description: "The message.",
    on: ["create"],
    required: true,
    nullable: false,
    described: { given: reference("AiMessageContent") },
    check: (value) => {
      const { role, content } = isObject(value) ? value : {};
      return roles.some((each) => each === role) && content !== undefined
        ? undefined
        : `be {role: one of ${roles.join(", ")}, content}`;
    },
  }),
  conversation_id: uuid({
    description: "The conversation of the message.",
    on: ["create"],
    required: true,
    nullable: false,
    refersTo: ["aiconversation", "own"],
  }),
  ...timestamps,
};

const Ids = Type.Union([Type.String(), Type.Array(Type.String())]);
const Datasets = Type.Array(
  Type.Union([Type.String(), Type.Object({ id: Type.String() }, { additionalProperties: true })]),
  { description: "Datasets or their ids." },
);
const options = Type.Optional(
  Type.Object(
    {
      available_datasets: Type.Optional(Datasets),
      dataset_id: Type.Optional({ ...Ids, description: "Ids of one or more datasets." }),
      chart: Type.Optional(reference("DashboardItem")),
      stream: Type.Optional(Type.Boolean({ description: "`false` sends the text as one line." })),
      model_preference: Type.Optional(
        Type.String({ description: "Has no effect, because the operator chooses the model." }),
      ),
    },
    { description: "Makes a model answer the message." },
  ),
);
const flat = {
  content: Type.Optional({
    ...reference("AiMessageContent"),
    description: "The content of the message. You can send it here or in `properties`.",
  }),
  conversation_id: Type.Optional(
    Type.String({
      description: "Id of the conversation. You can send it here or in `properties`.",
    }),
  ),
};

/** A message of a conversation. Messages never change. */
export const aiMessage: Declaration<typeof fields> = {
  name: "aimessage",
  description:
    "A message of a conversation: what the person wrote, or what the assistant answered.",
  rights: "A caller has the same rights as on the conversation.",
  actions: ["create", "get", "delete", "validate"],
  fields,
  readBeside: { create: { options, ...flat } },
  allow: allowThrough(() => aiConversation, "conversation_id"),
  associations: {
    aiConversation: { kind: "one", resource: "aiconversation", key: "conversation_id" },
    aiMessageAssets: { kind: "many", resource: "aimessageasset", key: "message_id" },
  },
};
