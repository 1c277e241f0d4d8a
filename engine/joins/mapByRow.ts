/**
 * Follows rows into a column of the table that they are of: -1 gives null. `rows` is by left code or number, and so is
 * the answer, written to `mapped` when it is given. Codes are stored codes (0 is null), numbers are doubles (NaN is
 * null).
 */
export function mapCodesByRow(
  rows: Int32Array,
  codes: ArrayLike<number>,
  mapped: Uint32Array = new Uint32Array(rows.length),
): Uint32Array {
  for (let place = 0; place < rows.length; place++)
    mapped[place] = rows[place] < 0 ? 0 : codes[rows[place]];
  return mapped;
}

/** The same for numbers and datetimes. */
export function mapNumbersByRow(
  rows: Int32Array,
  values: Float64Array,
  mapped: Float64Array = new Float64Array(rows.length),
): Float64Array {
  for (let place = 0; place < rows.length; place++)
    mapped[place] = rows[place] < 0 ? NaN : values[rows[place]];
  return mapped;
}
