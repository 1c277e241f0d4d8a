import type { Plan } from "../types.ts";

/** Names the columns that a plan reads, by table. What it names wrongly is left to the binding. */
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
  for (const { table, left, right } of joins) {
    add(table, right);
    add(tableOf(left.join), left.name);
  }
  const open: unknown[] = [plan.outputs, plan.filter];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null) continue;
    const { kind, name, join } = part as { kind?: unknown; name?: unknown; join?: string };
    if (kind === "column" && typeof name === "string") add(tableOf(join), name);
    else open.push(...Object.values(part));
  }
  return columns;
}
