import { html } from "lit";
import { readColumns, readItem, type ChartCell } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { readerLocale, readerZone, writeNumber } from "../../language/index.ts";
import { openLoadedDialog, rowTable } from "../../parts/index.ts";
import { whereOf, type ExploredDataset, type Filter, rowCountOf } from "../../questions/index.ts";
import { words } from "./words.ts";

export interface RowsOptions {
  readonly api: Api;
  readonly dataset: ExploredDataset;
  /** What the rows belong to. */
  readonly name: string;
  readonly filters: readonly Filter[];
}

const mostRows = 100;
const mostColumns = 30;

interface Found {
  readonly count: number;
  readonly rows: readonly (readonly ChartCell[])[];
}

/** Shows the first rows of a dataset that pass filters, with their number. */
export async function openRows({ api, dataset, name, filters }: RowsOptions): Promise<void> {
  const shown = dataset.columns.slice(0, mostColumns);
  const { fields } = readItem({
    id: "rows",
    type: "regular-table",
    slots: [
      {
        name: "columns",
        content: shown.map(({ id, type, subtype, format, name: label }) => ({
          datasetId: dataset.id,
          columnId: id,
          type,
          subtype,
          format,
          label,
        })),
      },
    ],
  });
  const columns = readColumns({ fields, localeId: readerLocale, timezoneId: readerZone });
  await openLoadedDialog({
    title: words.rowsOf(name),
    isWide: true,
    read: () => readRows(api, dataset.id, shown, filters),
    body: ({ rows, count }) =>
      html`<p class="muted">
          ${words.rowsShown(rows.length, count)}
          ${
            dataset.columns.length > mostColumns
              ? words.columnsShown(writeNumber(mostColumns), writeNumber(dataset.columns.length))
              : ""
          }
        </p>
        ${rowTable({
          label: words.rowsOf(name),
          look: "surface",
          columns: columns.map((column, at) => ({
            head: column.name,
            isNumeric: column.isNumeric,
            cell: (row: readonly ChartCell[]) => column.text(row[at]),
          })),
          rows,
        })}`,
  });
}

async function readRows(
  api: Api,
  datasetId: string,
  columns: readonly { readonly id: string }[],
  filters: readonly Filter[],
): Promise<Found> {
  const where = whereOf(filters, datasetId);
  const timezone_id = readerZone;
  const counted = {
    measures: [rowCountOf(datasetId)],
    where,
    options: { timezone_id },
  };
  const listed = {
    dimensions: columns.map(({ id }) => ({ dataset_id: datasetId, column_id: id })),
    where,
    limit: { by: mostRows },
    options: { rollup_data: false, timezone_id },
  };
  const [count, rows] = await api.call<
    readonly [{ readonly data: readonly [[number]] }, { readonly data: Found["rows"] }]
  >("data", "get", { find: { queries: [counted, listed] } });
  return { count: count.data[0]?.[0] ?? 0, rows: rows.data };
}
