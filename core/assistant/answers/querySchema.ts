import { aggregationDefinitions, aggregations } from "../../../plugins/protocol/index.ts";
import { isList, isObject } from "../../base/index.ts";
import { relativeWords } from "../../queries/index.ts";
import { offeredTypes } from "../../web/charts/index.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";

type Schema = Readonly<Record<string, unknown>>;

const object = (properties: Schema, required: readonly string[]): Schema => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});
const list = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
const text = (description: string): Schema => ({ type: "string", description });

/**
 * Creates the JSON Schema of our query, restricted to the ids of the datasets' columns and formulas. No member accepts
 * expressions from the model.
 */
function querySchema(datasets: readonly KnownDataset[]): Schema {
  const columnIds = datasets.flatMap(({ columns }) => columns.map(({ id }) => id));
  const formulaIds = datasets.flatMap(({ formulas }) => formulas.map(({ id }) => id));
  const ofColumn: Readonly<Record<string, Schema>> = {
    dataset_id: { type: "string", enum: datasets.map(({ id }) => id) },
    column_id: { type: "string", enum: columnIds },
  };
  const level = {
    type: "integer",
    enum: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    description:
      "of a datetime: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute, 8 second, 9 millisecond",
  };
  const aggregation = object({ type: { type: "string", enum: plainAggregations } }, ["type"]);
  const dimension = object({ ...ofColumn, level }, ["dataset_id", "column_id"]);
  const aggregated = object({ ...ofColumn, aggregation }, [
    "dataset_id",
    "column_id",
    "aggregation",
  ]);
  const counted = object(
    {
      dataset_id: ofColumn["dataset_id"]!,
      column_id: { type: "string", enum: ["*"], description: "counts rows" },
      aggregation: object({ type: { type: "string", enum: ["count"] } }, ["type"]),
    },
    ["dataset_id", "column_id", "aggregation"],
  );
  const formula = object(
    { dataset_id: ofColumn["dataset_id"]!, formula_id: { type: "string", enum: formulaIds } },
    ["dataset_id", "formula_id"],
  );
  const measure = {
    anyOf: [
      ...(columnIds.length > 0 ? [aggregated] : []),
      counted,
      ...(formulaIds.length > 0 ? [formula] : []),
    ],
  };
  const test = object(
    {
      expression: text(
        'one of "? = ?", "? != ?", "? < ?", "? <= ?", "? > ?", "? >= ?", "? in ?", "? not in ?", "? like ?", ' +
          '"? starts with ?", "? between ?" (a list of two), "? is null", "? is not null"; or of a datetime ' +
          `${relativeWords.map((word) => `"${word}"`).join(", ")} with {unit: a level, quantity}: last_now are the ` +
          "units that end now, ago is one whole period (0 the current one), last_completed are whole periods " +
          "before the current one, to_date is the current period until now",
      ),
      parameters: {
        type: "array",
        minItems: 1,
        maxItems: 2,
        items: {},
        description:
          "[{dataset_id, column_id, aggregation of having}, value]; dates as ISO strings",
      },
    },
    ["expression", "parameters"],
  );
  const ordered = { anyOf: measure.anyOf.concat(dimension).map(withOrder) };
  return object(
    {
      dimensions: list(dimension),
      measures: list(measure, { minItems: 1 }),
      where: list(test),
      having: list(test),
      order: list(ordered),
      limit: object({ by: { type: "integer", minimum: 1, maximum: 1000 } }, ["by"]),
    },
    ["measures"],
  );
}

/** The aggregations that need no further argument. */
const plainAggregations = aggregations.filter(
  (name) => aggregationDefinitions[name].takes === undefined,
);

function withOrder(schema: Schema): Schema {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = isList(schema["required"]) ? schema["required"].map(String) : [];
  return object({ ...properties, order: { type: "string", enum: ["asc", "desc"] } }, [
    ...required,
    "order",
  ]);
}

/** Creates the tools with which the model can respond to a question: answer with a query, ask back, or decline. */
export function questionTools(datasets: readonly KnownDataset[]) {
  return [
    {
      name: "answer",
      description: "Answers the question with a query and a chart.",
      parameters: object(
        {
          title: text("a short title of the chart, in the language of the question"),
          chart: { type: "string", enum: offeredTypes("assistant") },
          query: querySchema(datasets),
        },
        ["title", "chart", "query"],
      ),
    },
    {
      name: "ask_back",
      description: "Asks what is meant, if the question can mean several things.",
      parameters: object(
        {
          question: text("in the language of the question"),
          choices: list(text("a choice"), { minItems: 2 }),
        },
        ["question", "choices"],
      ),
    },
    {
      name: "cannot",
      description: "Says why the datasets cannot answer the question.",
      parameters: object({ reason: text("in the language of the question") }, ["reason"]),
    },
  ];
}
