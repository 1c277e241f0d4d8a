import type { ChartCell, SlotField } from "../../../charts/index.ts";

/** A value that the reader chose in an item, as a filter of the others. */
export interface ChosenFilter {
  readonly itemId: string;
  readonly datasetId: string;
  /** As people read it. */
  readonly label: string;
  /** A test of the data service. */
  readonly test: object;
  readonly row: number;
}

export interface ChosenMark {
  readonly itemId: string;
  readonly row: number;
  readonly label: string;
  readonly fields: readonly SlotField[];
  readonly cells: readonly ChartCell[];
}

/**
 * Makes the filter of a chosen mark: the groups of its row. Undefined for a mark without a group, or with bins, which
 * no test of rows names.
 */
export function choiceFilter({
  itemId,
  row,
  label,
  fields,
  cells,
}: ChosenMark): ChosenFilter | undefined {
  const tests: object[] = [];
  let datasetId: string | undefined;
  for (const [index, field] of fields.entries()) {
    const isGroup = field.type !== "numeric" && field.aggregation === undefined;
    if (!isGroup || field.columnId === undefined || field.datasetId === undefined) continue;
    const column = {
      dataset_id: field.datasetId,
      column_id: field.columnId,
      ...(field.level !== undefined && field.type === "datetime" && { level: field.level }),
    };
    const cell = cells[index];
    const value = typeof cell === "object" && cell !== null ? cell.id : cell;
    tests.push(
      value === null || value === undefined
        ? { expression: "? is null", parameters: [column] }
        : { expression: "? = ?", parameters: [column, value] },
    );
    datasetId ??= field.datasetId;
  }
  if (tests.length === 0 || datasetId === undefined) return undefined;
  return { itemId, datasetId, row, label, test: { and: tests } };
}
