import type { Join, Plan } from "../../types.ts";

/**
 * Returns the names of the columns that a plan reads, by table. Unknown names are included, because binding reports
 * them.
 */
export function plannedColumns(plan: Plan): ReadonlyMap<string, ReadonlySet<string>> {
  const joins = plan.joins ?? [];
  const tableOf = (join: string | undefined) =>
    join === undefined ? plan.table : joins.find(({ name }) => name === join)?.table;
  const columns = new Map<string, Set<string>>([[plan.table, new Set()]]);
  const add = (table: string | undefined, name: string) => {
    if (table === undefined) return;
    const names = columns.get(table) ?? new Set();
    columns.set(table, names.add(name));
  };
  for (const join of joins) {
    for (const { left, right } of keysOf(join)) {
      add(join.table, right);
      add(tableOf(left.join), left.name);
    }
    for (const { name } of columnsIn(join.filter)) add(join.table, name);
  }
  for (const { name, join } of columnsIn([plan.outputs, plan.filter])) add(tableOf(join), name);
  return columns;
}

/**
 * Returns the names of the columns that a plan reads from a joined table. Excludes columns that only the join's filter
 * reads.
 */
export function joinedColumns(plan: Plan, joinName: string): ReadonlySet<string> {
  const joins = plan.joins ?? [];
  const own = joins.filter(({ name }) => name === joinName);
  const names = own.flatMap(keysOf).map(({ right }) => right);
  const lefts = joins.flatMap(keysOf).map(({ left }) => left);
  const read = [...columnsIn([plan.outputs, plan.filter]), ...lefts];
  return new Set([...names, ...read.flatMap(({ name, join }) => (join === joinName ? name : []))]);
}

/** Lists the columns of a join's key. */
function keysOf({ left, right, and = [] }: Join): readonly Pick<Join, "left" | "right">[] {
  return [{ left, right }, ...and];
}

interface NamedColumn {
  readonly name: string;
  readonly join?: string;
}

function columnsIn(part: unknown): readonly NamedColumn[] {
  const found: NamedColumn[] = [];
  const open: unknown[] = [part];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const { kind, name, join }: { kind?: unknown; name?: unknown; join?: unknown } = next;
    if (kind === "column" && typeof name === "string")
      found.push({ name, ...(typeof join === "string" && { join }) });
    else open.push(...Object.values(next));
  }
  return found;
}
