import { type ColumnPair, operators, type Query, type QueryJoin } from "../protocol/index.ts";
import type { Random } from "./createRandom.ts";
import { randomFilter } from "./randomFilter.ts";
import { keyColumns, type Subject } from "./subject.ts";

interface JoinWanted {
  /** Whether the rows of the joined dataset are filtered. */
  readonly isFiltered?: boolean;
  /** Whether the key has two columns. */
  readonly isComposite?: boolean;
}

/**
 * Returns a random query that joins another dataset of the plugin by a column with unique values. Undefined if no
 * dataset has a suitable column.
 */
export function randomJoin(
  subject: Subject,
  random: Random,
  { isFiltered = false, isComposite = false }: JoinWanted,
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
  const further = isComposite ? furtherPair(subject, other, [left, right], random) : undefined;
  if (isComposite && !further) return undefined;
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
    ...(further && { and: [further] }),
    ...(filters.length > 0 && { filters }),
    columns,
  };
  return {
    id: subject.dataset.id,
    joins: [join],
    columns: [
      { column_id: left },
      ...(further ? [{ column_id: further.left }] : []),
      ...columns.map(({ id }) => ({ column_id: id })),
    ],
    filters: [],
    options: { pushdown: false },
  };
}

/** Returns a second pair of columns for a key; undefined if the datasets have no others of the same type. */
function furtherPair(
  subject: Subject,
  other: Subject,
  used: readonly string[],
  random: Random,
): ColumnPair | undefined {
  const pairs = keyColumns(other).flatMap((right) =>
    keyColumns(subject, right.type)
      .filter(({ id }) => !used.includes(id) && !used.includes(right.id))
      .map((left) => ({ left: left.id, right: right.id })),
  );
  return pairs.length === 0 ? undefined : random.pick(pairs);
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

/** Returns an id that `taken` does not yet contain, and adds the id to `taken`. */
export function freeId(wanted: string, taken: Set<string>): string {
  const id = taken.has(wanted) ? freeId(`${wanted}_`, taken) : wanted;
  taken.add(id);
  return id;
}
