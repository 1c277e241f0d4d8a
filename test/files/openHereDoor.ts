import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  PluginError,
  packedHierarchy,
  rowsOfBatch,
  type Batch,
  type Cell,
} from "../../plugins/protocol/index.ts";
import { columnForms } from "../../plugins/rows/formats/columnForms.ts";
import { ColumnSink } from "../../plugins/rows/formats/columnSink.ts";
import { describeTable } from "../../plugins/rows/formats/describeTable.ts";
import { remark, textOfNote } from "../../plugins/rows/formats/fileNote.ts";
import type { OpenTables, ReadOptions } from "../../plugins/rows/formats/fileTable.ts";
import { requireFormat, type Format } from "../../plugins/rows/formats/formats.ts";
import { openArrow } from "../../plugins/rows/formats/openArrow.ts";
import { openDelimited } from "../../plugins/rows/formats/openDelimited.ts";
import { openJson } from "../../plugins/rows/formats/openJson.ts";
import { openLocalFile } from "../../plugins/rows/formats/openLocalFile.ts";
import { openParquet } from "../../plugins/rows/formats/openParquet.ts";
import { openXlsx } from "../../plugins/rows/formats/openXlsx.ts";
import type { SentBatch } from "../../plugins/rows/formats/sentBatch.ts";
import { readSettings } from "../../plugins/rows/formats/settings.ts";
import { createUnpackBudget } from "../../plugins/rows/formats/unpackBudget.ts";
import { columnOf } from "../../plugins/rows/readTable.ts";
import { receivedFailure } from "../../plugins/rows/readers/receivedFailure.ts";
import { unreadable } from "../../plugins/rows/readers/index.ts";
import { sentFailure } from "../../plugins/rows/serving/index.ts";
import { orMessage, sampleBytes, sizeBytes, type Door } from "./doors.ts";

const openers: Readonly<Record<Format["kind"], OpenTables>> = {
  delimited: openDelimited,
  json: openJson,
  jsonLines: openJson,
  parquet: openParquet,
  arrow: openArrow,
  xlsx: openXlsx,
};

/**
 * Reads files as `fileReader.ts` does, but in this process. Reading a file costs a few milliseconds, because no process
 * starts and no rows are sent.
 */
export function openHereDoor(folder: string): Door {
  /** Opens a file for one use, and closes it afterwards. */
  const withFile = async <Result>(
    path: string,
    properties: Readonly<Record<string, string>>,
    more: Pick<ReadOptions, "known" | "sheet">,
    use: (tables: Awaited<ReturnType<OpenTables>>, options: ReadOptions) => Promise<Result>,
  ): Promise<Result | string> => {
    const file = join(folder, path);
    const { dev, ino, size, mtimeNs } = await stat(file, { bigint: true });
    const source = await openLocalFile(file, `${dev}:${ino}:${size}:${mtimeNs}`);
    const options: ReadOptions = {
      source,
      format: requireFormat(path),
      settings: readSettings({ properties }),
      sampleBytes,
      signal: new AbortController().signal,
      budget: createUnpackBudget(() => source.sizeBytes),
      ...more,
    };
    return orMessage(async () => {
      try {
        return await use(await openers[options.format.kind](options), options);
      } catch (failure) {
        // The host receives the error of a parser as the message of another process.
        throw unreadable(
          failure instanceof PluginError ? failure : receivedFailure(sentFailure(failure)),
        );
      } finally {
        await source.close();
      }
    });
  };
  return {
    async read(path, settings = {}) {
      const sheets = await withFile(path, settings, {}, async (tables, options) => {
        const found = [];
        for (const table of tables) {
          const described = await describeTable(table, options, () => 0).catch(
            (failure: unknown) => {
              if (tables.length === 1 || !(failure instanceof PluginError)) throw failure;
              return { columns: [], notes: [remark(failure.message)] };
            },
          );
          found.push({ ...described, sheet: table.sheet });
        }
        return found;
      });
      if (typeof sheets === "string") return sheets;
      return sheets.map(({ sheet, columns, notes }) => ({
        sheet: sheet ?? "",
        columns,
        notes: notes.map(textOfNote),
        rows: () => {
          const more = { known: columns, ...(sheet !== undefined && { sheet }) };
          return withFile(path, settings, more, async (tables, options) => {
            const table = tables.find((each) => each.sheet === sheet);
            if (!table) throw new Error(`${path} has no sheet ${sheet}`);
            const rows: (readonly Cell[])[] = [];
            const typed = table.columns.map(({ forms, ...own }) => {
              const known = columns.find(({ id }) => id === own.id);
              const subtype = known?.subtype ?? own.subtype;
              const column = {
                id: own.id,
                type: known?.type ?? own.type ?? ("hierarchy" as const),
                ...(subtype && { subtype }),
              };
              return {
                ...column,
                forms: columnForms({ ...column, ...(forms && { forms }) }, options.settings),
              };
            });
            const sink = new ColumnSink({
              wanted: columns.map(({ id }) => columnOf({ columns: typed }, path, id, undefined)),
              datasetId: path,
              sizeBytes,
              send: async (part) => void rows.push(...rowsOfBatch(received(part))),
            });
            const indexes = sink.wanted.map(({ index }) => index);
            if (table.writeColumns) await table.writeColumns(sink, [], options.signal);
            else
              for await (const block of table.rows(indexes, [], options.signal))
                await sink.addRows(block);
            await sink.flush();
            return rows;
          });
        },
      }));
    },
    close: async () => undefined,
  };
}

function received({ rowCount, columns }: SentBatch): Batch {
  return {
    rowCount,
    columns: columns.map((column) =>
      column.type === "hierarchy" ? packedHierarchy(column.codes, column.utf8) : column,
    ),
  };
}
