import type { Batch, Bin, QueryColumn, BatchColumn } from "../../../plugins/protocol/index.ts";
import { instantText } from "./instantText.ts";
import type { LabelledTexts } from "./answerCell.ts";
import { binText } from "../resolve/binText.ts";
import type { ParsedQuery } from "../parsedQuery.ts";

/** Length of a chunk in UTF-16 units. Longer strings do not fit into V8's young generation. */
const chunkLength = 2 ** 16;
/** Maximum total length of the cells that are kept for one answer. */
const keptLength = 2 ** 22;
/** Maximum number of strings, instants and bins whose cells are kept, per column. */
const keptCount = 2 ** 14;

/**
 * Writes the rows of an answer as JSON after `text`. Yields chunks, and returns the text after the last chunk. The JSON
 * is exactly that of `JSON.stringify` for `presentRows`, but no cell or row objects are created, and equal strings are
 * encoded once. Uses the memory of one chunk and of `keptLength`, however many rows there are. O(cells).
 */
export function* writeRows(
  text: string,
  { rowCount, columns: vectors }: Batch,
  cells: readonly number[],
  columns: readonly Pick<QueryColumn, "bin">[],
  { isPlain }: Pick<ParsedQuery, "isPlain">,
  labels: readonly (LabelledTexts | undefined)[] = [],
): Generator<string, string, undefined> {
  const keeping: Keeping = { leftLength: keptLength };
  const cellsOf = cells.map((index, cell) => {
    const vector = vectors[index];
    if (!vector) return () => "null";
    return compileCell(vector, keeping, columns[index]?.bin, isPlain, labels[cell]);
  });
  let written = `${text}[`;
  for (let row = 0; row < rowCount; row++) {
    written += row === 0 ? "[" : ",[";
    for (let cell = 0; cell < cellsOf.length; cell++) {
      if (cell > 0) written += ",";
      written += cellsOf[cell]!(row);
    }
    written += "]";
    if (written.length < chunkLength) continue;
    yield written;
    written = "";
  }
  return `${written}]`;
}

/** The JSON of the cell of one column in a given row. */
type CellOf = (row: number) => string;

/** How many units of cells may still be kept for an answer. */
interface Keeping {
  leftLength: number;
}

function compileCell(
  vector: BatchColumn,
  keeping: Keeping,
  bin: Bin | undefined,
  isPlain: boolean | undefined,
  labels: LabelledTexts | undefined,
): CellOf {
  switch (vector.type) {
    case "hierarchy": {
      const { codes, dictionary } = vector;
      const kept: (string | undefined)[] = Array.from({
        length: Math.min(keptCount, dictionary.length),
      });
      return (row) => {
        const code = codes[row] ?? -1;
        const known = kept[code];
        if (known !== undefined) return known;
        const text = dictionary[code];
        if (text === undefined) return "null";
        const cell = textCell(text, isPlain, labels);
        if (code < kept.length && keeping.leftLength >= cell.length) {
          kept[code] = cell;
          keeping.leftLength -= cell.length;
        }
        return cell;
      };
    }
    case "numeric": {
      const { values } = vector;
      if (bin) return byValue(values, (start) => JSON.stringify(binText(start, bin)));
      return (row) => {
        const value = values[row] ?? NaN;
        return Number.isFinite(value) ? String(value) : "null";
      };
    }
    case "datetime":
      return byValue(vector.values, (instant) => `"${instantText(instant)}"`);
  }
}

function textCell(
  text: string,
  isPlain: boolean | undefined,
  labels: LabelledTexts | undefined,
): string {
  const json = JSON.stringify(text);
  if (isPlain) return json;
  const labelled = labels?.get(text);
  return labelled ? JSON.stringify(labelled) : `{"id":${json},"name":{"en":${json}}}`;
}

/** Returns the cells of a column of numbers. The cells of the first values are kept, because most of them repeat. */
function byValue(values: Float64Array, cellOf: (value: number) => string): CellOf {
  const kept = new Map<number, string>();
  return (row) => {
    const value = values[row] ?? NaN;
    if (Number.isNaN(value)) return "null";
    const known = kept.get(value);
    if (known !== undefined) return known;
    const cell = cellOf(value);
    if (kept.size < keptCount) kept.set(value, cell);
    return cell;
  };
}
