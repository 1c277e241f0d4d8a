import type { Batch, Vector } from "../../plugins/protocol/index.ts";

/** A text as clients read it: its raw value and its labels. */
interface TextCell {
  readonly id: string;
  readonly name: { readonly en: string };
}

/** Numbers are numbers, instants ISO texts in UTC, texts `{id, name}`; null is no value. */
export type AnswerCell = number | string | TextCell | null;

/** Texts of instants that are kept; periods repeat, exact instants seldom do. */
const knownInstantCount = 10_000;

/**
 * Lays a batch out in rows; `cells` are the indexes of its columns in the order of an answer row.
 * Equal texts share one cell. O(cells).
 */
export function presentRows(batch: Batch, cells: readonly number[]): AnswerCell[][] {
  const rows: AnswerCell[][] = [];
  for (let row = 0; row < batch.rowCount; row++) rows.push([]);
  for (const index of cells) {
    const vector = batch.columns[index];
    const cellOf = vector ? readerOf(vector) : () => null;
    let row = 0;
    for (const answer of rows) answer.push(cellOf(row++));
  }
  return rows;
}

function readerOf(vector: Vector): (row: number) => AnswerCell {
  switch (vector.type) {
    case "hierarchy": {
      // By code as they come: a dictionary may hold many more texts than the answer.
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
    case "numeric":
      return (row) => nullIfNaN(vector.values[row]);
    case "datetime": {
      const instants = new Map<number, string>();
      return (row) => {
        const value = nullIfNaN(vector.values[row]);
        if (value === null) return null;
        const known = instants.get(value);
        if (known !== undefined) return known;
        const text = new Date(value).toISOString();
        if (instants.size < knownInstantCount) instants.set(value, text);
        return text;
      };
    }
  }
}

function nullIfNaN(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
