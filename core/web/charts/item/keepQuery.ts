import { kindOfItem } from "./itemKinds.ts";
import { queryOf } from "./queryOf.ts";
import { isObject, listOf, objectOf, readItem } from "./readItem.ts";
import type { Stored } from "./stored.ts";

/** An item that asks a query, or the member of the query that no item of its type can ask. */
export type KeptQuery =
  | { readonly item: Stored<"id"> }
  | { readonly member: string; readonly problem: string };

/**
 * Adds the order and the limit of a query to an item of its columns, so that a dashboard asks what was asked. Filters
 * are kept beside the item: `placeItem`. Refuses a query that the item would ask otherwise, or could not show.
 */
export function keepQuery(
  item: Stored<"options" | "type">,
  asked: Stored<"order" | "limit" | "options">,
): KeptQuery {
  const [first, second] = listOf(asked.order);
  if (second !== undefined) return { member: "order", problem: "an item keeps one order alone" };
  const { offset, by } = objectOf(asked.limit);
  if (offset) return { member: "limit.offset", problem: "an item begins at its first row" };
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
    if (written(found[member]) !== written(asked[member]) || listOf(found[member]).length > most)
      return {
        member,
        problem: `a ${String(item.type)} cannot ask them; take another chart, such as regular-table`,
      };
  if (first !== undefined && written(found.order) !== written(asked.order))
    return {
      member: "order",
      problem: "an item is ordered by its first dimension or its first measure; say asc or desc",
    };
  if (
    objectOf<"rollup_data">(asked.options).rollup_data !==
    objectOf<"rollup_data">(found.options).rollup_data
  )
    return { member: "options.rollup_data", problem: "an item of this chart asks the other form" };
  return { item: kept };
}

/** The references of a clause, whatever their order and the order of their members. */
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
