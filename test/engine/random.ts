/** A repeatable source of random numbers: mulberry32 by Tommy Ettinger, public domain. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Makes a source from SEED, or from the clock. */
export function createRandom(seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { seed, below, pick: (values) => values[below(values.length)] };
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
