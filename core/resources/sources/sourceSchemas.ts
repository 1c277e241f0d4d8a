import Type from "typebox";
import type { NamedSchemas } from "../../base/index.ts";

const Names = (description: string) => Type.Array(Type.String(), { description });
const Deviations = (description: string) =>
  Type.Record(Type.String(), Type.Array(Type.String()), { description });

/** The schemas of members of plugins, by the name in the API description. */
export const sourceSchemas: NamedSchemas = {
  PluginProperty: Type.Object(
    {
      id: Type.String({
        description: "Name of the property: the member of `properties` that an account sets.",
      }),
      label: Type.Optional(
        Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
          description: "Title of the field in forms: a string, or one per language.",
        }),
      ),
      type: Type.Optional(
        Type.String({ description: "The kind of field in forms, such as `text`." }),
      ),
      required: Type.Optional(
        Type.Boolean({ description: "Whether accounts must set the property. Absent: `false`." }),
      ),
      secret: Type.Optional(
        Type.Boolean({
          description:
            "`false` shows the value in responses, `true` never does. Absent: the host decides by type and name.",
        }),
      ),
    },
    {
      additionalProperties: true,
      description: "A property that accounts of the plugin have. Other members are kept.",
    },
  ),
  PluginCheckReport: Type.Object(
    {
      kit_version: Type.String({ description: "Version of the conformance kit." }),
      seed: Type.Integer({
        description: "The seed of the random queries, with which the check can be repeated.",
      }),
      query_count: Type.Integer({ description: "Number of queries that the plugin received." }),
      dataset_count: Type.Integer({ description: "Number of datasets that were queried." }),
      row_count: Type.Integer({ description: "Number of rows in these datasets." }),
      proved: Names(
        "Capabilities that are proved: every known deviation would have produced a different answer.",
      ),
      unproved: Deviations(
        "Claimed capabilities without a wrong answer, which the rows cannot prove. Each lists the deviations that remain possible.",
      ),
      wrong: Deviations(
        "Capabilities with a wrong answer, each with the deviations that the kit found.",
      ),
      possible: Names("Capabilities that the plugin does not claim, but answered correctly."),
      refused: Names("Capabilities that the plugin does not claim and correctly refused."),
      not_asked: Names("Capabilities that the kit has no queries for."),
      problem: Type.Optional(
        Type.String({ description: "The reason why the plugin could not be checked." }),
      ),
    },
    { description: "The result of checking a plugin with the conformance kit." },
  ),
  AuditTarget: Type.Object(
    {
      role: Type.String({ description: "The role of the association, such as `Users`." }),
      resource: Type.String({ description: "The resource of the other record." }),
      id: Type.String({ description: "Id of the other record." }),
    },
    { description: "The other record of an event." },
  ),
  AiMessageContent: Type.Object(
    {
      role: Type.Enum(["user", "assistant"], {
        type: "string",
        description: "Who wrote the message: the person, or the model.",
      }),
      content: Type.Unknown({ description: "The text, or parts of it." }),
    },
    { additionalProperties: true, description: "The content of a message." },
  ),
  StorageMetadata: Type.Object(
    {
      numeric: Type.Optional(Names("Ids of the columns with numbers.")),
      hierarchy: Type.Optional(Names("Ids of the columns with strings.")),
    },
    { description: "Ids of the stored columns, by type." },
  ),
};
