import type { TextCell, AnswerCell, LabelledTexts } from "./answerCell.ts";
import { binText } from "../resolve/binText.ts";
import type { Batch, Bin, QueryColumn, BatchColumn } from "../../../plugins/protocol/index.ts";
import { instantText } from "./instantText.ts";
import type { ParsedQuery } from "../parsedQuery.ts";

/**
 * Maximum number of instants whose formatted strings are cached. The starts of periods repeat, but exact instants
 * seldom do.
 */
const knownInstantCount = 10_000;

/**
 * Turns a batch into rows of cells. Equal strings share one cell. O(cells). `cells` lists the batch columns of an
 * answer row, by index. `columns` contains the bins of each batch column. With `isPlain`, strings stay strings.
 * `labels` contains the labeled strings of each cell.
 */
export function presentRows(
  batch: Batch,
  cells: readonly number[],
  columns: readonly Pick<QueryColumn, "bin">[] = [],
  { isPlain }: Pick<ParsedQuery, "isPlain"> = {},
  labels: readonly (LabelledTexts | undefined)[] = [],
): AnswerCell[][] {
  const rows: AnswerCell[][] = [];
  for (let row = 0; row < batch.rowCount; row++) rows.push([]);
  for (const [cell, index] of cells.entries()) {
    const vector = batch.columns[index];
    const cellOf = vector
      ? readerOf(vector, columns[index]?.bin, isPlain, labels[cell])
      : () => null;
    let row = 0;
    for (const answer of rows) answer.push(cellOf(row++));
  }
  return rows;
}

function readerOf(
  vector: BatchColumn,
  bin: Bin | undefined,
  isPlain: boolean | undefined,
  labels: LabelledTexts | undefined,
): (row: number) => AnswerCell {
  switch (vector.type) {
    case "hierarchy": {
      if (isPlain) return (row) => vector.dictionary[vector.codes[row] ?? -1] ?? null;
      // Cells are cached by code and created on demand, because a dictionary may contain many more strings than the
      // answer.
      const texts = new Map<number, TextCell>();
      return (row) => {
        const code = vector.codes[row] ?? -1;
        const known = texts.get(code);
        const id = vector.dictionary[code];
        if (known || id === undefined) return known ?? null;
        const text = labels?.get(id) ?? { id, name: { en: id } };
        texts.set(code, text);
        return text;
      };
    }
    case "numeric":
      if (bin)
        return (row) => {
          const start = nullIfNaN(vector.values[row]);
          return start === null ? null : binText(start, bin);
        };
      return (row) => nullIfNaN(vector.values[row]);
    case "datetime": {
      const instants = new Map<number, string>();
      return (row) => {
        const value = nullIfNaN(vector.values[row]);
        if (value === null) return null;
        const known = instants.get(value);
        if (known !== undefined) return known;
        const text = instantText(value);
        if (instants.size < knownInstantCount) instants.set(value, text);
        return text;
      };
    }
  }
}

function nullIfNaN(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
