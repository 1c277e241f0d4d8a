import type { Batch, Bin, QueryColumn, BatchColumn } from "../../../plugins/protocol/index.ts";
import { instantText } from "./instantText.ts";
import type { LabelledTexts } from "./answerCell.ts";
import { binText } from "../resolve/binText.ts";
import type { ParsedQuery } from "../parsedQuery.ts";

/** Characters of a chunk. */
export const chunkLength = 2 ** 17;

/** Characters of written cells that are kept for each column: most texts and periods repeat. */
const knownLength = 2 ** 20;

/**
 * Writes the rows of an answer as JSON, in chunks: exactly the text that `JSON.stringify` makes
 * from `presentRows`, without cell or row objects.
 * Memory is one chunk, for any number of rows. O(cells).
 */
export function* writeRows(
  batch: Batch,
  cells: readonly number[],
  asked: readonly Pick<QueryColumn, "bin">[],
  { isPlain }: Pick<ParsedQuery, "isPlain">,
  labels: readonly (LabelledTexts | undefined)[] = [],
): Generator<string, void, undefined> {
  const writers = cells.map((index, cell) => {
    const vector = batch.columns[index];
    return vector ? writerOf(vector, asked[index]?.bin, isPlain, labels[cell]) : () => "null";
  });
  let text = "[";
  for (let row = 0; row < batch.rowCount; row++) {
    text += row === 0 ? "[" : ",[";
    let separator = "";
    for (const write of writers) {
      text += separator + write(row);
      separator = ",";
    }
    text += "]";
    if (text.length < chunkLength) continue;
    yield text;
    text = "";
  }
  yield `${text}]`;
}

function writerOf(
  vector: BatchColumn,
  bin: Bin | undefined,
  isPlain: boolean | undefined,
  labels: LabelledTexts | undefined,
): (row: number) => string {
  switch (vector.type) {
    case "hierarchy": {
      const { codes, dictionary } = vector;
      const write = keeping((code) => {
        const labelled = isPlain ? undefined : labels?.get(dictionary[code] ?? "");
        if (labelled) return JSON.stringify(labelled);
        const id = JSON.stringify(dictionary[code]);
        return isPlain ? id : `{"id":${id},"name":{"en":${id}}}`;
      });
      return (row) => {
        const code = codes[row] ?? -1;
        return dictionary[code] === undefined ? "null" : write(code);
      };
    }
    case "numeric": {
      const { values } = vector;
      if (bin)
        return (row) => {
          const start = values[row] ?? NaN;
          return Number.isNaN(start) ? "null" : JSON.stringify(binText(start, bin));
        };
      return (row) => {
        const value = values[row] ?? NaN;
        return Number.isFinite(value) ? String(value) : "null";
      };
    }
    case "datetime": {
      const { values } = vector;
      const write = keeping((value) => `"${instantText(value)}"`);
      return (row) => {
        const value = values[row] ?? NaN;
        return Number.isNaN(value) ? "null" : write(value);
      };
    }
  }
}

/** Memoizes `write`, up to `knownLength` characters. */
function keeping(write: (value: number) => string): (value: number) => string {
  const known = new Map<number, string>();
  let length = 0;
  return (value) => {
    const kept = known.get(value);
    if (kept !== undefined) return kept;
    const text = write(value);
    if (length < knownLength) {
      known.set(value, text);
      length += text.length;
    }
    return text;
  };
}
