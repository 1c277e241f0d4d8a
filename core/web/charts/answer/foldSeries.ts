import { combine, isCombinable } from "../item/combine.ts";
import type { ChartItem, SlotField } from "../item/item.ts";
import { kindRowOf } from "../item/itemKinds.ts";
import type { ChartCell, Folded } from "./chartRequest.ts";
import { keyOfCell } from "./keyOfCell.ts";

type Row = readonly ChartCell[];

/**
 * Returns which values of the legend stay and the rows of the others together; undefined if every value has a colour
 * of its own. The values with the largest total of the first measure stay. O(rows).
 */
export function foldSeries(
  item: ChartItem,
  fields: readonly SlotField[],
  rows: readonly Row[],
): Folded | undefined {
  const { mostSeries = Infinity } = kindRowOf(item.type);
  const legend = fields.findIndex(({ slot }) => slot === "legend");
  const measures = fields.flatMap(({ slot }, cell) => (slot === "measure" ? [cell] : []));
  const [measure] = measures;
  if (legend === -1 || measure === undefined) return undefined;
  const totals = new Map<string, number>();
  for (const row of rows) {
    const key = keyOfCell(row[legend]);
    const value = row[measure];
    totals.set(key, (totals.get(key) ?? 0) + (typeof value === "number" ? value : 0));
  }
  if (totals.size <= mostSeries) return undefined;
  const order = [...totals].toSorted(
    ([one, a], [other, b]) => Math.abs(b) - Math.abs(a) || (one < other ? -1 : 1),
  );
  const kept = new Set(order.slice(0, mostSeries - 1).map(([key]) => key));
  const others = rows.filter((row) => !kept.has(keyOfCell(row[legend])));
  const isHostly = fields.some((field) => field.slot === "measure" && !isCombinable(field));
  return {
    kept,
    count: totals.size - kept.size,
    rows: isHostly ? undefined : combinedRows(fields, others, { legend, measures }),
  };
}

/** Combines the rows of each category. */
function combinedRows(
  fields: readonly SlotField[],
  rows: readonly Row[],
  { legend, measures }: { readonly legend: number; readonly measures: readonly number[] },
): readonly Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(
      fields.map((_field, cell) =>
        cell === legend || measures.includes(cell) ? null : keyOfCell(row[cell]),
      ),
    );
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((group) =>
    fields.map((field, cell) => {
      if (cell === legend) return null;
      if (!measures.includes(cell)) return group[0]?.[cell] ?? null;
      return combine(
        field,
        group.map((row) => numberIn(row[cell])),
      );
    }),
  );
}

const numberIn = (cell: ChartCell | undefined): number | null =>
  typeof cell === "number" ? cell : null;
