import Type from "typebox";
import type { Action } from "../contracts/index.ts";
import type { ServiceOperation } from "./serviceSchemas.ts";

const Texts = Type.Record(Type.String(), Type.String(), { description: "by language" });
const Uuid = Type.String({ format: "uuid" });
const Described = Type.Object({ id: Uuid, description: Type.Optional(Texts) });
const Datasets = Type.Array(
  Type.Object({
    id: Uuid,
    description: Type.Optional(Texts),
    columns: Type.Optional(Type.Array(Described, { maxItems: 1000 })),
    formulas: Type.Optional(Type.Array(Described, { maxItems: 1000 })),
  }),
  { maxItems: 20 },
);

/** The services that a model answers, by name and action. */
export const assistantOperations: Readonly<
  Record<string, Partial<Record<Action, ServiceOperation>>>
> = {
  generate_descriptions: {
    create: {
      members: {
        properties: Type.Object({
          datasets: Datasets,
          languages: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
          dry: Type.Optional(
            Type.Boolean({ description: "false stores the descriptions; true by default" }),
          ),
        }),
      },
      answer: Type.Object({
        properties: Type.Object({ datasets: Datasets }),
        incomplete: Type.Optional(
          Type.Array(Uuid, { description: "what the model did not describe" }),
        ),
      }),
    },
  },
};
