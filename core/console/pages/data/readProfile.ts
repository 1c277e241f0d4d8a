import type { Api } from "../../api/index.ts";
import type { ColumnRow } from "./columnRow.ts";

/** How the values of a column are distributed, as ordinary queries answer it. */
export interface Profile {
  readonly rows: number;
  readonly empty: number;
  readonly distinct: number;
  readonly least: unknown;
  readonly most: unknown;
  readonly bars: readonly { readonly label: string | null; readonly count: number }[];
}

const barCount = 10;
type Answer = { readonly data: readonly (readonly unknown[])[] };

/** Asks for counts, extremes, and the most frequent values or bins of a column, with the rights of the reader. */
export async function readProfile(
  api: Api,
  { id, securable_id, type }: Pick<ColumnRow, "id" | "securable_id" | "type">,
): Promise<Profile> {
  const column = { dataset_id: securable_id, column_id: id };
  const aggregate = (aggregation: string) => ({ ...column, aggregation: { type: aggregation } });
  const every = { dataset_id: securable_id, column_id: "*", aggregation: { type: "count" } };
  const ordered = type === "hierarchy" ? [] : [aggregate("min"), aggregate("max")];
  const dimension =
    type === "numeric" ? { ...column, discretization: { type: "linear", bins: barCount } } : column;
  const order = type === "numeric" ? {} : { order: [{ ...every, order: "desc" }] };
  const [counts, bars] = await Promise.all([
    api.call<Answer>("data", "get", {
      find: {
        measures: [every, aggregate("count"), aggregate("distinctcount"), ...ordered],
        options: { cells: "plain" },
      },
    }),
    api.call<Answer>("data", "get", {
      find: {
        dimensions: [dimension],
        measures: [every],
        ...order,
        limit: { by: barCount + 1 },
        options: { cells: "plain" },
      },
    }),
  ]);
  const [rows, filled, distinct, least = null, most = null] = counts.data[0] ?? [];
  return {
    rows: Number(rows ?? 0),
    empty: Number(rows ?? 0) - Number(filled ?? 0),
    distinct: Number(distinct ?? 0),
    least,
    most,
    bars: bars.data.map(([label, count]) => ({
      label: label === null || label === undefined ? null : String(label),
      count: Number(count),
    })),
  };
}
