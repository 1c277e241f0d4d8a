/**
 * Looks up the codes of a joined column by row number plus 1; place 0 is null. `places` has an entry for each left code
 * or number. The result has one entry for each entry of `places`, and is written to `mapped` if given. Codes are stored
 * codes (0 is null); numbers are doubles (NaN is null).
 */
export function mapCodesByPlace(
  places: Uint32Array,
  codes: ArrayLike<number>,
  mapped: Uint32Array = new Uint32Array(places.length),
): Uint32Array {
  for (let index = 0; index < places.length; index++)
    mapped[index] = places[index] === 0 ? 0 : codes[places[index] - 1];
  return mapped;
}

/** Like `mapCodesByPlace`, for numbers and datetimes; place 0 is NaN. */
export function mapNumbersByPlace(
  places: Uint32Array,
  values: Float64Array,
  mapped: Float64Array = new Float64Array(places.length),
): Float64Array {
  for (let index = 0; index < places.length; index++)
    mapped[index] = places[index] === 0 ? NaN : values[places[index] - 1];
  return mapped;
}
