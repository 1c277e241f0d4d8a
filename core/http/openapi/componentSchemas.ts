import type { NamedSchemas } from "../../base/index.ts";
import { type Declaration, namedSchemas } from "../../resources/index.ts";
import { querySchemas } from "./querySchemas.ts";
import { linkSchemas } from "./linkSchemas.ts";
import { uploadSchemas } from "./uploadSchemas.ts";
import { candidateSchema, FindInclude, propertiesSchema } from "./recordSchemas.ts";

/**
 * Returns the schemas to which calls, answers and records refer, by name: queries, the parts of members, and the
 * properties of records that calls contain outside of the member `properties`.
 */
export function componentSchemas(declarations: ReadonlyMap<string, Declaration>): NamedSchemas {
  const [channel, alert] = ["channel", "alert"].map((name) => declarations.get(name));
  if (!channel || !alert) throw new TypeError("the resources channel and alert must exist");
  return {
    ...querySchemas,
    ...namedSchemas,
    ...linkSchemas(declarations),
    ...uploadSchemas,
    FindInclude,
    AlertDraft: {
      ...candidateSchema(alert),
      description: "Members that replace those of the stored alert.",
    },
    NewChannel: {
      ...propertiesSchema(channel, "create"),
      description: "A channel to create together with an alert.",
    },
  };
}
