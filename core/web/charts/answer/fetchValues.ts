import type { ValuesByColumn } from "../color/createColors.ts";
import type { ChartItem, SlotField } from "../item/item.ts";
import { kindOfItem } from "../item/itemKinds.ts";
import { dimensionOf, type ItemQuery } from "../item/queryOf.ts";
import { listOf, objectOf } from "../item/readItem.ts";
import { keyOfCell } from "./keyOfCell.ts";
import type { SendQueries } from "./sendQueries.ts";

/** Number of values per column that get a colour in turn. All others have the colour of their hash. */
const mostValues = 100;

/** Maximum number of queries per call to the host. */
const mostQueries = 50;

/** Returns whether an item draws values in colours of their own. */
export function usesValueColors(item: ChartItem): boolean {
  return coloredFields(item).length > 0;
}

/**
 * Fetches the most common values of the columns whose values items draw in colours, in one call. Filters do not apply,
 * so that the colours stay the same whatever the reader filters. Columns that the host cannot list are absent. Resolves
 * to an empty map without a call if the items need no colours.
 */
export async function fetchValues(
  items: readonly ChartItem[],
  send: SendQueries,
): Promise<ValuesByColumn> {
  const asked = listedFields(items);
  if (asked.length === 0) return new Map();
  const answers = await send(asked.map(valuesQuery));
  const values = new Map<string, string[]>();
  for (const [index, { columnId = "" }] of asked.entries()) {
    const { rows = [], failure } = answers[index] ?? {};
    if (failure) continue;
    values.set(columnId, [
      ...(values.get(columnId) ?? []),
      ...rows.map(([cell]) => keyOfCell(cell)),
    ]);
  }
  return values;
}

/** Returns a key that is equal for items whose values have the same colours. */
export function valuesKeyOf(items: readonly ChartItem[]): string {
  return JSON.stringify(listedFields(items).map(valuesQuery));
}

/** Returns each coloured column once, in an order that does not depend on the items. */
function listedFields(items: readonly ChartItem[]): readonly SlotField[] {
  const fields = new Map<string, SlotField>();
  for (const field of items.flatMap(coloredFields)) {
    const { datasetId, columnId, level, bins } = field;
    fields.set(JSON.stringify([datasetId, columnId, level, bins]), field);
  }
  const sorted = [...fields].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.slice(0, mostQueries).map(([, field]) => field);
}

function valuesQuery(field: SlotField): ItemQuery {
  const count = {
    ...(field.datasetId !== undefined && { dataset_id: field.datasetId }),
    column_id: "*",
    aggregation: { type: "count" },
  };
  return {
    dimensions: [dimensionOf(field)],
    measures: [count],
    order: [{ ...count, order: "desc" }],
    limit: { by: mostValues },
  };
}

/**
 * Returns the fields of an item whose values have colours: legends, colour slots, slices and coloured table columns.
 */
function coloredFields(item: ChartItem): readonly SlotField[] {
  const { fields, options } = item;
  const isSlices = kindOfItem(item.type)?.kind === "slices";
  const modes = listOf(options.columns).map(objectOf<"mode" | "slotContentId" | "id">);
  const painted = modes.flatMap(({ mode, slotContentId, id }) =>
    mode === "categoryBackground" || mode === "categoryBadge" ? [slotContentId ?? id] : [],
  );
  return fields.filter(
    ({ slot, id, columnId, aggregation }) =>
      columnId !== undefined &&
      aggregation === undefined &&
      (slot === "legend" ||
        slot === "color" ||
        (isSlices && slot === "category") ||
        painted.some((each) => each === id || each === columnId)),
  );
}
