import type { RowGroup } from "hyparquet";
import {
  makesTest,
  positiveOf,
  isGroup,
  millisecondsOf,
  type ColumnFilter,
  type Filter,
} from "../../protocol/index.ts";

/** The statistics of a row group against which filters are tested, as numbers or milliseconds. */
interface Extent {
  readonly min: number;
  readonly max: number;
  /** Number of nulls. NaN is not counted, although it is read as null. Undefined if the number is not known. */
  readonly nullCount: number | undefined;
}

/**
 * Returns whether a row of a row group may pass all filters, according to the statistics of the row group. `wallIds`
 * are the columns whose statistics are times of a wall clock in another zone than UTC.
 */
export function mayPass(
  group: RowGroup,
  filters: readonly Filter[],
  wallIds: ReadonlySet<string>,
): boolean {
  return filters.every((filter) => isGroup(filter) || mayPassTest(group, filter, wallIds));
}

function mayPassTest(
  group: RowGroup,
  { column_id, expression, value = [], level }: ColumnFilter,
  wallIds: ReadonlySet<string>,
): boolean {
  const operator = positiveOf(expression);
  if (operator !== expression || makesTest(operator, "part")) return true;
  const extent = level ? undefined : extentOf(group, column_id);
  if (!extent) return true;
  const { nullCount } = extent;
  const shiftMs = wallIds.has(column_id) ? mostShiftMs : 0;
  const [min, max] = [extent.min - shiftMs, extent.max + shiftMs];
  const cells = value.map((cell) => (typeof cell === "string" ? millisecondsOf(cell) : cell));
  const [first] = cells;
  const isKnown = typeof first === "number";
  switch (operator) {
    case "=":
      return !isKnown || (first >= min && first <= max);
    case "<":
      return !isKnown || min < first;
    case "<=":
      return !isKnown || min <= first;
    case ">":
      return !isKnown || max > first;
    case ">=":
      return !isKnown || max >= first;
    case "in":
      return cells.some((cell) =>
        cell === null ? nullCount !== 0 : cell === undefined || (cell >= min && cell <= max),
      );
    case "is null":
      return nullCount !== 0;
  }
}

/** No zone is further from UTC, even where it skips a day. */
const mostShiftMs = 2 * 86_400_000;

/** hyparquet multiplies decimals by a power of ten, so its statistics are not the nearest doubles. */
function toleranceOf(limit: number): number {
  return Number.isSafeInteger(limit) ? 0 : Math.abs(limit) * 2 ** -48;
}

function extentOf({ columns }: RowGroup, id: string): Extent | undefined {
  const chunks = columns.filter(({ meta_data: meta }) => meta?.path_in_schema[0] === id);
  const meta = chunks[0]?.meta_data;
  const statistics = meta?.statistics;
  if (chunks.length !== 1 || !meta || meta.path_in_schema.length !== 1 || !statistics)
    return undefined;
  const min = numberOf(statistics.min_value);
  const max = numberOf(statistics.max_value);
  if (min === undefined || max === undefined) return undefined;
  const isFloat = meta.type === "DOUBLE" || meta.type === "FLOAT";
  const { null_count: nullCount } = statistics;
  return {
    min: min - toleranceOf(min),
    max: max + toleranceOf(max),
    nullCount: isFloat || nullCount === undefined ? undefined : Number(nullCount),
  };
}

/** Converts a statistic to a number. Undefined for statistics of other types. */
function numberOf(value: unknown): number | undefined {
  const number =
    value instanceof Date ? value.getTime() : typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}
