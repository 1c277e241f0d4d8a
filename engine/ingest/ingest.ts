import { EngineError } from "../errors.ts";
import type { Failure } from "../failureOf.ts";
import type { ColumnDefinition, DataType, IngestRequest } from "../types.ts";
import { copyArriving } from "./decode/arrivingBytes.ts";
import { columnLimit } from "./json/encodeJson.ts";
import { nullBatchColumn } from "./decode/fitColumn.ts";
import type { EncodedBatch, EncodedColumn } from "../column/encodedBatch.ts";
import type { IngestAnswer, IngestTask } from "./messages.ts";
import { onePart } from "./decode/onePart.ts";
import { shareBytes } from "./decode/shareBytes.ts";
import { BufferPool } from "../memory/bufferPool.ts";
import { hasLists, splitRows } from "./json/splitRows.ts";
import { valueLimit } from "./decode/valueLimit.ts";

/** Bytes of JSON per task. Encoding them takes tens of milliseconds. */
const defaultPartBytes = 2 ** 21;

/** Bytes to encode. If `columns` is absent, all columns are read and their types are detected. */
export interface IngestSource extends Pick<IngestRequest, "format" | "bytes" | "columns"> {
  readonly partBytes?: number;
  /**
   * Provides buffers for JSON that is sent to the threads and for sealed frames that the threads return. If absent, new
   * memory is allocated.
   */
  readonly bufferPool?: BufferPool;
}

export interface IngestedColumn extends ColumnDefinition {
  /** True if there is at least one value and all values are dates without a time. */
  readonly isDate: boolean;
}

/**
 * Rows that are ready for a table: batches in the order of the bytes. All batches have the same columns, in the same
 * order and with the same types.
 */
export interface IngestedRows {
  readonly columns: readonly IngestedColumn[];
  readonly batches: readonly EncodedBatch[];
}

type Run<Batch = EncodedBatch> = (task: IngestTask) => Promise<IngestAnswer<Batch> | Failure>;

/**
 * Encodes bytes on threads; `run` runs a task on one of `threadCount` threads. Files are encoded as by `ingestFile`,
 * and JSON in tasks of about 2 MB. Resolves when everything is encoded, so that the rows can be applied completely or
 * not at all.
 * @throws {EngineError} INGEST_MALFORMED, INGEST_CELL, INGEST_UNREADABLE, INGEST_UNSUPPORTED, and the errors of `run`
 */
export async function ingest(
  request: IngestSource,
  threadCount: number,
  run: Run,
): Promise<IngestedRows> {
  if (request.format === "json") return ingestJson(request, run);
  const batches = await Array.fromAsync(await ingestFile(request, threadCount, run));
  return { columns: joinColumns(batches), batches };
}

/**
 * Encodes an Arrow or Parquet file, whose types are known from the start, and returns its batches in order. A batch is
 * a row group of Parquet or a piece of an Arrow record batch. Up to twice `threadCount` batches are encoded ahead, so
 * the caller can apply batches while later batches are encoded. `run` may return batches in any form.
 * @throws {EngineError} INGEST_CELL, INGEST_UNREADABLE, INGEST_UNSUPPORTED, and the errors of `run`
 */
export async function ingestFile<Batch>(
  request: IngestSource,
  threadCount: number,
  run: Run<Batch>,
): Promise<AsyncGenerator<Batch, void>> {
  let copyFailure: { readonly error: unknown } | undefined;
  const { bytes, arrived } = copyArriving(request.bytes, (error) => {
    copyFailure = { error };
  });
  const task = { ...taskOf(request, bytes), ...(arrived && { arrived }) };
  const encode = async (part: number) => {
    const answer = await run({ ...task, part, partCount: onePart });
    if (copyFailure) throw copyFailure.error;
    return answer;
  };
  return inOrder(threadCount * 2, encode);
}

/**
 * Runs parts 0, 1 and so on until a part is empty, with up to `ahead` parts in progress. The first `ahead` parts start
 * at the same time.
 */
function inOrder<Batch>(
  ahead: number,
  encode: (part: number) => ReturnType<Run<Batch>>,
): AsyncGenerator<Batch, void> {
  const begin = (part: number) => {
    const answer = encode(part);
    // A failure is handled when its part is awaited. If an earlier part fails first, this part is never awaited, and
    // without this handler its failure would end the process.
    answer.catch(() => undefined);
    return answer;
  };
  const running = Array.from({ length: ahead }, (_, part) => begin(part));
  return (async function* () {
    for (let part = ahead; ; part++) {
      const batches = batchesOf(await (running.shift() as ReturnType<Run<Batch>>));
      if (batches.length === 0) return;
      running.push(begin(part));
      yield* batches;
    }
  })();
}

async function ingestJson(request: IngestSource, run: Run): Promise<IngestedRows> {
  const { bytes, partBytes = defaultPartBytes, bufferPool = new BufferPool() } = request;
  const parts = splitRows(bytes, partBytes).map((part) => shareBytes(part, bufferPool));
  const encode = (part: Uint8Array<SharedArrayBuffer>, columns = request.columns) => {
    const buffer = bufferPool.find(part.length);
    return run({
      ...taskOf(request, part),
      ...(columns && { columns }),
      ...(buffer && { buffer }),
    });
  };
  const answers = await Promise.all(parts.map((part) => encode(part)));
  const batches = answers.flatMap((answer) => (answer.ok ? answer.batches : []));
  const columns = joinColumns(batches);
  // The error may be the result of a cut inside a string. Encoding the JSON in one piece shows whether it is, and
  // otherwise reports the correct byte and row.
  if (parts.length > 1 && !isSound(bytes, answers, batches, columns))
    return ingestJson({ ...request, partBytes: Infinity }, run);
  const fitted = await Promise.all(
    parts.map(async (part, index) => {
      if (batches[index] && hasTypes(batches[index], columns)) return batches[index];
      const buffer = batches[index]?.buffer;
      if (buffer) bufferPool.give(buffer);
      const answer = answers[index].ok ? await encode(part, columns) : answers[index];
      return batchesOf(answer)[0];
    }),
  );
  for (const part of parts) if (part.buffer !== bytes.buffer) bufferPool.give(part.buffer);
  return { columns, batches: fitted.map((batch) => complete(batch, columns)) };
}

function taskOf({ format, columns }: IngestSource, bytes: Uint8Array): IngestTask {
  return { kind: "ingest", format, bytes, ...(columns && { columns }), part: 0, partCount: 1 };
}

function batchesOf<Batch>(answer: IngestAnswer<Batch> | Failure): readonly Batch[] {
  if (!answer.ok) throw new EngineError(answer.code, answer.details);
  return answer.batches;
}

/** Returns whether the separately encoded parts equal the encoding of the whole JSON. */
function isSound(
  bytes: Uint8Array,
  answers: readonly (IngestAnswer | Failure)[],
  batches: readonly EncodedBatch[],
  columns: readonly IngestedColumn[],
): boolean {
  const rowCount = batches.reduce((sum, batch) => sum + batch.rowCount, 0);
  return (
    answers.every(({ ok }) => ok) &&
    (!hasLists(bytes) || batches.every((batch) => batch.columns.length === columns.length)) &&
    columns.length <= columnLimit &&
    rowCount * columns.length <= valueLimit(bytes.length)
  );
}

/**
 * Returns the columns of all batches, in order of first appearance. A column with values of two types becomes a text
 * column, as does a column of nulls.
 */
function joinColumns(batches: readonly EncodedBatch[]): readonly IngestedColumn[] {
  const byName = new Map<string, { type: DataType; isDate: boolean; isEmpty: boolean }>();
  for (const { columns } of batches)
    for (const { name, column, isDate, isEmpty } of columns) {
      const known = byName.get(name);
      if (!known || (known.isEmpty && !isEmpty))
        byName.set(name, { type: column.type, isDate, isEmpty });
      else if (!isEmpty) {
        known.isDate &&= isDate;
        if (known.type !== column.type) known.type = "text";
      }
    }
  return Array.from(byName, ([name, { type, isDate }]) => ({
    name,
    type,
    isDate: isDate && type === "datetime",
  }));
}

function hasTypes(batch: EncodedBatch, columns: readonly IngestedColumn[]): boolean {
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  return batch.columns.every(
    ({ name, isEmpty, column }) => isEmpty || column.type === typeOf.get(name),
  );
}

/** Returns a batch with all columns in order. Columns that the batch lacks are filled with nulls. */
function complete(
  { rowCount, columns: found, buffer }: EncodedBatch,
  columns: readonly IngestedColumn[],
): EncodedBatch {
  const byName = new Map(found.map((column) => [column.name, column]));
  return {
    rowCount,
    ...(buffer && { buffer }),
    columns: columns.map(({ name, type }): EncodedColumn => {
      const column = byName.get(name);
      if (column?.column.type === type) return column;
      return { name, isDate: false, isEmpty: true, column: nullBatchColumn(type, rowCount) };
    }),
  };
}
