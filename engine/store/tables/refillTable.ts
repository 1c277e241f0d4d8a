import type { TableLog } from "../../files/tableLog.ts";
import { EngineError } from "../../errors.ts";
import { encodeChange } from "../../files/changeFrame.ts";
import type { Memory } from "../../memory/memory.ts";
import { Table } from "../../table/table.ts";
import type { ColumnDefinition, TableInfo } from "../../types.ts";
import type { Generations } from "../generations/generations.ts";
import type { BatchedRows } from "../changes/fillTable.ts";
import type { TableSet } from "./tableSet.ts";
import { checkFilled } from "../changes/checkChange.ts";
import { fillTable } from "../changes/fillTable.ts";

/** The parts of a store that are needed to create a new generation. */
export interface RefillParts {
  readonly tables: TableSet;
  readonly generations: Generations;
  readonly memory: Memory;
}

/**
 * Creates a new generation of a table from rows that arrive in batches. The previous generation stays in use until all
 * rows have arrived. With `definitions`, the new generation has these columns.
 * @throws {EngineError} TABLE_UNKNOWN if the table is replaced or dropped meanwhile; the errors of a fill
 */
export async function refillTable(
  name: string,
  { columns, batches }: BatchedRows,
  { tables, generations, memory }: RefillParts,
  newDefinitions?: readonly ColumnDefinition[],
): Promise<TableInfo> {
  const old = await tables.whenFree(name, async (stored) => {
    await stored.untilDone();
    return stored;
  });
  const { version, temporary } = old.table;
  const definitions = newDefinitions ?? old.table.definitions;
  checkFilled(name, definitions, columns);
  const table = new Table(name, memory, temporary, version);
  let log: TableLog | undefined;
  let isTaken = false;
  try {
    const change = { add: definitions };
    table.apply(change, true);
    log = temporary ? undefined : await generations.createLog([]);
    await log?.appendPart(encodeChange(change, true));
    const check = () => tables.checkWritable();
    table.take(await fillTable({ table, log, memory, batches, check }));
    return await tables.change(name, async () => {
      if (tables.get(name) !== old) throw new EngineError("TABLE_UNKNOWN", [name]);
      await old.untilDone();
      if (log) await generations.take(name, log, version);
      isTaken = true;
      tables.adopt(table, log && { log, changeCount: 1 });
      await tables.retire(name, old);
      return table.info();
    });
  } catch (error) {
    if (!isTaken) {
      table.close();
      if (log) await generations.discard(log);
    }
    throw error;
  }
}
