import Type from "typebox";
import type { Action } from "../../base/index.ts";
import { reference } from "./reference.ts";
import { Explanation, type ServiceOperation } from "./serviceSchemas.ts";

const Texts = Type.Record(Type.String(), Type.String(), { description: "Strings by language." });
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
  Type.String({ description: "The console page that shows the answer." }),
);
const Item = reference("DashboardItem");
const Text = Type.Union([Type.String(), Type.Array(Type.String())]);
const Expression = Type.Object(
  { name: Texts, description: Texts, expression: Type.String(), type: Type.String() },
  { description: "The members to send when you create the formula or column." },
);
const Question = Type.String({ maxLength: 4000 });
const Language = Type.Optional(Type.String({ description: "A language, such as nl or pt-BR." }));
const InputValue = Type.Union([
  Text,
  Item,
  Type.Array(Type.Object({ id: Type.String() }, { additionalProperties: true })),
  Type.Record(Type.String(), Type.Unknown()),
]);
const Former = Type.Optional({ ...InputValue, description: "Alias of value." });
const lines = { mediaType: "application/x-ndjson", description: "Lines of JSON." };

/** The services that use a model, by name and action. */
export const assistantOperations: Readonly<
  Record<string, Partial<Record<Action, ServiceOperation>>>
> = {
  generate_descriptions: {
    create: {
      summary: "Describes datasets, columns and formulas with a model",
      members: {
        properties: Type.Object({
          datasets: Datasets,
          languages: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
          dry: Type.Optional(
            Type.Boolean({ description: "`false` also stores the descriptions; default true." }),
          ),
        }),
      },
      answer: Type.Object({
        properties: Type.Object({ datasets: Datasets }),
        incomplete: Type.Optional(
          Type.Array(Uuid, {
            description: "Datasets, columns and formulas that the model did not describe.",
          }),
        ),
      }),
    },
  },
  aichart: {
    create: {
      summary: "Draws a chart that answers a question, or suggests questions",
      members: {
        properties: Type.Object({
          type: Type.Union(
            [Type.Literal("generate-chart"), Type.Literal("generate-example-questions")],
            {
              description: "What to create: a chart that answers `question`, or example questions.",
            },
          ),
          dataset_id: Uuid,
          question: Type.Optional(Question),
          locale_id: Language,
        }),
      },
      answer: Type.Object({
        generatedChart: Type.Optional(Item),
        explain: Type.Optional(Explanation),
        struck_count: Type.Optional(
          Type.Integer({
            description:
              "How many numbers without a basis in the data were removed from the title.",
          }),
        ),
        open_url: OpenUrl,
        examples: Type.Optional(Type.Array(Type.Object({ title: Type.String() }))),
      }),
    },
  },
  aiprompt: {
    create: {
      summary: "Answers a question in a conversation",
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
          response_mode: Type.Optional(Type.String({ description: "`item_only` omits the text." })),
          input: Type.Array(
            Type.Object({
              type: Type.Union([
                Type.Literal("text"),
                Type.Literal("dataset"),
                Type.Literal("item"),
              ]),
              value: Type.Optional({
                ...InputValue,
                description: "The string, the dataset or datasets, or the item.",
              }),
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
            description: "How many numbers without a basis in the data were removed.",
          }),
          choices: Type.Optional(Type.Array(Type.String())),
        }),
      }),
      otherType: {
        mediaType: "text/event-stream",
        description: "With stream: a stream of events.",
      },
    },
  },
  iqformula: {
    create: {
      summary: "Writes a formula or a derived column",
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
        query: reference("Query"),
        result: Type.Object({
          columns: Type.Array(Type.String()),
          rows: Type.Array(Type.Array(reference("AnswerCell"))),
          is_cut: Type.Boolean(),
        }),
        struck_count: Type.Integer({
          description: "How many numbers without a basis in the data were removed.",
        }),
        open_url: OpenUrl,
      }),
    },
  },
  iqmessage: {
    create: {
      summary: "Answers a question in parts, as lines of JSON",
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
      summary: "Summarizes the answer to a query",
      members: {
        properties: Type.Object({
          query: Type.Optional(reference("Query")),
          item: Type.Optional(Item),
          title: Type.Optional(Type.String()),
          locale_id: Language,
        }),
      },
      answer: Type.String(),
      otherType: { mediaType: "text/plain", description: "The text, streamed as it is written." },
    },
  },
};
