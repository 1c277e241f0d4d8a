/** Maximum entries per step. */
const mostEntries = 256;
/** Target duration of a step in milliseconds. */
const stepMs = 0.5;

/**
 * Calls `visit` for every index below `count`, in steps of about half a millisecond. The duration of earlier entries
 * determines how many entries a step has, because an entry can take a hundred nanoseconds or several milliseconds.
 */
export function* visitInSteps(
  count: number,
  visit: (index: number) => void,
): Generator<undefined, void> {
  let entries = 1;
  for (let from = 0; from < count;) {
    const to = Math.min(count, from + entries);
    const startedAt = performance.now();
    for (let index = from; index < to; index++) visit(index);
    const tookMs = performance.now() - startedAt;
    if (tookMs > stepMs) entries = Math.max(1, Math.floor((entries * stepMs) / tookMs));
    else if (tookMs < stepMs / 2) entries = Math.min(mostEntries, entries * 2);
    from = to;
    if (from < count) yield;
  }
}
