import {
  kindOfItem,
  listOf,
  objectOf,
  queryOf,
  totalsOf,
  type ChartCell,
  type ChartItem,
} from "../../charts/index.ts";
import { keyOf } from "../selections/index.ts";

type Json = Readonly<Record<string, unknown>>;
type Row = readonly ChartCell[];

/** Maximum number of rows of a cube. Larger cubes are not worth transferring. */
const mostCubeRows = 20_000;

/** Aggregates that can be added: the value of a whole is the sum of the values of its parts. */
const additive = ["sum", "count"];

/** The query for the cube of a linked item: the groups of the brushed item combined with those of the linked item. */
export interface CubeQuery {
  readonly query: Json;
  /** Number of dimensions of the brushed item. The cells of these dimensions come first in a row. */
  readonly brushCount: number;
  /** Number of dimensions of the linked item. */
  readonly groupCount: number;
  /** Aggregates of the linked item's measures. */
  readonly aggregates: readonly string[];
  /**
   * Index of the measure that orders the rows, and the direction: -1 puts the largest value first. Undefined for any
   * other order.
   */
  readonly order: { readonly measure: number; readonly direction: 1 | -1 } | undefined;
}

/**
 * Returns the query whose answer lets a brush over one item update a linked item without the host. Undefined if the
 * values of the whole do not follow from the values of its parts. This is the case for aggregates other than sums and
 * counts, formulas, plain rows, limits, and tables with totals.
 */
export function cubeQueryOf(
  brushed: ChartItem,
  linked: ChartItem,
  options: Parameters<typeof queryOf>[1],
): CubeQuery | undefined {
  const source = queryOf(brushed)?.query;
  const linkedQuery = queryOf(linked, options)?.query;
  if (!source || !linkedQuery || linked.options.limit !== undefined || totalsOf(linked))
    return undefined;
  if (kindOfItem(linked.type)?.kind === "filter" || isRaw(source) || isRaw(linkedQuery))
    return undefined;
  const bins = objectsOf(source.dimensions);
  const groups = objectsOf(linkedQuery.dimensions);
  const measures = objectsOf(linkedQuery.measures);
  const aggregates = measures.map(({ aggregation, formula, formula_id: formulaId }) =>
    formula === undefined && formulaId === undefined
      ? String(objectOf<"type">(aggregation).type)
      : "formula",
  );
  // Bins of numbers depend on the filtered rows, so a brush would change the bins of a linked item.
  const isBinned = groups.some(({ discretization }) => discretization !== undefined);
  if (bins.length === 0 || isBinned || aggregates.some((each) => !additive.includes(each)))
    return undefined;
  const [order] = objectsOf(linkedQuery.order);
  const { order: direction, ...ordered } = order ?? {};
  const measure = measures.findIndex((each) => JSON.stringify(each) === JSON.stringify(ordered));
  const { order: _, limit: __, ...rest } = linkedQuery;
  return {
    query: {
      ...rest,
      dimensions: [...bins, ...groups],
      ...(order && measure === -1 && { order: [order] }),
      limit: { by: mostCubeRows },
    },
    brushCount: bins.length,
    groupCount: groups.length,
    aggregates,
    order: measure === -1 ? undefined : { measure, direction: direction === "asc" ? 1 : -1 },
  };
}

/** A loaded cube, whose rows are indexed by the keys of their brushed groups. */
export interface Cube {
  /** Returns the rows of the linked item for the brushed groups with these keys. O(rows of these groups). */
  fold(keys: Iterable<string>): Row[];
}

/**
 * Creates a cube from the answer to its query. Undefined if the answer was truncated, or has groups that the brushed
 * item does not show, for example because the bins of numbers have moved.
 */
export function createCube(
  { brushCount, groupCount, aggregates, order }: CubeQuery,
  rows: readonly Row[],
  shownKeys: ReadonlySet<string>,
): Cube | undefined {
  if (rows.length >= mostCubeRows) return undefined;
  const parts = new Map<string, { readonly place: number; readonly row: Row }[]>();
  for (const [place, row] of rows.entries()) {
    const key = keyOf(row.slice(0, brushCount));
    const known = parts.get(key);
    if (known) known.push({ place, row });
    else if (shownKeys.has(key)) parts.set(key, [{ place, row }]);
    else return undefined;
  }
  const groups = rows.map((row) => keyOf(row.slice(brushCount, brushCount + groupCount)));
  return {
    fold(keys) {
      const found = new Map<string, { place: number; readonly cells: ChartCell[] }>();
      for (const key of keys)
        for (const { place, row } of parts.get(key) ?? []) {
          const group = groups[place]!;
          const measures = row.slice(brushCount + groupCount);
          const known = found.get(group);
          if (!known) {
            found.set(group, { place, cells: row.slice(brushCount) });
            continue;
          }
          known.place = Math.min(known.place, place);
          for (const [index, part] of measures.entries()) {
            const cell = groupCount + index;
            const sum = known.cells[cell] ?? null;
            if (typeof part === "number")
              known.cells[cell] = (typeof sum === "number" ? sum : 0) + part;
          }
        }
      // Measures without dimensions have one row, even if no data remains.
      if (found.size === 0 && groupCount === 0)
        return [aggregates.map((aggregate) => (aggregate === "count" ? 0 : null))];
      return [...found.values()].toSorted(compare).map(({ cells }) => cells);
    },
  };

  function compare(
    one: { readonly place: number; readonly cells: Row },
    other: { readonly place: number; readonly cells: Row },
  ): number {
    if (order) {
      const [a, b] = [one, other].map(({ cells }) => cells[groupCount + order.measure] ?? null);
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      if (a !== b) return order.direction * (Number(a) - Number(b));
    }
    return one.place - other.place;
  }
}

function isRaw({ options }: Json): boolean {
  return objectOf<"rollup_data">(options).rollup_data === false;
}

function objectsOf(value: unknown): readonly Json[] {
  return listOf(value).map(objectOf);
}
