import { randomUUID } from "node:crypto";
import { refuseWithout } from "../../../identity/index.ts";
import type { DataType } from "../../../../plugins/protocol/index.ts";
import { insertDataset, type PushContext, type PushedDataset } from "../createDataset.ts";
import { newColumns, type PushShape } from "../matchColumns.ts";
import { measure } from "../recordMeasures.ts";
import { releaseRows } from "../releaseRows.ts";
import { countRows, type RowCount } from "./countRows.ts";
import type { UploadedTable } from "./fileOnDisk.ts";
import type { Upload } from "./parseUpload.ts";

/** Batches after which the quotas of the organization are checked again. */
const batchesPerCheck = 16;

/**
 * Returns the columns of a file in the form of a push. The names in the header of the call replace those in the file.
 */
export function shapeOf(upload: Upload, { columns }: Pick<UploadedTable, "columns">): PushShape {
  const { type, updateMetadata, header } = upload;
  return {
    type,
    updateMetadata,
    header: header ?? columns.map(({ id }) => id),
    rows: {
      width: columns.length,
      detect(position) {
        const column = columns[position];
        const subtype = column?.subtype === "date" ? ("date" as const) : undefined;
        return { type: column?.type ?? "hierarchy", subtype };
      },
    },
  };
}

/**
 * Creates a dataset from a file. Nobody sees the dataset before its last row is stored, and nothing remains after a
 * failure.
 * @throws {ApiError} FORBIDDEN, QUOTA_FULL, FILE_UNREADABLE with the place of a value that does not have the type of
 * its column
 */
export async function createFromFile(
  upload: Upload,
  table: UploadedTable,
  context: PushContext,
): Promise<PushedDataset> {
  const { connections, principal, caller } = context;
  refuseWithout("flag_create_datasets", principal, "create a dataset");
  const { store } = connections;
  const id = randomUUID();
  const { columns, warnings } = newColumns(shapeOf(upload, table), id, principal.userId);
  const types = columns.map(({ type }): DataType => type);
  const { counted, batches } = countRows(table.read(types, caller.signal), checking(context));
  return insertDataset(
    {
      id,
      name: upload.name ?? { en: nameOf(table.name) },
      columns,
      warnings: [...table.notes, ...warnings],
      claimed: { rows: 0, bytes: 0 },
      hasRows: true,
      async fill() {
        const columnIds = columns.map((column) => column.id);
        for await (const batch of batches) {
          await store.write({ action: "append", id, rows: { columnIds, batch } }, caller);
          releaseRows(batch);
        }
        const { rows, bytes } = counted;
        const measured = columns.map((column, index) => ({
          ...column,
          ...counted.ranges[index],
          cardinality: 0,
        }));
        const measures = await measure(
          { datasetId: id, columns: measured, vectors: new Map(), rowCount: rows, pushedCount: 0 },
          context,
        );
        return { rows, bytes, measures };
      },
    },
    context,
  );
}

/** Returns a function that refuses rows above the quotas of the organization, before all rows are stored. */
function checking({ quotas, records, principal }: PushContext): (rows: RowCount) => Promise<void> {
  let batchCount = 0;
  return async ({ rows, bytes }) => {
    if (!quotas || batchCount++ % batchesPerCheck !== 0) return;
    await records.transaction((transaction) =>
      quotas.refuseStored(principal.organizationId, { rows, bytes }, transaction),
    );
  };
}

/** Returns the name of a file without its extensions. */
function nameOf(fileName: string): string {
  return fileName.replace(/(\.[a-z]+)?\.[a-z]+$/i, "") || fileName;
}
