import { binRange } from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { levelOfRange } from "./levelOfRange.ts";
import { periodMs } from "./periodMs.ts";
import { rowCountOf } from "./rowCountOf.ts";

/** A bin: part of a column's range, with its number of rows. Instants are in milliseconds. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** The distribution of a column's values, computed with ordinary queries. */
export interface Profile {
  readonly rows: number;
  readonly empty: number;
  readonly distinct: number;
  readonly least: unknown;
  readonly most: unknown;
  /** Bins of numbers or instants in ascending order. Bins without rows may be absent. */
  readonly bins: readonly Bin[];
  /** The most frequent strings with their row counts; null for rows without a value. */
  readonly top: readonly { readonly value: string | null; readonly count: number }[];
}

const binCount = 20;
const topCount = 10;
/** Maximum number of periods drawn for a column of instants. */
const mostPeriods = 400;

type Answer = { readonly data: readonly (readonly unknown[])[] };

/** A column to describe. */
export interface ProfiledColumn {
  readonly id: string;
  readonly type: string;
  readonly subtype: string | null;
}

/**
 * Queries the counts, minimum and maximum of a column, and its most frequent values or its bins, with the rights of the
 * reader. Runs two queries, for one row and for at most 400 rows.
 */
export async function readProfile(
  api: Api,
  datasetId: string,
  { id, type, subtype }: ProfiledColumn,
  signal?: AbortSignal,
): Promise<Profile> {
  const column = { dataset_id: datasetId, column_id: id };
  const aggregate = (aggregation: string) => ({ ...column, aggregation: { type: aggregation } });
  const every = rowCountOf(datasetId);
  const fetchRows = async (find: object) => {
    const plain = { ...find, options: { cells: "plain" } };
    return (await api.call<Answer>("data", "get", { find: plain }, { signal })).data;
  };
  const measures = [every, ...["count", "distinctcount", "min", "max"].map(aggregate)];
  const [counts = []] = await fetchRows({ measures });
  const [rows, filled, distinct, least = null, most = null] = counts;
  const level = levelOfRange(least, most, subtype === "date");
  const grouped = async (dimension: object, limit: number, more = {}) =>
    fetchRows({ dimensions: [dimension], measures: [every], limit: { by: limit }, ...more });
  const groups =
    type === "numeric"
      ? await grouped(
          { ...column, discretization: { type: "linear", bins: binCount } },
          binCount + 1,
        )
      : type === "datetime"
        ? await grouped({ ...column, level }, mostPeriods)
        : await grouped(column, topCount, { order: [{ ...every, order: "desc" }] });
  return {
    rows: Number(rows ?? 0),
    empty: Number(rows ?? 0) - Number(filled ?? 0),
    distinct: Number(distinct ?? 0),
    least,
    most,
    bins: type === "hierarchy" ? [] : groups.flatMap(([cell, count]) => binOf(cell, count, level)),
    top:
      type === "hierarchy"
        ? groups.map(([value, count]) => ({
            value: typeof value === "string" ? value : null,
            count: Number(count),
          }))
        : [],
  };
}

/** Parses the bin of a result row; empty for rows without a value. */
function binOf(cell: unknown, count: unknown, level: number): readonly Bin[] {
  if (typeof cell === "number") return [{ from: cell, to: cell, count: Number(count) }];
  if (typeof cell !== "string") return [];
  const range = binRange(cell);
  if (range) return [{ from: range[0], to: range[1], count: Number(count) }];
  const from = Date.parse(cell);
  return Number.isNaN(from) ? [] : [{ from, to: from + periodMs(level), count: Number(count) }];
}
