/** The quick layer and CI repeat one seed, so that a red run means a change. */
const repeatedSeed = 20261122;

/**
 * Returns the seed of all random tests of a run: SEED where it is set. `npm run test:deep` by hand draws a new one.
 */
export function seedOf(layer: "quick" | "deep"): number {
  const given = process.env["SEED"];
  if (given !== undefined) return Number(given);
  return layer === "quick" || process.env["CI"] ? repeatedSeed : Date.now() % 2 ** 31;
}
