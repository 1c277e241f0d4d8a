/** Number of entries that can be visited in a fraction of a millisecond. */
const entriesPerStep = 8192;

/** Calls `visit` for every index below `count`. Yields every few thousand calls. */
export function* visitInSlices(
  count: number,
  visit: (index: number) => void,
): Generator<undefined, void> {
  for (let from = 0; from < count; from += entriesPerStep) {
    const to = Math.min(count, from + entriesPerStep);
    for (let index = from; index < to; index++) visit(index);
    yield;
  }
}
