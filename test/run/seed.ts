/**
 * The seed of the quick layer and of CI. It never changes, so a failure means that a change of the code broke
 * something.
 */
const repeatedSeed = 20261122;

/**
 * Returns the seed of all random tests of a run: SEED, if it is set. If not, a manual `npm run test:deep` uses a new
 * random seed.
 */
export function seedOf(layer: "quick" | "deep"): number {
  const given = process.env["SEED"];
  if (given !== undefined) return Number(given);
  return layer === "quick" || process.env["CI"] ? repeatedSeed : Date.now() % 2 ** 31;
}
