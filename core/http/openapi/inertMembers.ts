import type { Action } from "../../base/index.ts";

/** Paths of members, each with a reason or with the clients that send the member. */
type Inert = Readonly<Record<string, string>>;

const model = "the assistant has only one model, which the operator chooses";

/**
 * Body members that are accepted but have no effect, by resource, action and path. Members of record `properties` that
 * have no effect are listed in the declarations.
 */
export const inertMembers: Readonly<Record<string, Partial<Record<Action, Inert>>>> = {
  aichart: { create: { "properties.model_preference": model, model_preference: model } },
  aiprompt: {
    create: {
      "properties.text_format": "sent by component kits; answers are always plain text",
      "properties.model_preference": model,
    },
  },
  iqmessage: { create: { "properties.model_preference": model } },
  dataprovider: {
    create: {
      "properties.action":
        "sent by Terraform and scripts; always `create`, like `action` in the body",
      "properties.tables[].id": "copied from an entry that `get` lists",
      "properties.tables[].name": "copied from an entry that `get` lists",
      "properties.tables[].type": "copied from an entry that `get` lists",
      "properties.tables[].description": "copied from an entry that `get` lists",
      "properties.tables[].columns": "copied from an entry that `get` lists",
      "properties.tables[].notes": "copied from an entry that `get` lists",
    },
  },
};
