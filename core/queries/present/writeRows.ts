import type { Batch, Bin, QueryColumn, BatchColumn } from "../../../plugins/protocol/index.ts";
import { instantText } from "./instantText.ts";
import type { LabelledTexts } from "./answerCell.ts";
import type { JsonWriter } from "./jsonWriter.ts";
import { binText } from "../resolve/binText.ts";
import type { ParsedQuery } from "../parsedQuery.ts";

/**
 * Maximum number of texts cached per column. Most labels and periods repeat, and a larger cache would burden the
 * garbage collector.
 */
const knownCount = 2 ** 12;

/**
 * Writes the rows of an answer as JSON in chunks. The text is exactly that of `JSON.stringify` for `presentRows`, but
 * no cell or row objects are created. The writer keeps the rest that does not fill a chunk. The memory is that of one
 * chunk, for any number of rows. O(cells).
 */
export function* writeRows(
  writer: JsonWriter,
  batch: Batch,
  cells: readonly number[],
  columns: readonly Pick<QueryColumn, "bin">[],
  { isPlain }: Pick<ParsedQuery, "isPlain">,
  labels: readonly (LabelledTexts | undefined)[] = [],
): Generator<string, void, undefined> {
  const writeCells = cells.map((index, cell) => {
    const vector = batch.columns[index];
    if (!vector) return () => writer.ascii("null");
    return cellsOf(vector, writer, columns[index]?.bin, isPlain, labels[cell]);
  });
  writer.ascii("[");
  for (let row = 0; row < batch.rowCount; row++) {
    writer.ascii(row === 0 ? "[" : ",[");
    for (let cell = 0; cell < writeCells.length; cell++) {
      if (cell > 0) writer.ascii(",");
      writeCells[cell]!(row);
    }
    writer.ascii("]");
    if (writer.isFull) yield writer.take();
  }
  writer.ascii("]");
}

/** Writes the cell of one column in a given row. */
type WriteCell = (row: number) => void;

function cellsOf(
  vector: BatchColumn,
  writer: JsonWriter,
  bin: Bin | undefined,
  isPlain: boolean | undefined,
  labels: LabelledTexts | undefined,
): WriteCell {
  switch (vector.type) {
    case "hierarchy": {
      const { codes, dictionary } = vector;
      const labelOf = keeping((code) => {
        const labelled = isPlain ? undefined : labels?.get(dictionary[code] ?? "");
        return labelled && JSON.stringify(labelled);
      });
      return (row) => {
        const code = codes[row] ?? -1;
        const text = dictionary[code];
        if (text === undefined) return writer.ascii("null");
        if (isPlain) return writer.text(text);
        const label = labels && labelOf(code);
        if (label !== undefined) return writer.json(label);
        writer.ascii('{"id":');
        writer.text(text);
        writer.ascii(',"name":{"en":');
        writer.text(text);
        writer.ascii("}}");
      };
    }
    case "numeric": {
      const { values } = vector;
      if (bin)
        return (row) => {
          const start = values[row] ?? NaN;
          if (Number.isNaN(start)) writer.ascii("null");
          else writer.text(binText(start, bin));
        };
      return (row) => {
        const value = values[row] ?? NaN;
        if (Number.isFinite(value)) writer.number(value);
        else writer.ascii("null");
      };
    }
    case "datetime": {
      const { values } = vector;
      const textOf = keeping(instantText);
      return (row) => {
        const value = values[row] ?? NaN;
        if (Number.isNaN(value)) writer.ascii("null");
        else writer.text(textOf(value));
      };
    }
  }
}

/** Memoizes a function for the first values it receives. */
function keeping<Text>(textOf: (value: number) => Text): (value: number) => Text {
  const known = new Map<number, Text>();
  return (value) => {
    const kept = known.get(value);
    if (kept !== undefined) return kept;
    const text = textOf(value);
    if (known.size < knownCount) known.set(value, text);
    return text;
  };
}
