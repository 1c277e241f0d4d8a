import { isRecord, type Api, type Found } from "../../../api/index.ts";
import type { LabelledValue } from "./hierarchy.ts";
import { rowCountOf } from "../../../questions/index.ts";

/** Maximum number of values shown for a column. */
export const shownValues = 200;

interface Answer {
  readonly data: readonly (readonly unknown[])[];
}

/** Parses a cell in the form `{id, name, color}`. Undefined for rows without a value. */
function readCell(cell: unknown): LabelledValue | undefined {
  if (!isRecord(cell) || typeof cell["id"] !== "string") return undefined;
  const { id, name, color } = cell;
  // In answers, the name of a value without a label is the value itself.
  const isNamed = isRecord(name) && Object.values(name).some((each) => each !== id);
  return { id, name: isNamed ? name : null, color: typeof color === "string" ? color : null };
}

/** Finds the most frequent values of a column in the rows that the reader can see, with their labels and colours. */
export async function readSeenValues(
  api: Api,
  { datasetId, columnId }: { readonly datasetId: string; readonly columnId: string },
  search: string,
  signal?: AbortSignal,
): Promise<Found<LabelledValue>> {
  const column = { dataset_id: datasetId, column_id: columnId };
  const rows = rowCountOf(datasetId);
  const find = {
    dimensions: [column],
    measures: [rows],
    ...(search !== "" && { where: [{ expression: "? like ?", parameters: [column, search] }] }),
    order: [{ ...rows, order: "desc" }],
    limit: { by: shownValues },
  };
  const { data } = await api.call<Answer>("data", "get", { find }, { signal });
  const values = data.flatMap(([cell, count]) => {
    const value = readCell(cell);
    return value ? [{ ...value, count: Number(count) }] : [];
  });
  return { count: values.length, rows: values };
}

/** Fetches the stored label, colour and position of a value; undefined if nothing is stored. */
export async function readStoredValue(
  api: Api,
  columnId: string,
  value: string,
): Promise<LabelledValue | undefined> {
  const find = { where: { column_id: columnId, value }, limit: 1 };
  return (await api.get<LabelledValue>("hierarchy", find)).rows[0];
}

/** Lists the values of a column that have a label or a colour, starting at an offset. */
export async function readStoredValues(
  api: Api,
  columnId: string,
  offset: number,
  signal?: AbortSignal,
): Promise<Found<LabelledValue>> {
  const find = { where: { column_id: columnId }, limit: shownValues, offset };
  return api.get<LabelledValue>("hierarchy", find, { signal });
}
