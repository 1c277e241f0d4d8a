import type { Batch, Vector } from "../../plugins/protocol/index.ts";

/** A text as clients read it: its raw value and its labels. */
export interface TextCell {
  readonly id: string;
  readonly name: { readonly en: string };
}

/** Numbers are numbers, instants ISO texts in UTC, texts `{id, name}`; null is no value. */
export type AnswerCell = number | string | TextCell | null;

/** Lays a batch out in rows; `cells` are the indexes of its columns in the order of an answer row. */
export function presentRows(batch: Batch, cells: readonly number[]): AnswerCell[][] {
  const readers = cells.map((index) => {
    const vector = batch.columns[index];
    return vector ? readerOf(vector) : () => null;
  });
  const width = readers.length;
  const rows: AnswerCell[][] = [];
  for (let row = 0; row < batch.rowCount; row++) {
    const answer: AnswerCell[] = [];
    for (let cell = 0; cell < width; cell++) answer.push(readers[cell]?.(row) ?? null);
    rows.push(answer);
  }
  return rows;
}

function readerOf(vector: Vector): (row: number) => AnswerCell {
  if (vector.type === "hierarchy") {
    const texts = new Map<number, TextCell>();
    return (row) => {
      const code = vector.codes[row] ?? -1;
      const known = texts.get(code);
      const id = vector.dictionary[code];
      if (known || id === undefined) return known ?? null;
      const text = { id, name: { en: id } };
      texts.set(code, text);
      return text;
    };
  }
  const { values } = vector;
  const isNumber = vector.type === "numeric";
  return (row) => {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) return null;
    return isNumber ? value : new Date(value).toISOString();
  };
}
