import type { BatchColumn, Bin } from "../../../plugins/protocol/index.ts";
import { binText } from "../resolve/binText.ts";
import type { LabelledTexts } from "./answerCell.ts";
import { answerFields } from "./answerFields.ts";
import type { AnsweredQuery } from "./answeredQuery.ts";
import { instantText } from "./instantText.ts";

/** A column of an answer for files. Its cells are read by row. */
export interface TableColumn {
  /** The heading of the column, unique in the table. */
  readonly name: string;
  readonly type: "text" | "number" | "datetime";
  /** Whether the values are days without a time, which no time zone shifts. */
  readonly isDate: boolean;
  /** Returns the number, or the instant in milliseconds; NaN for null and for strings. */
  number(row: number): number;
  /**
   * Returns the string that people read: the label if the value has one. Instants are ISO strings in UTC. Null for
   * null.
   */
  text(row: number): string | null;
  /** Returns the string as it is stored, without its label. */
  id(row: number): string | null;
}

/** The answer of one query as columns. */
export interface AnsweredTable {
  readonly rowCount: number;
  /** What the answer leaves out, as sentences for people. */
  readonly warnings: readonly string[];
  readonly columns: readonly TableColumn[];
  /**
   * Yields the chunks of a file on demand, and lets other work run between time slices. In `chunks`, `undefined` means
   * that the next chunk is not complete yet.
   */
  inSlices<Chunk>(chunks: Iterator<Chunk | undefined, void>): AsyncGenerator<Chunk, void>;
}

/** Returns the columns of an answer, without copying values. */
export function tableColumns(answered: AnsweredQuery): TableColumn[] {
  const { secured, batch, labels, parsed } = answered;
  const datasets = [secured.dataset, ...secured.joined];
  const references = [...parsed.dimensions, ...parsed.measures];
  return answerFields(answered).map(({ name }, cell) => {
    const index = secured.cells[cell] ?? -1;
    const column = batch.columns[index];
    if (!column) throw new RangeError(`the answer must have the column ${name}`);
    const { columnId } = references[cell] ?? {};
    const stored = datasets.find(({ columns }) => columns.has(columnId ?? ""))?.columns;
    const isDate = stored?.get(columnId ?? "")?.subtype === "date";
    return { name, isDate, ...readerOf(column, secured.query.columns[index]?.bin, labels?.[cell]) };
  });
}

type Reader = Omit<TableColumn, "name" | "isDate">;

function readerOf(
  column: BatchColumn,
  bin: Bin | undefined,
  labels: LabelledTexts | undefined,
): Reader {
  if (column.type === "hierarchy") {
    const { codes, dictionary } = column;
    const shown = new Map<number, string>();
    const id = (row: number) => dictionary[codes[row] ?? -1] ?? null;
    const text = (row: number) => {
      const code = codes[row] ?? -1;
      const known = shown.get(code);
      if (known !== undefined) return known;
      const stored = dictionary[code];
      if (stored === undefined) return null;
      const found = Object.values(labels?.get(stored)?.name ?? {})[0] ?? stored;
      shown.set(code, found);
      return found;
    };
    return { type: "text", number: () => Number.NaN, text: labels ? text : id, id };
  }
  const { values } = column;
  const number = (row: number) => values[row] ?? Number.NaN;
  const written = (write: (value: number) => string) => (row: number) => {
    const value = number(row);
    return Number.isNaN(value) ? null : write(value);
  };
  if (column.type === "datetime") {
    const text = written(instantText);
    return { type: "datetime", number, text, id: text };
  }
  const text = written(bin ? (start) => binText(start, bin) : String);
  return bin
    ? { type: "text", number: () => Number.NaN, text, id: text }
    : { type: "number", number, text, id: text };
}
