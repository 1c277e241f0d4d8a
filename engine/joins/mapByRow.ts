/**
 * Looks up the codes of a joined column by row number; row -1 is null. `rows` has an entry for each left code or
 * number. The result has the same entries, and is written to `mapped` if given. Codes are stored codes (0 is null);
 * numbers are doubles (NaN is null).
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

/** Like `mapCodesByRow`, for numbers and datetimes; row -1 is NaN. */
export function mapNumbersByRow(
  rows: Int32Array,
  values: Float64Array,
  mapped: Float64Array = new Float64Array(rows.length),
): Float64Array {
  for (let place = 0; place < rows.length; place++)
    mapped[place] = rows[place] < 0 ? NaN : values[rows[place]];
  return mapped;
}
