import type { Plan } from "../../types.ts";

/** Returns the names of the columns that a plan reads, by table. Unknown names are included; binding reports them. */
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
  for (const { table, left, right, filter } of joins) {
    add(table, right);
    add(tableOf(left.join), left.name);
    for (const { name } of columnsIn(filter)) add(table, name);
  }
  for (const { name, join } of columnsIn([plan.outputs, plan.filter])) add(tableOf(join), name);
  return columns;
}

/**
 * Returns the names of the columns of a joined table that a plan reads, without the columns that only the join's filter
 * reads.
 */
export function joinedColumns(plan: Plan, joinName: string): ReadonlySet<string> {
  const joins = plan.joins ?? [];
  const names = joins.flatMap(({ name, right }) => (name === joinName ? [right] : []));
  const read = [...columnsIn([plan.outputs, plan.filter]), ...joins.map(({ left }) => left)];
  return new Set([...names, ...read.flatMap(({ name, join }) => (join === joinName ? name : []))]);
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
