import { basename, dirname, join } from "node:path";
import { stat } from "node:fs/promises";
import { open } from "../../connectors/files/index.ts";
import {
  PluginError,
  rowsOfBatch,
  type Cell,
  type Column,
  type Dataset,
} from "../../plugins/protocol/index.ts";
import {
  openFileReaders,
  requireFormat,
  textOfNote,
  type FoundData,
} from "../../plugins/rows/formats/index.ts";
import { openReach } from "../support/openReach.ts";
import { openUploadDoor } from "./openUploadDoor.ts";

/** A table of a file as a door returns it. */
export interface SeenTable {
  /** Name of the sheet; empty for other files. */
  readonly sheet: string;
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
  /** Reads all rows, or returns the message of the error. */
  readonly rows: () => Promise<readonly (readonly Cell[])[] | string>;
}

/** A way to read files. */
export interface Door {
  /** Returns the tables of a file, or the message of the error. */
  read(
    path: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<readonly SeenTable[] | string>;
  close(): Promise<void>;
}

const timeoutMs = 300_000;
/** Maximum size of an answer. */
export const sizeBytes = 2 ** 26;
/** Number of bytes from which types are detected. */
export const sampleBytes = 2 ** 24;

/** All doors, by name. `folder` is a folder of files. Add a row to read all files through another door. */
export const doors: Readonly<Record<string, (folder: string) => Promise<Door>>> = {
  "the readers": openReaderDoor,
  "the files connector": openConnectorDoor,
  "an upload": openUploadDoor,
};

const callOf = (host: string, properties: Readonly<Record<string, string>>) => ({
  credentials: { host, properties },
  tenant: { organization: "one", user: "ada" },
  signal: AbortSignal.timeout(timeoutMs),
});

const queryOf = (id: string, columns: readonly Column[]) => ({
  id,
  columns: columns.map((column) => ({ column_id: column.id })),
  filters: [],
  options: { pushdown: false },
});

async function openReaderDoor(folder: string): Promise<Door> {
  const readers = openFileReaders({ timeoutMs });
  return {
    async read(path, settings = {}) {
      const file = await foundFile(join(folder, path));
      const call = callOf(join(folder, path), settings);
      const tables = await orMessage(() => readers.describe(file, call));
      if (typeof tables === "string") return tables;
      return tables.map(({ sheet, columns, notes }) => ({
        sheet: sheet ?? "",
        columns,
        notes: notes.map(textOfNote),
        rows: () =>
          orMessage(async () => {
            const query = queryOf(path, columns);
            const reading = { file, known: columns, sizeBytes, call: { ...call, query } };
            return rowsOfBatch(
              await readers.read({ ...reading, ...(sheet !== undefined && { sheet }) }),
            );
          }),
      }));
    },
    close: () => readers.close(),
  };
}

async function foundFile(path: string): Promise<FoundData> {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
  const version = `${dev}:${ino}:${size}:${mtimeNs}`;
  return {
    schema: "main",
    name: basename(path),
    format: requireFormat(path),
    sampleBytes,
    version,
    place: { kind: "local", path, version },
  };
}

async function openConnectorDoor(folder: string): Promise<Door> {
  const plugin = await open({ reach: openReach(folder), timeoutMs, sizeBytes });
  const call = callOf(folder, {});
  let listing: Promise<readonly Dataset[]> | undefined;

  const tablesOf = async (
    path: string,
    settings: Readonly<Record<string, string>> | undefined,
  ): Promise<readonly Dataset[]> => {
    if (settings) return plugin.datasets(callOf(join(folder, path), settings));
    listing ??= plugin.datasets(call);
    const schema = path.includes("/") ? dirname(path) : "main";
    const name = basename(path);
    return (await listing).filter(
      ({ schema: own, table = "" }) =>
        own === schema && (table === name || table.startsWith(`${name}/`)),
    );
  };
  return {
    async read(path, settings) {
      const tables = await orMessage(() => tablesOf(path, settings));
      if (typeof tables === "string") return tables;
      const host = settings ? join(folder, path) : folder;
      const [first] = tables;
      // A folder lists an unreadable file with a note.
      const isFile = tables.length === 1 && first?.table === basename(path);
      if (
        isFile &&
        first.columns.length === 0 &&
        first.notes?.[0]?.startsWith("the data cannot be")
      )
        return withoutName(first.notes[0]);
      return tables.map((dataset) => ({
        sheet: (dataset.table ?? "").slice(basename(path).length + 1),
        columns: dataset.columns,
        notes: dataset.notes ?? [],
        rows: () =>
          orMessage(async () => {
            const own = { ...callOf(host, settings ?? {}), dataset };
            return rowsOfBatch(
              await plugin.query({ ...own, query: queryOf(dataset.id, dataset.columns) }),
            );
          }),
      }));
    },
    async close() {
      await plugin.close?.();
    },
  };
}

/** Returns the result, or the message of an error of a plugin. */
export async function orMessage<Result>(run: () => Promise<Result>): Promise<Result | string> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof PluginError) return withoutName(failure.message);
    throw failure;
  }
}

/** Removes the parts of a message that depend on the door: the general sentence, and the name of the file. */
function withoutName(message: string): string {
  return message
    .replace(/^the data cannot be read: /, "")
    .replace(/^[\w./ -]+\.[a-z]+(\.gz)?: /, "")
    .replace(/^(?:main\.|"[^"]*"\.)?"?[\w./ -]+"?(?:\."[^"]*")?, (?=(?:row|line) \d)/, "");
}
