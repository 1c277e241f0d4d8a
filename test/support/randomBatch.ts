import type { Batch, BatchColumn } from "../../plugins/protocol/index.ts";
import type { Random } from "./random.ts";

/** Unusual strings. The next two lists contain numbers and instants at the limits of their types. */
const oddTexts = [
  "",
  "null",
  "Ghent",
  'a "quoted" \\ text',
  "line\nbreak\ttab\u0000\u001f\u007f\u0080\u2028\u2029",
  "Zoë",
  "Zoe\u0308",
  "東京",
  "🦄🇧🇪",
  "\ud800",
  "\udc00 lone",
  "</script>",
  "x".repeat(3000),
];
const oddNumbers = [
  0,
  -0,
  1,
  -1,
  0.1 + 0.2,
  1e21,
  1e-7,
  -1e-7,
  123456789012345680000,
  2 ** 53,
  -(2 ** 53) + 1,
  5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
];
export const oddInstants = [
  0, -1, 1, 8.64e15, -8.64e15, 253_402_300_799_999, 253_402_300_800_000, -62_167_219_200_000,
  -62_167_219_200_001, 951_782_400_000, 1_709_164_800_000, 1_700_000_000_001,
];

/** Returns a random column. It has few or many distinct values, and may contain nulls. */
export function randomVector(
  random: Random,
  rowCount: number,
  type: BatchColumn["type"] = random.pick(["numeric", "datetime", "hierarchy"]),
): BatchColumn {
  const nullShare = random.pick([0, 0, 0.2, 1]);
  const share = random.pick([0, 0.5, 1]);
  if (type === "hierarchy") {
    const made = Array.from({ length: random.below(300) }, (_, index) => `text ${index}`);
    const dictionary = [...random.some(oddTexts, 0.7), ...made];
    const codes = Int32Array.from({ length: rowCount }, () =>
      dictionary.length === 0 || random.chance(nullShare) ? -1 : random.below(dictionary.length),
    );
    return { type, codes, dictionary };
  }
  const odd = type === "numeric" ? oddNumbers : oddInstants;
  const plain = (): number =>
    type === "numeric"
      ? random.below(2 ** 31) / random.pick([1, 100, 7])
      : (random.below(2 ** 31) - 2 ** 30) * random.pick([1, 1000, 8_000_000]);
  const values = Float64Array.from({ length: rowCount }, () => {
    if (random.chance(nullShare)) return NaN;
    const value = random.chance(share) ? random.pick(odd) : plain();
    return type === "datetime" ? Math.trunc(value) + 0 : value;
  });
  return { type, values };
}

/** Returns a random answer with several columns. */
export function randomBatch(random: Random, rowCount = random.below(60)): Batch {
  const columns = Array.from({ length: 1 + random.below(6) }, () => randomVector(random, rowCount));
  return { rowCount, columns };
}
