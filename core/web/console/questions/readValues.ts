import type { Api } from "../api/index.ts";
import { rowCountOf } from "./rowCountOf.ts";

/** A value of a column with its number of rows. */
export interface Suggestion {
  readonly value: string | null;
  readonly count: number;
}

/** Maximum number of values that a search returns. */
export const suggestedCount = 200;

/** Fetches the values of a column that contain a text, most frequent first, at most 200. */
export async function readValues(
  api: Api,
  datasetId: string,
  columnId: string,
  search: string,
): Promise<readonly Suggestion[]> {
  const column = { dataset_id: datasetId, column_id: columnId };
  const rows = rowCountOf(datasetId);
  const query = {
    dimensions: [column],
    measures: [rows],
    ...(search !== "" && { where: [{ expression: "? like ?", parameters: [column, search] }] }),
    order: [{ ...rows, order: "desc" }],
    limit: { by: suggestedCount },
    options: { cells: "plain" },
  };
  const answer = await api.call<{ readonly data: readonly [string | null, number][] }>(
    "data",
    "get",
    { find: { queries: [query] } },
  );
  return answer.data.map(([value, count]) => ({ value, count }));
}
