/** The quick layer and CI always use this seed, so that a red run means a change. */
const repeatedSeed = 20261122;

/** Returns the seed of all random tests of a run: SEED if it is set. A manual `npm run test:deep` draws a new one. */
export function seedOf(layer: "quick" | "deep"): number {
  const given = process.env["SEED"];
  if (given !== undefined) return Number(given);
  return layer === "quick" || process.env["CI"] ? repeatedSeed : Date.now() % 2 ** 31;
}
