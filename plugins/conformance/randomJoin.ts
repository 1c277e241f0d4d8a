import { operators, type Query, type QueryJoin } from "../protocol/index.ts";
import type { Random } from "./createRandom.ts";
import { randomFilter } from "./randomFilter.ts";
import { keyColumns, type Subject } from "./subject.ts";

/**
 * Returns a random query that joins another dataset of the plugin by a column with unique values. Undefined if there is
 * no such dataset.
 */
export function randomJoin(
  subject: Subject,
  random: Random,
  isFiltered: boolean,
): Query | undefined {
  const pairs = subject.others.flatMap((other) =>
    keyColumns(other)
      .filter(({ id }) => isUnique(other, id))
      .flatMap((right) =>
        keyColumns(subject, right.type).map((left) => ({ other, left: left.id, right: right.id })),
      ),
  );
  // Columns that have many values in common make better tests.
  const meeting = pairs.filter(({ other, left, right }) => {
    const known = new Set(other.values.get(right));
    return subject.values.get(left)?.some((value) => known.has(value)) === true;
  });
  const choice = meeting.length > 0 ? meeting : pairs;
  if (choice.length === 0) return undefined;
  const { other, left, right } = random.pick(choice);
  const filters = isFiltered ? randomTests(other, random) : [];
  if (isFiltered && filters.length === 0) return undefined;
  const taken = new Set(subject.dataset.columns.map(({ id }) => id));
  const columns = [random.pick(other.dataset.columns), ...random.some(other.dataset.columns, 0.3)]
    .filter((column, at, all) => all.indexOf(column) === at)
    .map(({ id, type }) => ({ id: freeId(`joined_${id}`, taken), column_id: id, type }));
  const join: QueryJoin = {
    id: other.dataset.id,
    left,
    right,
    ...(filters.length > 0 && { filters }),
    columns,
  };
  return {
    id: subject.dataset.id,
    joins: [join],
    columns: [{ column_id: left }, ...columns.map(({ id }) => ({ column_id: id }))],
    filters: [],
    options: { pushdown: false },
  };
}

/** Returns whether every value of a column occurs only once. */
function isUnique({ table, values }: Subject, columnId: string): boolean {
  const count = table.rows.filter((row) => (row[columnId] ?? null) !== null).length;
  return count > 0 && values.get(columnId)?.length === count;
}

function randomTests(other: Subject, random: Random): NonNullable<QueryJoin["filters"]> {
  const column = random.pick(other.dataset.columns);
  const promised = operators.filter(
    (operator) =>
      other.capabilities.filters?.operators[operator]?.includes(column.type) === true &&
      column.narrowed?.filters?.[operator] === undefined,
  );
  return promised.length === 0 ? [] : [randomFilter(column, random.pick(promised), other, random)];
}

/** Returns an id that `taken` does not contain, and adds the id to `taken`. */
export function freeId(wanted: string, taken: Set<string>): string {
  const id = taken.has(wanted) ? freeId(`${wanted}_`, taken) : wanted;
  taken.add(id);
  return id;
}
