import { isList, isObject } from "../../base/index.ts";
import { fromId, querySchemas, relativeWords, rowFilterSchemas } from "../../queries/index.ts";
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

/** Members of a query that come from the caller, never from the model. */
const ofCaller = ["context", "explain", "options"] as const;
/** Members of a column that contain expressions, which the model must not write. */
const ofExpressions = ["expression", "formula"] as const;
/** How often lists of conditions may contain lists of conditions. */
const mostNested = 1;
/** The clauses of a query in which the schema lists the ids that the model may use. `checkQuery` checks all ids. */
const listedIn = ["dimensions", "measures", "order"] as const;

const { Query, QueryDimension, QueryMeasure, QueryOrder } = querySchemas;

/** A member of a query that the model may use. */
export type QueryMember = Exclude<keyof typeof Query.properties, (typeof ofCaller)[number]>;
/** A member of a column, a measure or an item of `order` that the model may use. */
export type ReferenceMember = Exclude<
  | keyof typeof QueryDimension.properties
  | keyof typeof QueryMeasure.properties
  | keyof typeof QueryOrder.properties,
  (typeof ofExpressions)[number]
>;

const isAny = (list: readonly string[], member: string): boolean => list.includes(member);

export const queryMembers: readonly QueryMember[] = Object.keys(Query.properties).filter(
  (member): member is QueryMember => !isAny(ofCaller, member),
);

export const referenceMembers: readonly ReferenceMember[] = [
  ...new Set(
    [QueryDimension, QueryMeasure, QueryOrder].flatMap(({ properties }) => Object.keys(properties)),
  ),
].filter((member): member is ReferenceMember => !isAny(ofExpressions, member));

const testDescription =
  'one of "? = ?", "? != ?", "? < ?", "? <= ?", "? > ?", "? >= ?", "? in ?", "? not in ?", "? like ?", ' +
  '"? starts with ?", "? between ?" (a list of two), "? is null", "? is not null"; or of a datetime ' +
  `${relativeWords.map((word) => `"${word}"`).join(", ")} with {unit: a level, quantity}: last_now are the ` +
  "units that end now, ago is one whole period (0 the current one), last_completed are whole periods " +
  "before the current one, to_date is the current period until now";

const named: Readonly<Record<string, unknown>> = { ...querySchemas, ...rowFilterSchemas };

/**
 * Creates the JSON Schema of a query from the schema of the API, restricted to the ids of the datasets' columns and
 * formulas. No member accepts expressions from the model, parameters of tokens, or options of the caller.
 */
export function querySchema(datasets: readonly KnownDataset[]): Schema {
  const ids: Readonly<Record<string, Schema>> = {
    dataset_id: { type: "string", enum: datasets.map(({ id }) => id) },
    column_id: {
      type: "string",
      enum: [...datasets.flatMap(({ columns }) => columns.map(({ id }) => id)), "*"],
      description: '"*" with the aggregation count counts rows',
    },
    via: { type: "string", enum: datasets.flatMap(({ columns }) => columns.map(({ id }) => id)) },
    formula_id: {
      type: "string",
      enum: datasets.flatMap(({ formulas }) => formulas.map(({ id }) => id)),
    },
  };
  /** Copies a schema without the parts that are not for the model; undefined if nothing is left. */
  const narrowed = (schema: unknown, scope: Scope): Schema | undefined => {
    if (!isObject(schema)) return undefined;
    const { $ref: reference, anyOf, type, items, properties, required, ...rest } = schema;
    if (typeof reference === "string") {
      const name = reference.split("/").at(-1) ?? "";
      const inner = entered(name, scope);
      return inner && narrowed(named[name], inner);
    }
    if (isList(anyOf)) {
      const some = anyOf.flatMap((each) => narrowed(each, scope) ?? []);
      return some.length > 0 ? { ...rest, anyOf: some } : undefined;
    }
    if (type === "array") {
      const each = narrowed(items, scope);
      return each && { ...rest, type, items: each };
    }
    if (type !== "object" || !isObject(properties)) return schema;
    const isColumn = Object.hasOwn(properties, "column_id");
    const isTest = Object.hasOwn(properties, "parameters");
    const left = isColumn ? ofExpressions : ofCaller;
    const members = Object.entries(properties).flatMap(([member, each]): [string, Schema][] => {
      if (isAny(left, member)) return [];
      if (isColumn && Object.hasOwn(ids, member)) {
        const id = ids[member];
        // A providers' schema may not have an enum without values.
        if (!id || (isList(id["enum"]) && id["enum"].length === 0)) return [];
        if (!scope.isListed) return [[member, { type: "string" }]];
        const isOfFrom = scope.isOverFrom && (member === "dataset_id" || member === "column_id");
        return [[member, isOfFrom ? { anyOf: [id, ofFrom[member]] } : id]];
      }
      if (isTest && member === "expression") return [[member, text(testDescription)]];
      const isListed = scope.isListed || (scope.queries === 0 && isAny(listedIn, member));
      const own = narrowed(each, { ...scope, isListed });
      return own ? [[member, own]] : [];
    });
    const kept = new Set(members.map(([member]) => member));
    const needed = isList(required) ? required.map(String).filter((each) => kept.has(each)) : [];
    return { ...rest, ...object(Object.fromEntries(members), needed) };
  };
  const query = narrowed(querySchemas.Query, {
    nested: 0,
    queries: 0,
    isOverFrom: true,
    isListed: false,
    isAggregated: false,
  });
  const properties = isObject(query?.["properties"]) ? query["properties"] : {};
  return object(properties, ["measures"]);
}

/** Where in a query a schema stands. */
interface Scope {
  /** How many lists of conditions contain it. */
  readonly nested: number;
  /** How many queries contain it through `from`. */
  readonly queries: number;
  /** Whether the columns may be those of an inner query. */
  readonly isOverFrom: boolean;
  /** Whether the ids are listed. Elsewhere they are only strings, so that the schema stays small. */
  readonly isListed: boolean;
  /** Whether it is an argument of an aggregation. */
  readonly isAggregated: boolean;
}

const ofFrom = {
  dataset_id: { type: "string", enum: [fromId], description: "the answer of the query in from" },
  column_id: text("a name in from.columns"),
};

/** Returns the scope inside a named schema; undefined if the model must not use the schema there. */
function entered(name: string, scope: Scope): Scope | undefined {
  if (name === "FilterParameter") return undefined;
  if (name === "QueryFilter")
    return scope.nested > mostNested ? undefined : { ...scope, nested: scope.nested + 1 };
  if (name === "QueryFrom")
    return scope.queries > 0
      ? undefined
      : { ...scope, nested: 0, queries: scope.queries + 1, isOverFrom: false };
  if (name === "QueryAggregation")
    return scope.isAggregated ? undefined : { ...scope, isListed: false, isAggregated: true };
  return scope;
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
