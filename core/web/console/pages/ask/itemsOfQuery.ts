import {
  fillSlots,
  keepQuery,
  offeredTypes,
  queryOf,
  readItem,
  type ChartItem,
  type ItemType,
} from "../../../charts/index.ts";
import { isRecord } from "../../api/index.ts";
import { localized, textOf } from "../../language/index.ts";
import { phraseOf, type StoredItem } from "../../questions/index.ts";
import type { ShownAnswer } from "./readAnswer.ts";

type Json = Readonly<Record<string, unknown>>;

/** Names and types of the columns and formulas in a query, by id. */
export type KnownFields = ReadonlyMap<string, Json>;

/** The items that show an answer, and the item that a dashboard would store. */
export interface QueryItems {
  /** The answer as a chart; undefined if no chart of this type can show the query. */
  readonly chart: ChartItem | undefined;
  /** The answer as a table. Its fields are the dimensions, then the measures. */
  readonly table: ChartItem;
  /** The item for a dashboard; undefined, with a `problem`, if no item can express the query. */
  readonly kept: StoredItem | undefined;
  readonly problem: string | undefined;
}

/** Puts the columns of a query into two items: the chart that was chosen for the query, and a table. */
export function itemsOfQuery(
  { query, chart, title }: ShownAnswer,
  known: KnownFields,
  words: { readonly rows: string; readonly formula: string },
): QueryItems {
  const named = isRecord(title) || typeof title === "string" ? { title } : {};
  const contentsOf = (member: "dimensions" | "measures") =>
    listOf(query[member]).map((each) => contentOf(each, known, words, member === "measures"));
  const itemOf = (type: ItemType): StoredItem => ({
    id: "asked",
    type,
    options: named,
    slots: fillSlots(type, {
      dimensions: contentsOf("dimensions"),
      measures: contentsOf("measures"),
    }),
  });
  const keepable = { ...query, limit: keptLimit(query["limit"]) };
  const type = offeredTypes("assistant").find((each) => each === chart);
  const drawn = type && type !== "regular-table" ? itemOf(type) : undefined;
  const table = itemOf("regular-table");
  const asPicture = drawn && keepQuery({ ...drawn }, keepable);
  const kept = asPicture && "item" in asPicture ? asPicture : keepQuery({ ...table }, keepable);
  const stored = kept === asPicture && drawn ? drawn : table;
  return {
    chart: drawn && hasOrderOf(drawn, query) ? readItem(drawn) : undefined,
    table: readItem(table),
    kept: "item" in kept ? { ...stored, options: optionsOf(kept.item) } : undefined,
    problem: "item" in kept ? undefined : kept.problem,
  };
}

/** Removes the limit that the host adds to every query, because it is not part of the question. */
function keptLimit(limit: unknown): unknown {
  const by = isRecord(limit) ? limit["by"] : undefined;
  return typeof by === "number" && by > 1_000 ? undefined : limit;
}

const optionsOf = ({ options }: Json): Json => (isRecord(options) ? options : {});

/** Returns whether the cells of the answer are those of the item, in the same order. */
function hasOrderOf(item: StoredItem, query: Json): boolean {
  const found: Json = queryOf(readItem(item))?.query ?? {};
  return ["dimensions", "measures"].every((member) => {
    const [one, other] = [listOf(found[member]), listOf(query[member])];
    return (
      one.length === other.length &&
      one.every((each, index) => {
        const given = other[index] ?? {};
        return Object.entries(given).every(
          ([name, value]) => JSON.stringify(each[name]) === JSON.stringify(value),
        );
      })
    );
  });
}

function contentOf(
  reference: Json,
  known: KnownFields,
  words: { readonly rows: string; readonly formula: string },
  isMeasure: boolean,
): Json {
  const { dataset_id: datasetId, column_id: columnId, formula_id: formulaId, level } = reference;
  const { aggregation, discretization, formula } = reference;
  const field = known.get(String(formulaId ?? columnId)) ?? {};
  const bins = isRecord(discretization) ? discretization["bins"] : undefined;
  const isCount = columnId === "*";
  const isFormula = formulaId !== undefined || formula !== undefined;
  return {
    ...(datasetId !== undefined && { datasetId }),
    ...(formulaId !== undefined
      ? { formulaId }
      : formula !== undefined
        ? { formula }
        : { columnId }),
    label: isCount ? localized(words.rows) : labelOf(field["name"], aggregation, isFormula, words),
    type: isMeasure && (isCount || isFormula) ? "numeric" : (field["type"] ?? "hierarchy"),
    ...(isCount && { format: ",.0f" }),
    ...(typeof field["subtype"] === "string" && { subtype: field["subtype"] }),
    ...(typeof field["format"] === "string" && { format: field["format"] }),
    ...(level !== undefined && { level }),
    ...(bins !== undefined && { bins: { enabled: true, number: bins } }),
    ...(isRecord(aggregation) && { aggregationFunc: aggregation["type"] }),
  };
}

/** Returns the name of a column with its aggregation, such as "Average delay". */
function labelOf(
  name: unknown,
  aggregation: unknown,
  isFormula: boolean,
  words: { readonly formula: string },
): unknown {
  if (name === undefined) return localized(isFormula ? words.formula : "?");
  const type = isRecord(aggregation) ? String(aggregation["type"]) : undefined;
  if (type === undefined) return name;
  return localized(phraseOf(type, textOf(name)));
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
