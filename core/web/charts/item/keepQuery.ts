import { kindOfItem } from "./itemKinds.ts";
import { queryOf } from "./queryOf.ts";
import { isObject, listOf, objectOf, readItem } from "./readItem.ts";
import type { Stored } from "./stored.ts";

/** An item that runs a query, or the member of the query that items of its type cannot express. */
export type KeptQuery =
  | { readonly item: Stored<"id"> }
  | { readonly member: string; readonly problem: string };

/**
 * Adds the order and limit of a query to an item with its columns, so that a dashboard runs the same query. Filters are
 * stored next to the item: see `placeItem`. Returns a problem if the item would run another query or could not show the
 * answer.
 */
export function keepQuery(
  item: Stored<"options" | "type">,
  query: Stored<"order" | "limit" | "options">,
): KeptQuery {
  const [first, second] = listOf(query.order);
  if (second !== undefined)
    return { member: "order", problem: "charts can be sorted by only one column" };
  const { offset, by } = objectOf(query.limit);
  if (offset)
    return {
      member: "limit.offset",
      problem: "charts always start at the first row, so an offset is not possible",
    };
  const { order: direction = "asc", ...reference } = objectOf(first);
  const isMeasure = ["aggregation", "formula_id", "formula"].some((each) =>
    Object.hasOwn(reference, each),
  );
  const sort = first !== undefined && { by: isMeasure ? "measure" : "category", direction };
  const kept = {
    ...item,
    options: {
      ...objectOf(item.options),
      ...(sort && { sort }),
      ...(by !== undefined && { limit: { number: by } }),
    },
  };
  const found: Stored<"order" | "options"> = queryOf(readItem(kept))?.query ?? {};
  const { mostDimensions = Infinity } = kindOfItem(String(item.type)) ?? {};
  for (const [member, most] of [
    ["dimensions", mostDimensions],
    ["measures", Infinity],
  ] as const)
    if (written(found[member]) !== written(query[member]) || listOf(found[member]).length > most)
      return {
        member,
        problem: `this chart type (${String(item.type)}) cannot show these columns; choose another type, such as regular-table`,
      };
  if (first !== undefined && written(found.order) !== written(query.order))
    return {
      member: "order",
      problem:
        "charts can be sorted only by their first dimension or first measure, in the order asc or desc",
    };
  if (
    objectOf<"rollup_data">(query.options).rollup_data !==
    objectOf<"rollup_data">(found.options).rollup_data
  )
    return {
      member: "options.rollup_data",
      problem: "this chart type does not group rows as the query does (rollup_data)",
    };
  return { item: kept };
}

/** Returns the references of a clause as a string in a canonical order. Equal sets of references give equal strings. */
function written(clause: unknown): string {
  const references = listOf(clause).map((each) => JSON.stringify(sorted(each)));
  return JSON.stringify(references.toSorted());
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([member, each]) => [member, sorted(each)]),
  );
}
