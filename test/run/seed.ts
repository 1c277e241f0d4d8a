/**
 * The seed of the quick layer and of CI. It never changes, so that a failed run means that a change broke something.
 */
const repeatedSeed = 20261122;

/**
 * Returns the seed of all random tests of a run. This is SEED if it is set. Otherwise a manual `npm run test:deep`
 * draws a new seed.
 */
export function seedOf(layer: "quick" | "deep"): number {
  const given = process.env["SEED"];
  if (given !== undefined) return Number(given);
  return layer === "quick" || process.env["CI"] ? repeatedSeed : Date.now() % 2 ** 31;
}
