/** Returns the bucket of a stored number. */
export function bucketOf(stored: u32, offset: u32, shift: u32): u32 {
  return ((stored + offset) >> shift) & -u32(stored !== 0);
}

/** Adds one to a counter. */
export function count(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}
