import {
  createRandom as createSeeded,
  type Random,
} from "../../plugins/conformance/createRandom.ts";

export type { Random };

/**
 * Returns a seeded random generator. `test/run/main.ts` sets SEED for the whole run. Without it, the seed comes from
 * the clock.
 */
export function createRandom(seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 31)): Random {
  return createSeeded(seed);
}

/**
 * Returns a random generator for one of several similar parts of a test. It uses the seed of the run. Different parts
 * get different values, but the same part always gets the same values with the same seed.
 */
export function createPartRandom(part: number): Random {
  const { seed } = createRandom();
  return { ...createRandom(seed + part), seed };
}

/** Runs a check and adds the seed to the message of any error. */
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
