import type { UpdateCounts, Write } from "../../plugins/protocol/index.ts";

type Row = Readonly<Record<string, number | string | null>>;
type Update = Extract<Write, { action: "update" }>;

/** An update in plain rows. Rows contain only the columns that the update writes. */
export interface PlainUpdate extends Pick<Update, "key" | "missing" | "deletes"> {
  readonly rows: readonly Row[];
}

export interface PlainResult {
  readonly rows: readonly Row[];
  readonly counts: UpdateCounts;
  readonly refused?: { readonly reason: string; readonly rows: readonly number[] };
}

/** Applies an update to plain rows with maps, as the oracle of tests. `columns` are the columns of the table. */
export function plainUpdate(
  before: readonly Row[],
  { rows, key, missing = "insert", deletes = false }: PlainUpdate,
  columns: readonly string[],
): PlainResult {
  const none = { updated: 0, inserted: 0, deleted: 0, ignored: 0 };
  const keyOf = (row: Row) =>
    key.some((name) => row[name] === null)
      ? undefined
      : JSON.stringify(key.map((name) => (row[name] === 0 ? 0 : row[name])));
  const found = new Map<string, Row[]>();
  for (const row of before) {
    const of = keyOf(row);
    if (of !== undefined) found.set(of, [...(found.get(of) ?? []), row]);
  }
  const foundOf = (row: Row) => found.get(keyOf(row) ?? "") ?? [];
  const numbersOf = (test: (row: Row) => boolean) =>
    rows.flatMap((row, number) => (test(row) ? [number] : []));
  const absent = numbersOf((row) => foundOf(row).length === 0);
  if (missing === "refuse" && absent.length > 0)
    return { rows: before, counts: none, refused: { reason: "missing", rows: absent } };
  const repeated = numbersOf((row) => foundOf(row).length > 1);
  const isPartial = columns.some((name) => rows[0] && !(name in rows[0]));
  if (!deletes && isPartial && repeated.length > 0)
    return { rows: before, counts: none, refused: { reason: "repeated", rows: repeated } };
  const gone = new Set(rows.flatMap(foundOf));
  const kept = before.filter((row) => !gone.has(row));
  if (deletes)
    return { rows: kept, counts: { ...none, deleted: gone.size, ignored: absent.length } };
  const written = rows.filter((row) => missing === "insert" || foundOf(row).length > 0);
  const nulls = Object.fromEntries(columns.map((name) => [name, null]));
  const made = written.map((row): Row => ({ ...nulls, ...foundOf(row)[0], ...row }));
  const updated = rows.length - absent.length;
  const inserted = written.length - updated;
  return {
    rows: [...kept, ...made],
    counts: {
      updated,
      inserted,
      deleted: gone.size - updated,
      ignored: absent.length - inserted,
    },
  };
}
