import { createDictionary, type Batch, type BatchColumn } from "../../protocol/index.ts";

/** Concatenates batches with the same columns, in order. O(cells). */
export function joinBatches(batches: readonly Batch[]): Batch {
  const [first] = batches;
  if (!first) return { rowCount: 0, columns: [] };
  if (batches.length === 1) return first;
  return {
    rowCount: batches.reduce((count, batch) => count + batch.rowCount, 0),
    columns: first.columns.map((_, index) =>
      joinColumns(batches.map(({ columns }) => columns[index]!)),
    ),
  };
}

function joinColumns(parts: readonly BatchColumn[]): BatchColumn {
  const [first] = parts;
  if (first?.type !== "hierarchy") {
    const numbers = parts.flatMap((part) => (part.type === "hierarchy" ? [] : [part.values]));
    const values = new Float64Array(numbers.reduce((count, part) => count + part.length, 0));
    let at = 0;
    for (const part of numbers) {
      values.set(part, at);
      at += part.length;
    }
    return { type: first?.type ?? "numeric", values };
  }
  const texts = createDictionary();
  const all = parts.flatMap((part) => (part.type === "hierarchy" ? [part] : []));
  const codes = new Int32Array(all.reduce((count, part) => count + part.codes.length, 0));
  let at = 0;
  for (const part of all) {
    const codeOf = Int32Array.from(part.dictionary, (text) => texts.codeOf(text));
    for (const code of part.codes) codes[at++] = code < 0 ? -1 : codeOf[code]!;
  }
  return { type: "hierarchy", codes, dictionary: texts.dictionary };
}
