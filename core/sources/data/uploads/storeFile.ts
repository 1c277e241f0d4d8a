import { randomUUID } from "node:crypto";
import type { DataType } from "../../../../plugins/protocol/index.ts";
import { textOfNote } from "../../../../plugins/rows/formats/index.ts";
import type { WrittenValues } from "../../../base/index.ts";
import { countPush } from "../../../catalog/index.ts";
import { refuseWithout } from "../../../identity/index.ts";
import { changeDataset } from "../changeDataset.ts";
import { countRows, type RowCount } from "../countRows.ts";
import { insertDataset, type PushContext, type PushedDataset } from "../createDataset.ts";
import { fillStore } from "../fillStore.ts";
import { newColumns, type PushShape } from "../matchColumns.ts";
import { measureFilled } from "../recordMeasures.ts";
import type { UploadedTable } from "./fileOnDisk.ts";
import type { Upload } from "./parseUpload.ts";

/** A file to store, and what to tell about its rows while they are read. */
export interface FileToStore {
  readonly upload: Upload;
  readonly table: UploadedTable;
  /** The settings to keep with the dataset. */
  readonly members: WrittenValues<"securable">;
  note(rows: RowCount, share: number | undefined): Promise<void>;
}

/** Batches after which the quotas of the organization are checked again. */
const batchesPerCheck = 16;

/**
 * Creates a dataset from a file, or appends its rows to a dataset, or replaces the rows of a dataset with them. Nobody
 * sees the rows before the last one is stored, and a failure changes nothing.
 * @throws {ApiError} FORBIDDEN, QUOTA_FULL, UPLOAD_NOT_ADDED, MEMBER_INVALID for columns that do not match, and
 * FILE_UNREADABLE with the place of a value that does not have the type of its column
 */
export async function storeFile(file: FileToStore, context: PushContext): Promise<PushedDataset> {
  const { upload, table, members } = file;
  const { securableId } = upload;
  if (securableId === undefined) return createFromFile(file, context);
  const { caller } = context;
  const note = checking(file, context);
  return changeDataset(
    {
      ...shapeOf(upload, table),
      members,
      warnings: warningsOf(table),
      rowsFor: async (targets) => ({
        stream: (notes) =>
          countRows(
            table.read(
              targets.map(({ type }) => type),
              caller.signal,
            ),
            { note, end: notes.end },
          ),
      }),
    },
    securableId,
    context,
  );
}

/**
 * Returns the columns of a file in the form of a push. The names in the header of the call replace those of the file.
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
        return { type: column?.type ?? "hierarchy", subtype: column?.subtype };
      },
    },
  };
}

async function createFromFile(file: FileToStore, context: PushContext): Promise<PushedDataset> {
  const { upload, table, members } = file;
  const { connections, principal, caller, records, quotas } = context;
  refuseWithout("flag_create_datasets", principal, "create a dataset");
  const { store } = connections;
  const { organizationId } = principal;
  const id = randomUUID();
  const { columns, warnings } = newColumns(shapeOf(upload, table), id, principal.userId);
  const types = columns.map(({ type }): DataType => type);
  const { counted, batches } = countRows(table.read(types, caller.signal), {
    note: checking(file, context),
    end: ({ rows, bytes }) =>
      records.transaction(async (transaction) => {
        await quotas?.refuseStored(organizationId, { rows, bytes }, transaction);
        await countPush(transaction, id, { rowCount: rows, byteCount: bytes });
      }),
  });
  return insertDataset(
    {
      id,
      name: upload.name ?? { en: nameOf(table.name) },
      columns,
      warnings: [...warningsOf(table), ...warnings],
      claimed: { rows: 0, bytes: 0 },
      members,
      hasRows: true,
      async fill() {
        const columnIds = columns.map((column) => column.id);
        if (store.writeBatches)
          await fillStore(store, { action: "append", id, columnIds }, batches, caller);
        // Nobody sees the dataset yet, so a store without `writeBatches` can add one batch after another.
        else
          for await (const batch of batches)
            await store.write({ action: "append", id, rows: { columnIds, batch } }, caller);
        const { rows, bytes } = counted;
        const ranges = new Map(columnIds.map((each, index) => [each, counted.ranges[index]]));
        const filled = { datasetId: id, columns, ranges, rowCount: rows, rowCountBefore: 0 };
        return { rows, bytes, measures: await measureFilled(filled, context) };
      },
    },
    context,
  );
}

/**
 * Returns the notes as warnings. How types were detected matters only in a preview: the rows are stored as these types.
 */
function warningsOf({ notes }: UploadedTable): readonly string[] {
  return notes.filter(({ kind }) => kind !== "sample").map(textOfNote);
}

/** Returns a function that notes rows, and that refuses rows above the quotas before all of them are read. */
function checking(
  { note, upload }: Pick<FileToStore, "note" | "upload">,
  { quotas, records, principal }: PushContext,
): FileToStore["note"] {
  let batchCount = 0;
  return async (rows, share) => {
    await note(rows, share);
    // The rows that a replace removes count until the end.
    if (!quotas || upload.type === "replace" || batchCount++ % batchesPerCheck !== 0) return;
    const counted = { rows: rows.rows, bytes: rows.bytes };
    await records.transaction((transaction) =>
      quotas.refuseStored(principal.organizationId, counted, transaction),
    );
  };
}

/** Returns the name of a file without its extensions. */
function nameOf(fileName: string): string {
  return fileName.replace(/(\.[a-z]+)?\.[a-z]+$/i, "") || fileName;
}
