import { openAsBlob } from "node:fs";
import { basename, join } from "node:path";
import Type from "typebox";
import { Value } from "typebox/value";
import * as assert from "uvu/assert";
import { Column, type Cell } from "../../plugins/protocol/index.ts";
import {
  openUploader,
  type StoredDataset,
  type UploadAnswer,
  type Uploader,
} from "../core/sources/data/uploads/openUploader.ts";
import type { Door, SeenTable } from "./doors.ts";

type Settings = Readonly<Record<string, string>>;

/**
 * Opens a host to which files are uploaded. Tables and notes come from a preview, and rows from the stored dataset. The
 * door fails if a stored row or type differs from the preview.
 */
export async function openUploadDoor(folder: string): Promise<Door> {
  const uploader = await openUploader();
  return {
    async read(path, settings = {}) {
      const file = { bytes: await openAsBlob(join(folder, path)), name: basename(path) };
      const whole = await preview(uploader, file, settings);
      const { sheets = [""], columns = [], message } = whole;
      if (message !== undefined && columns.length === 0 && sheets.length === 1)
        return withoutName(message, file);
      const tables: SeenTable[] = [];
      for (const sheet of sheets) {
        const own = sheet === "" ? settings : { ...settings, sheet };
        const seen = sheets.length === 1 ? whole : await preview(uploader, file, own);
        tables.push({
          sheet,
          columns: columnsOf(seen),
          notes: notesOf(seen),
          rows: () => store(uploader, file, own, seen),
        });
      }
      return tables;
    },
    close: () => uploader.host.close(),
  };
}

interface NamedFile {
  readonly bytes: Blob;
  readonly name: string;
}

async function preview(
  uploader: Uploader,
  { bytes, name }: NamedFile,
  settings: Settings,
): Promise<UploadAnswer> {
  const properties = { type: "create", options: { file: settings } };
  const { body } = await uploader.send({ action: "validate", properties }, bytes, name);
  return body;
}

/** Returns the notes of a preview. A sheet that cannot be read has a message instead, and no columns. */
function notesOf({ notes = [], columns = [], message }: UploadAnswer): readonly string[] {
  if (columns.length === 0 && message !== undefined) return [message];
  return notes.map(({ column, message: text }) =>
    column === null ? text : `${JSON.stringify(column)}: ${text}`,
  );
}

/** Returns the columns of a preview as a plugin declares them. */
function columnsOf({ columns = [] }: UploadAnswer): readonly Column[] {
  return columns.map(({ name, type, subtype }) => {
    const id = String(name);
    return Value.Parse(Column, {
      id,
      name: { en: id },
      type,
      ...(subtype !== null && { subtype }),
    });
  });
}

/** Stores a table, reads its rows again and removes it. Returns the message if the host refuses the table. */
async function store(
  uploader: Uploader,
  file: NamedFile,
  settings: Settings,
  seen: UploadAnswer,
): Promise<readonly (readonly Cell[])[] | string> {
  const properties = { type: "create", options: { file: settings } };
  const { status, body } = await uploader.send(
    { action: "create", properties },
    file.bytes,
    file.name,
  );
  if (status !== 200) {
    assert.is(seen.message, body.message, "a preview reports the error of storing the file");
    return withoutName(body.message ?? "", file);
  }
  assert.is(seen.message, undefined, "a preview reports no error of a file that can be stored");
  const dataset = body.rows?.[0] as StoredDataset;
  const kinds = ({ type, subtype }: Readonly<Record<string, unknown>>) => [type, subtype];
  assert.equal(dataset.columns.map(kinds), seen.columns?.map(kinds), "types of the stored columns");
  const columns = columnsOf(seen);
  // A table without columns has no rows to read.
  if (columns.length === 0) return [];
  const stored = (await uploader.read(dataset)).map((row) => cellsOf(row, columns));
  await uploader.call("datasets", { action: "delete", find: [dataset.id] });
  return inOrder(
    stored,
    (seen.rows ?? []).map((row) => cellsOf(row, columns)),
  );
}

const StoredRow = Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]));

/** Returns the cells of a row. Dates become ISO strings with a time of day. */
function cellsOf(row: unknown, columns: readonly Column[]): readonly Cell[] {
  return Value.Parse(StoredRow, row).map((cell, index) =>
    columns[index]?.type === "datetime" && cell !== null ? new Date(cell).toISOString() : cell,
  );
}

/** Returns the stored rows, whose order is not known, with those of the preview first. */
function inOrder(
  stored: readonly (readonly Cell[])[],
  previewed: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  const left = new Map<string, number>();
  for (const row of stored) {
    const key = JSON.stringify(row);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  for (const row of previewed) {
    const key = JSON.stringify(row);
    const count = left.get(key) ?? 0;
    assert.ok(count > 0, `the previewed row ${key} is not stored`);
    left.set(key, count - 1);
  }
  const others = [...left].flatMap(([key, count]) =>
    Array.from({ length: count }, (): readonly Cell[] => JSON.parse(key)),
  );
  return [...previewed, ...others];
}

/** Removes the parts of a message that only uploads have, so that the messages of all doors are equal. */
function withoutName(message: string, { name }: NamedFile): string {
  return message
    .replace(`the file ${JSON.stringify(name)} cannot be read: `, "")
    .replace(
      /; correct the file, (.*)or set the type of the column to text in properties\.options\.file\.columns$/,
      "; correct the source, $1or change the column's type to text and synchronize the dataset's metadata",
    );
}
