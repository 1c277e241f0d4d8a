import { parquetMetadata, parquetScan, parquetSchema, type ParquetParsers } from "hyparquet";
import type { AsyncBuffer, ColumnDecoder, FileMetaData, SchemaTree } from "hyparquet/src/types.js";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { isFlatColumn } from "hyparquet/src/schema.js";
import { PluginError, type DataType, type Filter } from "../../protocol/index.ts";
import { checkColumnCount, columnNames } from "./columnNames.ts";
import type { ByteSource } from "./byteSource.ts";
import { checkThrift } from "./checkThrift.ts";
import type { FileNote } from "./fileNote.ts";
import type { FileTable, OpenTables } from "./fileTable.ts";
import { mayPass } from "./mayPass.ts";
import { parquetColumn, withRawValues, type ParquetColumn } from "./parquetColumn.ts";
import { checkParquetChunk, openParquetCursor, type ParquetCursor } from "./parquetCursor.ts";
import { compressors } from "./parquetPages.ts";
import { parquetTarget } from "./parquetTarget.ts";
import { readAs } from "./readAs.ts";
import { wholeOf } from "./storedValues.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** Maximum compressed size of the wanted columns in one row group, in bytes. */
const mostGroupBytes = 2 ** 29;
const mostFooterBytes = 2 ** 26;
/**
 * Number of bytes at the end of a file that are read first. Most footers are shorter; a longer footer is then read in a
 * second step.
 */
const footerBytes = 2 ** 16;
/** Rows per block. */
const blockRows = 20_000;
/** Rows that are written to columns at a time. Between them, the length of the collected strings is checked. */
const filledRows = 16_384;
/** Maximum gap in bytes between two column chunks that hyparquet reads at once. */
const mostGapBytes = 2 ** 13;

type RowGroup = FileMetaData["row_groups"][number];

const floorDivided = (value: bigint, by: bigint): number => {
  const rest = value % by;
  return Number((value - (rest < 0n ? rest + by : rest)) / by);
};

/** Rounds instants down to milliseconds, even before 1970, and keeps JSON as a string. */
const parsers: ParquetParsers = {
  ...DEFAULT_PARSERS,
  timestampFromMicroseconds: (micros) => new Date(floorDivided(micros, 1000n)),
  timestampFromNanoseconds: (nanos) => new Date(floorDivided(nanos, 1_000_000n)),
  jsonFromBytes: (bytes) => bytes && new TextDecoder().decode(bytes),
};

/** hyparquet converts the keys of maps with `String`, which would lose the milliseconds of a Date. */
class KeyDate extends Date {
  override toString(): string {
    return Number.isNaN(this.getTime()) ? super.toString() : this.toISOString();
  }
}

/** The parsers of nested columns, which may be keys of maps. */
const nestedParsers: ParquetParsers = {
  ...parsers,
  timestampFromMilliseconds: (millis) => new KeyDate(Number(millis)),
  timestampFromMicroseconds: (micros) => new KeyDate(floorDivided(micros, 1000n)),
  timestampFromNanoseconds: (nanos) => new KeyDate(floorDivided(nanos, 1_000_000n)),
};

/** A top-level column. */
interface Column extends ParquetColumn {
  /** Name of the column in the file. Names may be repeated. */
  readonly name: string;
  /** Index of the column's first column chunk in a row group. */
  readonly firstChunk: number;
  /**
   * The path from the root to each leaf of the column. Each leaf has a column chunk; a nested column has several
   * leaves.
   */
  readonly leaves: readonly SchemaTree[][];
  /** Whether the statistics say that no whole number lies beyond 2^53. */
  readonly isSafe?: boolean;
}

const longNote = (column: string): FileNote => ({
  kind: "doubt",
  column,
  message: "it is text: it has whole numbers beyond 2^53",
});

/**
 * Opens a Parquet file. Its footer declares the columns and their types. Row groups that cannot pass the filters are
 * not read. Flat columns are read page by page, nested columns row group by row group.
 */
export const openParquet: OpenTables = async ({ source, signal, budget, settings }) => {
  const metadata = await readAs("Parquet", () => readFooter(source, signal, budget));
  const raw: FileMetaData = { ...metadata, schema: metadata.schema.map(withRawValues) };
  const all = await readAs("Parquet", async () =>
    columnsOf(metadata, raw, settings.forms.timeZone),
  );
  const columns = all
    .filter(({ left }) => left === undefined)
    .map((column) => withKnownRange(column, metadata.row_groups));
  const { names, notes } = columnNames(columns.map(({ name }) => name));
  const wallIds = new Set(columns.flatMap(({ name, isWall }) => (isWall ? [name] : [])));
  /** Opens the row groups that may contain rows that pass the filters, one after another. */
  async function* groups(
    wantedColumns: readonly Column[],
    filters: readonly Filter[],
    until: AbortSignal,
  ) {
    let groupStart = 0;
    for (const group of metadata.row_groups) {
      const groupRows = rowCountOf(group.num_rows);
      const rowStart = groupStart;
      groupStart += groupRows;
      if (!mayPass(group, filters, wallIds)) continue;
      until.throwIfAborted();
      const options = {
        source,
        raw,
        group,
        wantedColumns,
        rowStart,
        groupRows,
        budget,
        signal: until,
      };
      const cursors = await readAs("Parquet", () => openGroup(options));
      const decoders = await readAs("Parquet", async () =>
        wantedColumns.map(({ leaves, firstChunk }) => decoderOf(leaves[0]!, group, firstChunk)),
      );
      yield { cursors, decoders, rowStart, groupRows };
    }
  }
  const table: FileTable = {
    columns: columns.map(({ type, subtype, isWhole, isSafe }, index) => ({
      id: names[index]!,
      type,
      ...(subtype && { subtype }),
      ...(isWhole && !isSafe && type === "numeric" && { isWhole }),
    })),
    textsSpellNumbers: false,
    rowCount: Number(metadata.num_rows),
    notes: [
      ...notes,
      ...columns.flatMap(({ isWhole, type }, index) =>
        isWhole && type === "hierarchy" ? [longNote(names[index]!)] : [],
      ),
      ...all.flatMap(({ name, left }) =>
        left === undefined
          ? []
          : [`the column ${JSON.stringify(name)} is left out, because it is ${left}`],
      ),
    ],
    async *rows(wanted, filters, until) {
      const wantedColumns = wanted.map((index) => columns[index]!);
      for await (const { cursors, rowStart, groupRows } of groups(wantedColumns, filters, until))
        for (let from = 0; from < groupRows; from += blockRows) {
          const size = Math.min(blockRows, groupRows - from);
          // If no columns are read, there are no pages that the budget could count.
          if (wantedColumns.length === 0) budget.take(8 * size);
          const read = await readAs("Parquet", async () =>
            cursors.map((cursor) => cursor.read(size)),
          );
          const rows = Array.from({ length: size }, (_, row) =>
            wantedColumns.map(({ valueOf }, index) => valueOf(read[index]![row])),
          );
          yield { rows, placeOf: (index) => `row ${rowStart + from + index + 1}` };
        }
    },
    async writeColumns(sink, filters, until) {
      const wantedColumns = sink.wanted.map(({ index, type }) => asWanted(columns[index]!, type));
      const isSame = sink.wanted.every(({ type }, place) => type === wantedColumns[place]!.type);
      if (!isSame) {
        const indexes = sink.wanted.map(({ index }) => index);
        for await (const block of table.rows(indexes, filters, until)) await sink.addRows(block);
        return;
      }
      for await (const group of groups(wantedColumns, filters, until)) {
        const { cursors, rowStart, groupRows } = group;
        let from = 0;
        const placeOf = (row: number) => `row ${rowStart + from + row - sink.rowCount + 1}`;
        const targets = wantedColumns.map((column, place) =>
          parquetTarget(column, group.decoders[place]!, sink, { place, placeOf }),
        );
        while (from < groupRows) {
          if (sink.isFull) await sink.flush();
          const size = Math.min(filledRows, groupRows - from, sink.freeRows);
          if (wantedColumns.length === 0) budget.take(8 * size);
          await readAs("Parquet", async () =>
            cursors.forEach((cursor, place) => {
              if (cursor.fill) cursor.fill(size, sink.rowCount, targets[place]!);
              else
                cursor.read(size).forEach((value, index) => {
                  const row = sink.rowCount + index;
                  sink.setCell(row, place, wantedColumns[place]!.valueOf(value), () =>
                    placeOf(row),
                  );
                });
            }),
          );
          from += size;
          sink.rowCount += size;
        }
        await sink.flushIfLate();
      }
    },
  };
  return [table];
};

async function readFooter(
  source: ByteSource,
  signal: AbortSignal,
  budget: UnpackBudget,
): Promise<FileMetaData> {
  const { sizeBytes } = source;
  let tail = await source.read(Math.max(0, sizeBytes - footerBytes), sizeBytes, signal);
  const declared =
    tail.length < 12
      ? 0
      : new DataView(tail.buffer, tail.byteOffset).getUint32(tail.length - 8, true);
  if (declared > sizeBytes - 12 || declared > mostFooterBytes)
    throw new Error(
      `its footer declares ${declared} bytes of ${sizeBytes}; a footer must have at most ${mostFooterBytes / 2 ** 20} MiB`,
    );
  if (declared + 8 > tail.length)
    tail = await source.read(sizeBytes - declared - 8, sizeBytes, signal);
  budget.take(declared);
  // hyparquet trusts the declared lengths of lists, so they are checked first.
  if (declared > 0) checkThrift(tail, tail.length - 8 - declared);
  const metadata = parquetMetadata(tail, { parsers, geoparquet: false });
  let rowCount = 0;
  let chunkBytes = 0;
  for (const group of metadata.row_groups) {
    rowCount += rowCountOf(group.num_rows);
    for (const { meta_data: meta } of group.columns)
      chunkBytes += Number(meta?.total_compressed_size ?? 0);
  }
  if (chunkBytes > sizeBytes)
    throw new Error(`its column chunks declare ${chunkBytes} bytes, but the file has ${sizeBytes}`);
  // Some writers leave the total at 0.
  if (metadata.num_rows === 0n) return { ...metadata, num_rows: BigInt(rowCount) };
  if (rowCount !== rowCountOf(metadata.num_rows))
    throw new Error(
      `its row groups have ${rowCount} rows, but its footer declares ${metadata.num_rows}`,
    );
  return metadata;
}

/** Reads whole numbers as text if text is wanted, because they may lie beyond 2^53. */
function asWanted(column: Column, type: DataType): Column {
  return column.isWhole && type === "hierarchy" ? { ...column, type } : column;
}

/** Determines from statistics whether whole numbers lie beyond 2^53. If they do, the column is text. */
function withKnownRange(column: Column, groups: readonly RowGroup[]): Column {
  if (!column.isWhole) return column;
  const ranges = groups.map(({ columns }) => {
    const { statistics, num_values: count } = columns[column.firstChunk]?.meta_data ?? {};
    if (statistics?.null_count !== undefined && statistics.null_count === count) return true;
    const limits = [statistics?.min_value, statistics?.max_value].map(wholeLimit);
    return limits.includes(undefined) ? undefined : limits.every(Number.isSafeInteger);
  });
  if (ranges.includes(false)) return { ...column, type: "hierarchy" };
  return ranges.includes(undefined) ? column : { ...column, isSafe: true };
}

function wholeLimit(limit: unknown): number | undefined {
  if (limit instanceof Uint8Array) return Number(wholeOf(limit));
  return typeof limit === "bigint" || typeof limit === "number" ? Number(limit) : undefined;
}

function rowCountOf(count: bigint): number {
  const rowCount = Number(count);
  if (Number.isSafeInteger(rowCount) && rowCount >= 0) return rowCount;
  throw new Error(
    `the number of rows in a row group must be a whole number of at least 0, not ${count}`,
  );
}

function columnsOf(
  metadata: FileMetaData,
  raw: FileMetaData,
  timeZone: string | undefined,
): readonly Column[] {
  const root = parquetSchema(raw);
  const { children } = parquetSchema(metadata);
  checkColumnCount(children.length);
  const reachedCount = partCountOf(root);
  if (reachedCount !== raw.schema.length)
    throw new Error(
      `its schema has ${raw.schema.length} elements, but its root has ${reachedCount}`,
    );
  const counts = new Map<string, number>();
  for (const { element } of children) counts.set(element.name, (counts.get(element.name) ?? 0) + 1);
  let firstChunk = 0;
  return root.children.map((tree, index) => {
    const { name } = tree.element;
    const leaves = leavesOf([root, tree]);
    const isUnclear = tree.children.length > 0 && counts.get(name) !== 1;
    // hyparquet converts a struct to a plain object, in which a member named `__proto__` would be lost.
    const isLost = leaves.some((path) =>
      path.slice(2).some(({ element }) => element.name === "__proto__"),
    );
    firstChunk += leaves.length;
    return {
      ...parquetColumn(children[index]!, timeZone),
      ...(isUnclear && { left: "nested, with a repeated name" }),
      ...(isLost && { left: "nested, with a member called __proto__" }),
      name,
      firstChunk: firstChunk - leaves.length,
      leaves,
    };
  });
}

function partCountOf({ children }: SchemaTree): number {
  return children.reduce((sum, child) => sum + partCountOf(child), 1);
}

function leavesOf(path: SchemaTree[]): SchemaTree[][] {
  const children = path.at(-1)?.children ?? [];
  return children.length === 0 ? [path] : children.flatMap((child) => leavesOf([...path, child]));
}

interface GroupOptions {
  readonly source: ByteSource;
  readonly raw: FileMetaData;
  readonly group: RowGroup;
  readonly wantedColumns: readonly Column[];
  readonly rowStart: number;
  readonly groupRows: number;
  readonly budget: UnpackBudget;
  readonly signal: AbortSignal;
}

/** Opens the wanted columns of a row group. */
async function openGroup(options: GroupOptions): Promise<readonly ParquetCursor[]> {
  const { source, group, wantedColumns } = options;
  let sizeBytes = 0;
  for (const { firstChunk, leaves } of wantedColumns)
    for (let chunk = firstChunk; chunk < firstChunk + leaves.length; chunk++) {
      const [from, to] = rangeOf(group, chunk, source.sizeBytes);
      sizeBytes += to - from;
    }
  if (sizeBytes > mostGroupBytes)
    throw new PluginError("PLUGIN_UNREADABLE", [
      `a row group has ${Math.ceil(sizeBytes / 2 ** 20)} MiB in the requested columns, more than the limit of ` +
        `${mostGroupBytes / 2 ** 20} MiB; request fewer columns, or write smaller row groups`,
    ]);
  return Promise.all(wantedColumns.map((column) => openColumn(column, options)));
}

async function openColumn(column: Column, options: GroupOptions): Promise<ParquetCursor> {
  const { source, group, rowStart, groupRows, budget, signal } = options;
  const read = await Promise.all(
    column.leaves.map(async (path, index) => {
      const chunk = column.firstChunk + index;
      const [from, to] = rangeOf(group, chunk, source.sizeBytes);
      const decoder = decoderOf(path, group, chunk);
      return { from, bytes: await source.read(from, to, signal), decoder, budget };
    }),
  );
  const [first] = read;
  if (first && isFlatColumn(first.decoder.schemaPath)) return openParquetCursor(first);
  for (const each of read) checkParquetChunk(each);
  const values = await assemble(column, options, read);
  if (values.length !== groupRows)
    throw new Error(
      `the column ${column.name} has ${values.length} values in a row group of ${groupRows} rows, from row ${rowStart + 1}`,
    );
  let at = 0;
  return {
    read(count) {
      at += count;
      return Array.from({ length: count }, (_, index) => values[at - count + index]);
    },
  };
}

/** Lets hyparquet assemble a nested column from bytes that have already been checked. */
async function assemble(
  { name }: Column,
  { source, raw, group, groupRows }: GroupOptions,
  read: readonly { readonly from: number; readonly bytes: Uint8Array }[],
): Promise<ArrayLike<unknown>> {
  if (groupRows === 0) return [];
  const mostBytes = read.reduce((sum, { bytes }) => sum + bytes.length + mostGapBytes, 0);
  const file: AsyncBuffer = {
    byteLength: source.sizeBytes,
    // hyparquet reads neighboring column chunks in one request, including the bytes between them.
    slice(from, to = source.sizeBytes) {
      const first = Math.min(...read.map((each) => each.from));
      const last = Math.max(...read.map((each) => each.from + each.bytes.length));
      if (from < first || to > last || to - from > mostBytes)
        throw new Error("a column refers to bytes outside its column chunks");
      const bytes = new Uint8Array(to - from);
      for (const each of read) {
        const start = Math.max(from, each.from);
        const end = Math.min(to, each.from + each.bytes.length);
        if (start < end)
          bytes.set(each.bytes.subarray(start - each.from, end - each.from), start - from);
      }
      return bytes.buffer;
    },
  };
  const metadata = { ...raw, num_rows: group.num_rows, row_groups: [group] };
  const scan = await parquetScan({
    file,
    metadata,
    columns: [name],
    rowStart: 0,
    rowEnd: groupRows,
    compressors,
    parsers: nestedParsers,
    utf8: false,
    geoparquet: false,
    useOffsetIndex: false,
  });
  return scan.readColumn({ column: name, rowStart: 0, rowEnd: groupRows });
}

/**
 * Returns the position of a column chunk in the file.
 * @throws {Error} if the chunk is outside the file
 */
function rangeOf(
  { columns }: RowGroup,
  chunk: number,
  fileBytes: number,
): readonly [from: number, to: number] {
  const meta = columns[chunk]?.meta_data;
  if (!meta) throw new Error("a row group has fewer columns than the schema");
  const dictionary = Number(meta.dictionary_page_offset ?? 0);
  const data = Number(meta.data_page_offset);
  const from = dictionary > 0 && dictionary < data ? dictionary : data;
  const to = from + Number(meta.total_compressed_size);
  if (!(from >= 0 && to >= from && to <= fileBytes))
    throw new Error(`a column declares the bytes ${from} to ${to}, but the file has ${fileBytes}`);
  return [from, to];
}

function decoderOf(schemaPath: SchemaTree[], { columns }: RowGroup, chunk: number): ColumnDecoder {
  const codec = columns[chunk]?.meta_data?.codec;
  const element = schemaPath.at(-1)?.element;
  if (!codec || !element?.type) throw new Error("a row group has fewer columns than the schema");
  const pathInSchema = schemaPath.slice(1).map((each) => each.element.name);
  const { type } = element;
  return { pathInSchema, type, element, schemaPath, codec, parsers, compressors, utf8: false };
}
