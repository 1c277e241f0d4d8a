import type { FileHandle } from "node:fs/promises";
import { RecordBatchReader } from "apache-arrow";
import { PluginError } from "../../protocol/index.ts";
import { columnNames } from "./columnNames.ts";
import { arrowColumn } from "./arrowColumn.ts";
import type { ByteSource } from "./byteSource.ts";
import { checkArrowData } from "./checkArrowData.ts";
import { checkFlatbuffers } from "./checkFlatbuffers.ts";
import { arrowFiller } from "./arrowFiller.ts";
import type { FileTable, OpenTables } from "./fileTable.ts";
import { readAs } from "./readAs.ts";
import { unpackArrow } from "./unpackArrow.ts";

/** Maximum size in bytes of one part of a file: a record batch, or its metadata. */
const mostPartBytes = 2 ** 29;
/** Maximum number of reads of the same position. apache-arrow reads the start of a message at most twice. */
const mostReads = 4;
/** Rows per block. */
const blockRows = 20_000;

checkFlatbuffers();

/** Opens an Arrow file or stream (IPC format). Its schema declares the columns and their types. */
export const openArrow: OpenTables = async ({ source, signal, budget, settings }) => {
  const reader = await openReader(source, signal);
  const schema = await readAs("Arrow", async () => reader.schema);
  await reader.cancel();
  // In a damaged schema, a column may lack its name.
  const { names, notes } = await readAs("Arrow", async () =>
    columnNames(schema.fields.map(({ name }) => name)),
  );
  const columns = await readAs("Arrow", async () =>
    schema.fields.map((field, index) => ({
      id: names[index]!,
      ...arrowColumn(field.type, settings.forms.timeZone),
    })),
  );
  /** Reads the record batches, whose lengths are checked. */
  async function* batches(until: AbortSignal) {
    const again = await openReader(source, until);
    try {
      let rowStart = 0;
      for (;;) {
        const next = await readAs("Arrow", () => unpackArrow(budget, () => again.next()));
        if (next.done) break;
        const batch = next.value;
        await readAs("Arrow", async () => checkArrowData(batch.data, budget));
        yield { batch, rowStart };
        rowStart += batch.numRows;
      }
    } finally {
      await again.cancel();
    }
  }
  const table: FileTable = {
    columns: columns.map(({ id, type, subtype, isWhole }) => ({
      id,
      type,
      ...(subtype && { subtype }),
      ...(isWhole && { isWhole }),
    })),
    textsSpellNumbers: false,
    notes,
    async *rows(wanted, _, until) {
      for await (const { batch, rowStart } of batches(until)) {
        const read = await readAs("Arrow", async () =>
          wanted.map((index) => columns[index]!.valuesOf(batch.getChildAt(index)!)),
        );
        for (let from = 0; from < batch.numRows; from += blockRows) {
          const size = Math.min(blockRows, batch.numRows - from);
          const rows = await readAs("Arrow", async () =>
            Array.from({ length: size }, (__, row) => read.map((valueOf) => valueOf(from + row))),
          );
          const start = rowStart + from;
          yield { rows, placeOf: (index) => `row ${start + index + 1}` };
        }
      }
    },
    async writeColumns(sink, filters, until) {
      // Whole numbers are read as text if text is wanted, because they may lie beyond 2^53.
      const wantedColumns = sink.wanted.map(({ index, type }) => {
        const column = columns[index]!;
        return column.isWhole && type === "hierarchy" ? { ...column, type } : column;
      });
      const isSame = sink.wanted.every(({ type }, place) => type === wantedColumns[place]!.type);
      if (!isSame) {
        const indexes = sink.wanted.map(({ index }) => index);
        for await (const block of table.rows(indexes, filters, until)) await sink.addRows(block);
        return;
      }
      for await (const { batch, rowStart } of batches(until)) {
        const fillers = await readAs("Arrow", async () =>
          sink.wanted.map(({ index }, place) =>
            arrowFiller(batch.getChildAt(index)!, wantedColumns[place]!, sink, place),
          ),
        );
        for (let from = 0; from < batch.numRows;) {
          if (sink.isFull) await sink.flush();
          const row = sink.rowCount;
          const count = Math.min(blockRows, batch.numRows - from, sink.freeRows);
          const start = rowStart + from - row;
          const rows = { from, count, row, placeOf: (at: number) => `row ${start + at + 1}` };
          await readAs("Arrow", async () => fillers.forEach((fill) => fill(rows)));
          sink.rowCount += count;
          from += count;
        }
        await sink.flushIfLate();
      }
    },
  };
  return [table];
};

/** Opens apache-arrow's reader. A source of bytes takes the place of a file handle. */
async function openReader(source: ByteSource, signal: AbortSignal) {
  const readCounts = new Map<number, number>();
  const handle = {
    fd: -1,
    stat: async () => ({ size: source.sizeBytes }),
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
      if (length > mostPartBytes)
        throw new PluginError("PLUGIN_UNREADABLE", [
          `a record batch has more than ${mostPartBytes / 2 ** 20} MiB; write smaller batches`,
        ]);
      // If the footer points at something other than a record batch, apache-arrow would read the same position forever.
      const readCount = (readCounts.get(position) ?? 0) + 1;
      if (readCount > mostReads)
        throw new Error("its footer refers to a block that is not a record batch");
      readCounts.set(position, readCount);
      const bytes = await source.read(position, position + length, signal);
      if (bytes.length === 0) throw new Error("it is truncated");
      buffer.set(bytes, offset);
      return { bytesRead: bytes.length, buffer };
    },
    close: async () => undefined,
  };
  return readAs("Arrow", async () => {
    const reader = await RecordBatchReader.from(handle as unknown as FileHandle);
    return reader.open().catch((failure: unknown) => {
      throw missingType(failure) ?? failure;
    });
  });
}

/** Types that apache-arrow does not read, by their number in the format. */
const missingTypes = new Map([
  ["22", "run-end encoded"],
  ["25", "list view"],
  ["26", "large list view"],
]);

/** Returns an error that names the type of a column that apache-arrow does not know. Undefined for other failures. */
function missingType(failure: unknown): Error | undefined {
  const code = /^Unrecognized type: .*\((\d+)\)$/.exec(
    String(failure).replace(/^Error: /, ""),
  )?.[1];
  if (code === undefined) return undefined;
  const type = missingTypes.get(code) ?? `number ${code}`;
  return new Error(
    `a column has the type ${type}, which this reader lacks; write the column as plain values or lists, or leave it out`,
  );
}
