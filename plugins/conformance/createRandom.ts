/** A seeded source of random choices. The same seed produces the same choices. */
export interface Random {
  readonly seed: number;
  /** Returns a random whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  chance(share: number): boolean;
  /**
   * Returns a random item.
   * @throws {RangeError} if there are no items
   */
  pick<Item>(items: readonly Item[]): Item;
  /** Returns a random selection of the items, in order. Each item is included with probability `share`. */
  some<Item>(items: readonly Item[], share: number): Item[];
}

/** Creates seeded random choices with the generator Mulberry32 by Tommy Ettinger (public domain). */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    seed,
    below,
    chance: (share) => next() < share,
    pick(items) {
      if (items.length === 0) throw new RangeError("cannot pick from an empty list");
      return items[below(items.length)] as (typeof items)[number];
    },
    some: (items, share) => items.filter(() => next() < share),
  };
}
