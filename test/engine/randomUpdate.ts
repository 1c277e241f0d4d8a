import type { Random } from "../support/random.ts";
import type { PlainUpdate } from "../support/plainUpdate.ts";
import type { RandomTable } from "./randomTables.ts";
import type { Row } from "./referenceEngine.ts";

/**
 * Options of a random update. `rowCount` is the number of its rows, before rows with a null or equal key are left out.
 */
export interface RandomUpdateOptions {
  readonly key: readonly string[];
  readonly rowCount: number;
  /**
   * Whether the update contains all columns.
   * @default by chance
   */
  readonly isWhole?: boolean;
}

/** Returns an update of a table by a key. Most of its rows have the key of a present row. */
export function randomUpdate(
  random: Random,
  { columns }: RandomTable,
  present: readonly Row[],
  { key, rowCount, isWhole = random.chance(0.6) }: RandomUpdateOptions,
): PlainUpdate {
  const deletes = random.chance(0.3);
  const written = columns.filter(({ name }) => key.includes(name) || isWhole || random.chance(0.5));
  const seen = new Set<string>();
  const rows: Row[] = [];
  for (let each = 0; each < rowCount; each++) {
    const chosen = present.length > 0 && random.chance(0.8) ? random.pick(present) : undefined;
    const made = random.below(2 ** 20);
    const row: Row = Object.fromEntries(
      (deletes ? written.filter(({ name }) => key.includes(name)) : written).map((column) => [
        column.name,
        chosen && key.includes(column.name) ? chosen[column.name] : column.make(random, made),
      ]),
    );
    const values = key.map((name) => (row[name] === 0 ? 0 : row[name]));
    const isNull = values.some((value) => value === null || value === undefined);
    const text = JSON.stringify(values);
    if (isNull || seen.has(text)) continue;
    seen.add(text);
    rows.push(row);
  }
  const missing = random.pick(
    deletes ? (["ignore", "ignore", "refuse"] as const) : (["insert", "ignore", "refuse"] as const),
  );
  return { key, rows, deletes, missing };
}
