import { open, rename, truncate, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Client } from "../../web/client/index.ts";
import { codeOf, isObject } from "../../base/index.ts";

/** A dataset whose rows are pulled. */
export interface PulledDataset {
  readonly id: string;
  /** The columns with values, in the order of the file's cells. */
  readonly columns: readonly { readonly id: string; readonly sourceName: string }[];
}

/** The first line of a file of rows. Every other line is a row: a list of cells in the order of `columns`. */
export interface RowsHead {
  /** The source names of the columns. */
  readonly columns: readonly string[];
  /** The number of rows that the source had when the pull began. */
  readonly rows: number;
}

/** How many rows were pulled, and whether the source changed meanwhile. */
export interface PulledRows {
  readonly rowCount: number;
  readonly isChanged: boolean;
}

type Cells = readonly (readonly unknown[])[];

/** Rows per call. */
const pageRows = 10_000;

/** Returns a cell as a push accepts it: a string value as itself, and a position as JSON. */
function cellOf(value: unknown): unknown {
  if (typeof value === "boolean") return String(value);
  if (!isObject(value) && !Array.isArray(value)) return value;
  return isObject<"id">(value) && value.id !== undefined ? value.id : JSON.stringify(value);
}

async function countRows(client: Client, datasetId: string): Promise<number> {
  const { data } = await client.get<{ readonly data: Cells }>("data", {
    dimensions: [],
    measures: [{ column_id: "*", dataset_id: datasetId, aggregation: { type: "count" } }],
  });
  return Number(data[0]?.[0] ?? 0);
}

/** Returns the head of a partial file and the number of its whole rows, and cuts off a row that is not whole. */
async function readPart(path: string): Promise<{ head: RowsHead; rowCount: number } | undefined> {
  try {
    await stat(path);
  } catch (failure) {
    if (codeOf(failure) === "ENOENT") return undefined;
    throw failure;
  }
  let wholeBytes = 0;
  let lineCount = 0;
  let lineStart = 0;
  const first: Buffer[] = [];
  for await (const read of createReadStream(path)) {
    const chunk: Buffer = read;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      if (lineCount === 0) first.push(chunk.subarray(0, at));
      lineCount++;
      wholeBytes = lineStart + at + 1;
    }
    if (lineCount === 0) first.push(chunk);
    lineStart += chunk.length;
  }
  if (lineCount === 0) return undefined;
  await truncate(path, wholeBytes);
  const head: RowsHead = JSON.parse(Buffer.concat(first).toString());
  return { head, rowCount: lineCount - 1 };
}

/**
 * Writes the rows of a dataset to `path`, page by page, ordered by all columns so that pages neither repeat nor skip a
 * row. A pull that was cut continues after the last whole row of `path.part`. If the number of rows changes meanwhile,
 * reads them once more, and then says so. Memory: one page.
 * @throws {ClientError}
 */
export async function pullRows(
  client: Client,
  dataset: PulledDataset,
  path: string,
): Promise<PulledRows> {
  const columns = dataset.columns.map(({ sourceName }) => sourceName);
  const references = dataset.columns.map(({ id }) => ({ column_id: id, dataset_id: dataset.id }));
  const part = `${path}.part`;
  for (let attempt = 1; ; attempt++) {
    const before = await countRows(client, dataset.id);
    const begun = attempt === 1 ? await readPart(part) : undefined;
    const isSame =
      begun?.head.rows === before && JSON.stringify(begun.head.columns) === JSON.stringify(columns);
    const file = await open(part, isSame ? "a" : "w");
    let rowCount = isSame ? begun.rowCount : 0;
    try {
      if (!isSame) await file.write(`${JSON.stringify({ columns, rows: before })}\n`);
      while (rowCount < before) {
        const { data } = await client.get<{ readonly data: Cells }>("data", {
          dimensions: references,
          measures: [],
          order: references.map((reference) => ({ ...reference, order: "asc" })),
          limit: { by: pageRows, offset: rowCount },
          options: { rollup_data: false },
        });
        if (data.length === 0) break;
        await file.write(data.map((row) => `${JSON.stringify(row.map(cellOf))}\n`).join(""));
        rowCount += data.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const after = await countRows(client, dataset.id);
    const isChanged = after !== before || rowCount !== before;
    if (isChanged && attempt === 1) continue;
    await rename(part, path);
    return { rowCount, isChanged };
  }
}

/** Yields the rows of a file from row `start`, each with the source names of its columns. */
export async function* readRowsFile(
  path: string,
  start: number,
): AsyncGenerator<{ readonly columns: readonly string[]; readonly row: readonly unknown[] }> {
  let columns: readonly string[] | undefined;
  let index = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (columns === undefined) {
      const head: RowsHead = JSON.parse(line);
      columns = head.columns;
    } else if (index++ >= start) {
      const row: readonly unknown[] = JSON.parse(line);
      yield { columns, row };
    }
  }
}
