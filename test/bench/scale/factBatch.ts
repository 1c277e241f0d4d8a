import {
  createDictionary,
  type BatchColumn,
  type NamedBatch,
} from "../../../plugins/protocol/index.ts";
import { factColumns } from "../strata/columns.ts";
import { generateTable, textOf, type Block, type TextColumn } from "../strata/generateTable.ts";

const texts = ["s5", "s50", "s1000", "s50k", "s2m"] as const;
const types = { datetime: "datetime", text: "hierarchy", number: "numeric" } as const;

/** The columns of the bench table, as the protocol describes them. */
export const storeColumns = factColumns.map(({ name, type }) => ({
  id: name,
  type: types[type],
}));

/** Generates rows of the bench table in the form of a push. */
export function factBatch(rowCount: number, from: number, count: number): NamedBatch {
  const block = generateTable({ seed: 1, rowCount, from, count });
  const columns = storeColumns.map(({ id, type }): BatchColumn => {
    const text = texts.find((each) => each === id);
    if (text) return textColumn(block[text], text);
    const name = (["dt", "dtu", "i1", "i2", "x", "y", "z"] as const).find((each) => each === id);
    if (!name || type === "hierarchy") throw new Error(`the bench table has no column ${id}`);
    return { type, values: Float64Array.from(block[name]) };
  });
  return { columnIds: storeColumns.map(({ id }) => id), batch: { rowCount: count, columns } };
}

/** Builds a column with a dictionary of only the strings that occur. */
function textColumn(codes: Block[TextColumn], name: TextColumn): BatchColumn {
  const texts = createDictionary();
  const own = new Map<number, number>();
  const written = codes.map((code) => {
    let at = own.get(code);
    if (at === undefined) own.set(code, (at = texts.codeOf(textOf[name](code))));
    return at;
  });
  return { type: "hierarchy", codes: written, dictionary: texts.dictionary };
}
