import { levels, type Level } from "../../plugins/protocol/index.ts";
import type { Gold, GoldTest } from "./questions/question.ts";

type Json = Readonly<Record<string, unknown>>;

/** The ids of a catalog, keyed by `table`, `table.column` and `table.formula`. */
export type Ids = ReadonlyMap<string, string>;

/**
 * Converts a gold query in short form to a query of the data service.
 * @throws {Error} for a name without an id
 */
export function bindGold(gold: Gold, ids: Ids): Json {
  const { by = [], of, where = [], having = [], order = [], limit } = gold;
  return {
    dimensions: by.map((each) => referenceOf(each, ids)),
    measures: of.map((each) => referenceOf(each, ids)),
    ...(where.length > 0 && { where: where.map((each) => testOf(each, ids)) }),
    ...(having.length > 0 && { having: having.map((each) => testOf(each, ids)) }),
    ...(order.length > 0 && {
      order: order.map((each) => ({
        ...referenceOf(each.replace(/^-/, ""), ids),
        order: each.startsWith("-") ? "desc" : "asc",
      })),
    }),
    ...(limit !== undefined && { limit: { by: limit } }),
  };
}

function testOf([what, expression, value]: GoldTest, ids: Ids): Json {
  const reference = referenceOf(what, ids);
  return { expression, parameters: value === undefined ? [reference] : [reference, value] };
}

/** Parses `table.column`, `table.column:level`, `sum table.column`, `count table` or `formula table.name`. */
function referenceOf(text: string, ids: Ids): Json {
  const [first = "", second] = text.split(" ");
  const [name = "", level] = (second ?? first).split(":");
  const [table = ""] = name.split(".");
  const dataset_id = idOf(table, ids);
  if (first === "count" && name === table)
    return { dataset_id, column_id: "*", aggregation: { type: "count" } };
  if (first === "formula") return { dataset_id, formula_id: idOf(name, ids) };
  return {
    dataset_id,
    column_id: idOf(name, ids),
    ...(level !== undefined && { level: levels.indexOf(level as Level) + 1 }),
    ...(second !== undefined && { aggregation: { type: first } }),
  };
}

function idOf(name: string, ids: Ids): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the gold query has the unknown name ${name}`);
  return id;
}
