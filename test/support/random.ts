/** Seeded choices: the same seed, the same choices. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Each item with the given share, in order. */
  some<Item>(items: readonly Item[], share: number): Item[];
}

/**
 * Makes seeded choices with the generator Mulberry32 of Tommy Ettinger (public domain). `test/run/main.ts` sets SEED
 * for the whole run; a file that runs without it draws from the clock.
 */
export function createRandom(seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 31)): Random {
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
      if (items.length === 0) throw new Error("there is nothing to pick from");
      return items[below(items.length)] as (typeof items)[number];
    },
    some: (items, share) => items.filter(() => next() < share),
  };
}

/**
 * Makes the choices of one of several like parts of a test: others for each part, and the same for a seed. `seed` is
 * the run's.
 */
export function createPartRandom(part: number): Random {
  const { seed } = createRandom();
  return { ...createRandom(seed + part), seed };
}

/** Runs a check and adds the seed to what it throws. */
export async function withSeed(random: Random, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new Error(
      `SEED=${random.seed}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
      { cause },
    );
  }
}
