import Type from "typebox";
import type { Action } from "../../base/index.ts";
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

const OpenUrl = Type.Optional(
  Type.String({ description: "the console page that shows the answer" }),
);
const Item = Type.Record(Type.String(), Type.Unknown(), {
  description: "the item, with type, options, slots, query and explain",
});
const Expression = Type.Object(
  { name: Texts, description: Texts, expression: Type.String(), type: Type.String() },
  { description: "the members to send when creating it" },
);
const Question = Type.String({ maxLength: 4000 });
const Language = Type.Optional(Type.String({ description: "such as nl or pt-BR" }));
const Former = Type.Optional(Type.Unknown({ description: "alias of value" }));
const lines = { mediaType: "application/x-ndjson", description: "lines of JSON" };

/** The services that use a model, by name and action. */
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
            Type.Boolean({ description: "false also stores the descriptions; default true" }),
          ),
        }),
      },
      answer: Type.Object({
        properties: Type.Object({ datasets: Datasets }),
        incomplete: Type.Optional(
          Type.Array(Uuid, {
            description: "datasets, columns and formulas that the model did not describe",
          }),
        ),
      }),
    },
  },
  aichart: {
    create: {
      members: {
        properties: Type.Object({
          type: Type.Union([
            Type.Literal("generate-chart"),
            Type.Literal("generate-example-questions"),
          ]),
          dataset_id: Uuid,
          question: Type.Optional(Question),
          locale_id: Language,
        }),
      },
      answer: Type.Object({
        generatedChart: Type.Optional(Item),
        explain: Type.Optional(Type.Unknown()),
        struck_count: Type.Optional(
          Type.Integer({
            description: "how many numbers without a basis in the data were removed from the title",
          }),
        ),
        open_url: OpenUrl,
        examples: Type.Optional(Type.Array(Type.Object({ title: Type.String() }))),
      }),
    },
  },
  aiprompt: {
    create: {
      members: {
        properties: Type.Object({
          agent: Type.Optional(Type.Union([Type.Literal("analyst"), Type.Literal("item")])),
          task: Type.Optional(
            Type.Union([
              Type.Literal("generate"),
              Type.Literal("suggest"),
              Type.Literal("describe"),
            ]),
          ),
          conversation_id: Type.Optional(Uuid),
          locale_id: Language,
          timezone_id: Type.Optional(Type.String()),
          stream: Type.Optional(Type.Boolean()),
          response_mode: Type.Optional(Type.String({ description: "item_only omits the text" })),
          input: Type.Array(
            Type.Object({
              type: Type.Union([
                Type.Literal("text"),
                Type.Literal("dataset"),
                Type.Literal("item"),
              ]),
              value: Type.Optional(
                Type.Unknown({ description: "the string, the dataset or datasets, or the item" }),
              ),
              text: Former,
              content: Former,
              id: Former,
              dataset_id: Former,
              item: Former,
            }),
          ),
        }),
      },
      answer: Type.Object({
        conversation_id: Type.Union([Uuid, Type.Null()]),
        assistant_message: Type.Object({
          message: Type.String(),
          aiMessageAssets: Type.Array(Type.Object({ type: Type.Literal("item"), value: Item })),
          struck_count: Type.Integer({
            description: "how many numbers without a basis in the data were removed",
          }),
          choices: Type.Optional(Type.Array(Type.String())),
        }),
      }),
      otherType: { mediaType: "text/event-stream", description: "with stream: a stream of events" },
    },
  },
  iqformula: {
    create: {
      members: {
        properties: Type.Object({
          dataset_id: Uuid,
          prompt: Question,
          kind: Type.Optional(Type.Union([Type.Literal("formula"), Type.Literal("column")])),
          locale_id: Language,
          timezone_id: Type.Optional(Type.String()),
        }),
      },
      answer: Type.Object({
        formula: Type.Optional(Expression),
        column: Type.Optional(Expression),
        query: Type.Record(Type.String(), Type.Unknown()),
        result: Type.Object({
          columns: Type.Array(Type.String()),
          rows: Type.Array(Type.Array(Type.Unknown())),
          is_cut: Type.Boolean(),
        }),
        struck_count: Type.Integer({
          description: "how many numbers without a basis in the data were removed",
        }),
        open_url: OpenUrl,
      }),
    },
  },
  iqmessage: {
    create: {
      members: {
        properties: Type.Object({
          prompt: Question,
          order: Type.Optional(Type.Number()),
          response_mode: Type.Optional(
            Type.Union([Type.Literal("text_only"), Type.Literal("mixed")]),
          ),
          dataset_id: Type.Optional(Uuid),
          conversation_id: Type.Optional(Uuid),
          locale_id: Language,
        }),
      },
      answer: Type.Object({ state: Type.String() }),
      otherType: lines,
    },
  },
  aisummary: {
    create: {
      members: {
        properties: Type.Object({
          query: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
          item: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), {
              description: "an item that contains its query; send it instead of query",
            }),
          ),
          title: Type.Optional(Type.String()),
          locale_id: Language,
        }),
      },
      answer: Type.String(),
      otherType: { mediaType: "text/plain", description: "the text, streamed as it is written" },
    },
  },
};
