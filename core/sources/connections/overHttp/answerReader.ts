import { setImmediate } from "node:timers/promises";
import {
  isDataType,
  answerType,
  isComputed,
  type AnsweredBatch,
  type CellColumn,
  createBatchBuilder,
  createColumnBuilder,
  type DataType,
  type Dataset,
  parseApplied,
  PluginError,
  type Query,
  type BatchColumn,
  type ColumnBuilder,
} from "../../../../plugins/protocol/index.ts";
import { isObject, type Members } from "../../../base/index.ts";
import { createListScan, type ListScan } from "./listScan.ts";

/** Parses the answer to a query into columns while it arrives. Other work gets a turn between two parts. */
export interface AnswerReader {
  /**
   * Parses the next part.
   * @throws {PluginError} PLUGIN_BAD_ANSWER with the row and the column, PLUGIN_SOURCE_FAILED for columns above the
   * size limit
   */
  take(part: Uint8Array): Promise<void>;
  /** Completes the answer. @throws {PluginError} PLUGIN_BAD_ANSWER */
  end(): Promise<AnsweredBatch>;
}

/** Reports that the rows have a different width than the known columns, before any row is read. */
export class OtherWidth extends PluginError {
  readonly width: number;

  constructor(width: number, due: number) {
    super("PLUGIN_BAD_ANSWER", [`row 0 has ${width} cells, but there are ${due} columns`]);
    this.width = width;
  }
}

/** Bytes to scan and parse per turn, which takes a few milliseconds at most. */
const turnBytes = 32 * 2 ** 10;
const path = "/query";

/**
 * Creates the reader for the numbered versions, which answer with rows whose cells are in the order of `columns`. The
 * builder checks each cell.
 * @param sizeBytes maximum size of the columns
 */
export function createRowsReader(
  columns: readonly CellColumn[],
  sizeBytes: number,
  isWidthKnown = true,
): AnswerReader {
  const builder = createBatchBuilder(columns);
  const rowBytes = columns.reduce((sum, { type }) => sum + cellBytes(type), 0);
  const scan = createListScan({
    begin: (place) =>
      place.length > 0
        ? undefined
        : (rows) => {
            const [first] = rows;
            const width = Array.isArray(first) ? first.length : columns.length;
            if (!isWidthKnown && builder.rowCount === 0 && width !== columns.length)
              throw new OtherWidth(width, columns.length);
            for (const row of rows) builder.append(row);
            if (builder.rowCount * rowBytes > sizeBytes) throw tooLarge(sizeBytes);
          },
  });
  return {
    take: (part) => inTurns(scan, part, () => `row ${builder.rowCount}`),
    async end() {
      const rest = ended(scan, () => `row ${builder.rowCount}`);
      if (!Array.isArray(rest)) throw wrong(`${path} must return an array of rows`);
      return builder.batchInTurns(setImmediate);
    },
  };
}

/**
 * Creates the reader for `manifold-1`, which answers `{rowCount, applied_filters, columns: [{type, values}]}`. Without
 * `applied_filters`, no filter was applied. The builders check each cell.
 * @param sizeBytes maximum size of the columns
 * @param unread ids of columns whose cells become nulls
 */
export function createColumnarReader(
  query: Query,
  dataset: Pick<Dataset, "columns"> | undefined,
  sizeBytes: number,
  unread: readonly string[] = [],
): AnswerReader {
  const byId = new Map(dataset?.columns.map((column) => [column.id, column]));
  const idOf = (index: number) => query.columns[index]?.column_id ?? `#${index}`;
  const builders = new Map<number, { readonly type: DataType; readonly builder: ColumnBuilder }>();
  let size = 0;
  let reading = "the answer";
  const scan = createListScan({
    begin(place, index, before) {
      if (place.join("/") !== "columns//values") return undefined;
      if (builders.has(index))
        throw wrong(`column ${quote(idOf(index))} must have only one list of values`);
      const requested = query.columns[index];
      // If the values arrive before their type, they are read as the expected type.
      const due = requested ? answerType(requested, byId.get(requested.column_id)) : "hierarchy";
      const type = typeBefore(before()) ?? due;
      const builder = createColumnBuilder({
        id: idOf(index),
        type,
        isComputed: requested !== undefined && isComputed(requested),
        isUnread: unread.includes(idOf(index)),
      });
      builders.set(index, { type, builder });
      return (cells) => {
        reading = `row ${builder.length} of column ${quote(idOf(index))}`;
        for (const cell of cells) builder.append(cell);
        size += cells.length * cellBytes(type);
        if (size > sizeBytes) throw tooLarge(sizeBytes);
      };
    },
  });
  return {
    take: (part) => inTurns(scan, part, () => reading),
    async end() {
      const { rowCount, columns, applied_filters } = membersOf(
        ended(scan, () => reading),
        "the columnar answer",
      );
      const applied = parseApplied(applied_filters ?? [], query.filters.length, "applied_filters");
      if (typeof rowCount !== "number" || !Number.isSafeInteger(rowCount) || rowCount < 0)
        throw wrong("rowCount must be a whole number");
      if (!Array.isArray(columns)) throw wrong("columns must be an array");
      const vectors: BatchColumn[] = [];
      for (const [index, column] of columns.entries()) {
        const what = `column ${quote(idOf(index))}`;
        const { type } = membersOf(column, what);
        if (!isDataType(type))
          throw wrong(`${what} must have the type numeric, datetime or hierarchy`);
        const read = builders.get(index);
        if (read?.builder.length !== rowCount)
          throw wrong(`${what} must have rowCount (${rowCount}) values`);
        if (read.type !== type)
          throw wrong(
            `${what} is ${type} instead of ${read.type}; send its type before its values`,
          );
        vectors.push(await read.builder.columnInTurns(setImmediate));
      }
      return { rowCount, columns: vectors, applied };
    },
  };
}

async function inTurns(scan: ListScan, part: Uint8Array, place: () => string): Promise<void> {
  for (let from = 0; from < part.length; from += turnBytes) {
    const piece = part.subarray(from, from + turnBytes);
    checked(scan, () => scan.scan(piece), place);
    await setImmediate();
  }
}

function ended(scan: ListScan, place: () => string): unknown {
  return checked(scan, () => scan.end(), place);
}

function checked<Result>(scan: ListScan, run: () => Result, place: () => string): Result {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof RangeError) throw wrong(`${path} cannot be read: ${cause.message}`, cause);
    if (!(cause instanceof SyntaxError)) throw cause;
    const what = /^\s*</.test(scan.rest)
      ? "an HTML page"
      : `something that is not JSON (after ${place()})`;
    throw wrong(`${path} returned ${what}`, cause);
  }
}

/** Returns the type that precedes the values of a column, such as `{"type":"numeric","values":`. */
function typeBefore(text: string): DataType | undefined {
  const column: Members<"type"> = JSON.parse(`${text}null}`);
  return isDataType(column.type) ? column.type : undefined;
}

function membersOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw wrong(`${what} must be an object`);
  return value;
}

const cellBytes = (type: DataType): number => (type === "hierarchy" ? 4 : 8);
const quote = (id: string): string => JSON.stringify(id.slice(0, 200));

function tooLarge(sizeBytes: number): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", [
    `the answer is larger than ${Math.floor(sizeBytes / 2 ** 20)} MB`,
  ]);
}

function wrong(detail: string, cause?: unknown): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail], cause === undefined ? {} : { cause });
}
