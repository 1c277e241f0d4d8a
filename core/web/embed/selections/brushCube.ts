import {
  kindOfItem,
  listOf,
  objectOf,
  queryOf,
  totalsOf,
  type ChartCell,
  type ChartItem,
} from "../../charts/index.ts";

type Json = Readonly<Record<string, unknown>>;
type Row = readonly ChartCell[];

/** Rows that a cube may have; a larger one is not worth its transport. */
const mostCubeRows = 20_000;

/** Aggregates of a whole that are the sum of those of its parts. */
const additive = ["sum", "count"];

/** A question for the cube of a linked item: the groups of the brushed item, times its own. */
export interface CubeQuestion {
  readonly query: Json;
  /** Dimensions of the brushed item; they come first in a row. */
  readonly brushCount: number;
  /** Dimensions of the linked item. */
  readonly groupCount: number;
  /** The aggregates of its measures. */
  readonly aggregates: readonly string[];
  /** The place of the measure by which its rows are ordered, the largest first for -1; undefined for another order. */
  readonly order: { readonly measure: number; readonly direction: 1 | -1 } | undefined;
}

/**
 * Makes the question by which a brush over one item is answered for a linked item without the host. Undefined where the
 * answer of the parts does not give the answer of the whole: other aggregates than sums and counts, formulas, plain
 * rows, limits, tables with totals.
 */
export function cubeQuestionOf(
  brushed: ChartItem,
  linked: ChartItem,
  options: Parameters<typeof queryOf>[1],
): CubeQuestion | undefined {
  const source = queryOf(brushed)?.query;
  const asked = queryOf(linked, options)?.query;
  if (!source || !asked || linked.options.limit !== undefined || totalsOf(linked)) return undefined;
  if (kindOfItem(linked.type)?.kind === "filter" || isRaw(source) || isRaw(asked)) return undefined;
  const bins = objectsOf(source.dimensions);
  const groups = objectsOf(asked.dimensions);
  const measures = objectsOf(asked.measures);
  const aggregates = measures.map(({ aggregation, formula, formula_id: formulaId }) =>
    formula === undefined && formulaId === undefined
      ? String(objectOf<"type">(aggregation).type)
      : "formula",
  );
  // Bins of numbers move with the filtered rows, so that those of a linked item are other ones.
  const isBinned = groups.some(({ discretization }) => discretization !== undefined);
  if (bins.length === 0 || isBinned || aggregates.some((each) => !additive.includes(each)))
    return undefined;
  const [order] = objectsOf(asked.order);
  const { order: direction, ...ordered } = order ?? {};
  const measure = measures.findIndex((each) => JSON.stringify(each) === JSON.stringify(ordered));
  const { order: _, limit: __, ...rest } = asked;
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

/** Returns the key of cells, equal for equal cells. */
export function keyOf(cells: readonly (ChartCell | undefined)[]): string {
  return JSON.stringify(
    cells.map((cell) => (typeof cell === "object" && cell !== null ? cell.id : (cell ?? null))),
  );
}

/** A cube that is ready: its rows by the key of their brushed groups. */
export interface Cube {
  /** Returns the rows of the linked item for the brushed groups of these keys. O(rows of these groups). */
  fold(keys: Iterable<string>): Row[];
}

/**
 * Makes a cube of the answer to its question. Undefined where it is cut, or has groups that the brushed item does not
 * show, as when bins of numbers moved.
 */
export function createCube(
  { brushCount, groupCount, aggregates, order }: CubeQuestion,
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
      // Measures without dimensions have a row even of nothing.
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
