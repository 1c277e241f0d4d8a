import type { Action } from "../../base/index.ts";

/** Paths of members, each with who sends it. */
type Inert = Readonly<Record<string, string>>;

const model = "the assistant has one model, which the operator chooses";

/**
 * Members without effect that clients of the field send, by resource, action and path: they are accepted. Members of
 * the properties of records are in their declarations.
 */
export const inertMembers: Readonly<Record<string, Partial<Record<Action, Inert>>>> = {
  aichart: { create: { "properties.model_preference": model, model_preference: model } },
  aiprompt: {
    create: {
      "properties.text_format": "component kits: answers are plain text",
      "properties.model_preference": model,
    },
  },
  iqmessage: { create: { "properties.model_preference": model } },
  dataprovider: {
    create: {
      "properties.action": "terraform and scripts: create, as the action of the body",
      "properties.tables[].id": "an entry as it is listed",
      "properties.tables[].name": "an entry as it is listed",
      "properties.tables[].type": "an entry as it is listed",
      "properties.tables[].description": "an entry as it is listed",
      "properties.tables[].columns": "an entry as it is listed",
      "properties.tables[].notes": "an entry as it is listed",
    },
  },
};
