import {
  createRandom as createSeeded,
  type Random,
} from "../../plugins/conformance/createRandom.ts";

export type { Random };

/**
 * Makes seeded choices. `test/run/main.ts` sets SEED for the whole run; a file that runs without it draws from the
 * clock.
 */
export function createRandom(seed = Number(process.env["SEED"] ?? Date.now() % 2 ** 31)): Random {
  return createSeeded(seed);
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
