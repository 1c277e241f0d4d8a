/** A row of cells from the API or DuckDB. */
type Row = readonly unknown[];

const tolerance = 1e-9;

/**
 * Returns whether an answer matches the gold answer: the same rows, in the same order if the question requires an
 * order. The answer may have its columns in another order, and may have additional columns.
 */
export function isRight(gold: readonly Row[], answer: readonly Row[], isOrdered = false): boolean {
  if (gold.length !== answer.length) return false;
  const width = gold[0]?.length ?? 0;
  const given = answer[0]?.length ?? 0;
  if (width > given) return false;
  return placings(width, given).some((places) => {
    const picked = answer.map((row) => places.map((place) => row[place]));
    if (isOrdered) return picked.every((row, index) => isSameRow(row, gold[index] ?? []));
    const [one, other] = [sorted(picked), sorted(gold)];
    return one.every((row, index) => isSameRow(row, other[index] ?? []));
  });
}

/** Returns all ways to match each of `width` columns with a different one of the `given` columns. */
function placings(width: number, given: number): readonly (readonly number[])[] {
  let found: readonly (readonly number[])[] = [[]];
  for (let column = 0; column < width; column++)
    found = found.flatMap((places) =>
      Array.from({ length: given }, (_, place) => place)
        .filter((place) => !places.includes(place))
        .map((place) => [...places, place]),
    );
  return found;
}

function sorted(rows: readonly Row[]): readonly Row[] {
  // Rounds to a few digits, so that equal numbers of two engines are sorted alike.
  const keyOf = (row: Row) =>
    row.map((cell) => (typeof cell === "number" ? cell.toPrecision(6) : String(cell))).join("\n");
  return rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function isSameRow(one: Row, other: Row): boolean {
  return one.every((cell, index) => isSame(cell, other[index]));
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other));
  return one === other;
}
