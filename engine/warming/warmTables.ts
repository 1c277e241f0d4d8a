import { rowGroupSize } from "../column/segment/segment.ts";
import type { Memory } from "../memory/memory.ts";
import type { Snapshot } from "../table/snapshot.ts";
import { Table, type TableChange } from "../table/table.ts";
import type { ColumnDefinition, NamedBatch, BatchColumn } from "../types.ts";

/** The names of the tables in the plans of `warmPlan`. */
export const factsName = "facts";
export const dimensionName = "dimension";

/** Tables for the plans of `warmPlan`. No caller can see these tables. */
interface WarmTables {
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** Frees the memory of the tables. */
  close(): void;
}

interface WarmColumn {
  readonly name: string;
  readonly type: ColumnDefinition["type"];
  /** Returns the value of a row; for a text column, its code. */
  readonly valueOf: (row: number) => number;
  readonly texts?: readonly string[];
}

const dayMs = 86_400_000;
const start = Date.UTC(2020, 0, 1);

const textsOf = (stem: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${stem} ${index}`);
const manyTexts = textsOf("thing", 1200);

/**
 * Returns a number below `count`, in no particular order of rows. For one row, the results for different counts depend
 * on each other, so keys have many possible combinations but few of these occur.
 */
const spread = (row: number, count: number) => ((row * 7919) % 120_000) % count;

/**
 * One column for each stored form: codes of 1 and 2 bytes, whole numbers of 1 to 4 bytes, decimals, floats of both
 * widths, days, and instants. Some have nulls.
 */
const factColumns: readonly WarmColumn[] = [
  { name: "few", type: "text", valueOf: (row) => spread(row, 6), texts: textsOf("kind", 6) },
  {
    name: "some",
    type: "text",
    valueOf: (row) => spread(row, 41) - 1,
    texts: textsOf("place", 40),
  },
  { name: "many", type: "text", valueOf: (row) => spread(row, 1200), texts: manyTexts },
  { name: "tiny", type: "number", valueOf: (row) => spread(row, 200) },
  { name: "small", type: "number", valueOf: (row) => (row % 11 ? spread(row, 50_000) : NaN) },
  { name: "middle", type: "number", valueOf: (row) => spread(row, 10_000) * 999 },
  { name: "large", type: "number", valueOf: (row) => spread(row, 120_000) * 35_791 },
  { name: "decimal", type: "number", valueOf: (row) => spread(row, 100_000) / 100 },
  { name: "single", type: "number", valueOf: (row) => Math.fround(Math.sqrt(spread(row, 5000))) },
  {
    name: "double",
    type: "number",
    valueOf: (row) => (row % 13 ? Math.sqrt(spread(row, 1200)) : NaN),
  },
  { name: "day", type: "datetime", valueOf: (row) => start + spread(row, 900) * dayMs },
  { name: "instant", type: "datetime", valueOf: (row) => start + spread(row, 12_000) * 997_331 },
];

const dimensionColumns: readonly WarmColumn[] = [
  { name: "id", type: "text", valueOf: (row) => row, texts: manyTexts },
  { name: "class", type: "text", valueOf: (row) => row % 20, texts: textsOf("class", 20) },
  { name: "weight", type: "number", valueOf: (row) => row % 97 },
];

/**
 * Number of full row groups, which are sealed and let two threads share a scan. The open row group follows. Rows are
 * added in parts, because the main thread has other work.
 */
export const fullRowGroups = 2;
const partRows = 16_384;
const tailRows = 500;

/**
 * Creates the tables. Their 8 MB do not count toward the budget. Yields after a few milliseconds of work.
 * @throws {EngineError} STORE_OUT_OF_MEMORY if the system has no memory left
 */
export async function openWarmTables(
  memory: Memory,
  yieldTurn: () => Promise<void>,
): Promise<WarmTables> {
  const facts = new Table(factsName, memory, true, 0);
  const dimension = new Table(dimensionName, memory, true, 0);
  let usedBytes = 0;
  const apply = (table: Table, change: TableChange) => {
    const before = memory.usedBytes;
    table.apply(change);
    const addedBytes = memory.usedBytes - before;
    memory.charge(-addedBytes);
    usedBytes += addedBytes;
  };
  const close = () => {
    facts.close();
    dimension.close();
    memory.charge(usedBytes);
  };
  try {
    apply(dimension, { add: dimensionColumns, rows: makeRows(dimensionColumns, manyTexts.length) });
    apply(facts, { add: factColumns });
    const rows = makeRows(factColumns, partRows);
    for (let from = 0; from < fullRowGroups * rowGroupSize; from += partRows) {
      await yieldTurn();
      apply(facts, { rows });
    }
    apply(facts, { rows: makeRows(factColumns, tailRows) });
    return {
      snapshots: new Map([facts, dimension].map((table) => [table.name, table.snapshot()])),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function makeRows(columns: readonly WarmColumn[], rowCount: number): NamedBatch {
  return {
    names: columns.map(({ name }) => name),
    batch: {
      rowCount,
      columns: columns.map(({ type, valueOf, texts }): BatchColumn => {
        const values = Float64Array.from({ length: rowCount }, (_, row) => valueOf(row));
        return type === "text"
          ? { type, codes: Int32Array.from(values), dictionary: texts ?? [] }
          : { type, values };
      }),
    },
  };
}
