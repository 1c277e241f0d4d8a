const startMs = Date.UTC(2022, 0, 1);
const spanMs = 3 * 365 * 86_400_000;
const jitterMs = 2 * 86_400_000;

export const dimensionSize = 50_000;

/** Describes rows of a table to generate. The same request gives the same rows on every machine. */
export interface BlockRequest {
  readonly seed: number;
  /** Number of rows of the whole table. The values of `dt` in these rows cover three years. */
  readonly rowCount: number;
  readonly from: number;
  readonly count: number;
}

/** Rows of the bench table, with one typed array per column. Strings are codes, which `textOf` translates. */
export interface Block {
  readonly dt: Float64Array;
  readonly dtu: Float64Array;
  readonly s5: Int32Array;
  readonly s50: Int32Array;
  readonly s1000: Int32Array;
  readonly s50k: Int32Array;
  readonly s2m: Int32Array;
  readonly i1: Int32Array;
  readonly i2: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** NaN means null. */
  readonly z: Float64Array;
}

export type TextColumn = "s5" | "s50" | "s1000" | "s50k" | "s2m";

/** Number of distinct values in each string column. */
export const cardinalities: Readonly<Record<TextColumn, number>> = {
  s5: 5,
  s50: 50,
  s1000: 1000,
  s50k: dimensionSize,
  s2m: 2_000_000,
};

/** Mixes 32 bits: the finalizer of MurmurHash3 (Appleby, public domain). */
function spread(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function hash(seed: number, salt: number, row: number): number {
  return spread((spread(row ^ spread(seed + salt)) + Math.imul(salt, 0x9e3779b1)) | 0);
}

/** Generates rows of the bench table. Every value is a function of seed, column and row. */
export function generateTable({ seed, rowCount, from, count }: BlockRequest): Block {
  /** Returns a uniformly distributed number in [0, 1), with 32 bits. */
  const uniform = (salt: number, row: number) => hash(seed, salt, row) / 2 ** 32;
  /** Returns a uniformly distributed number in [0, 1), with 53 bits. */
  const fine = (salt: number, row: number) =>
    (hash(seed, salt, row) * 2 ** 21 + (hash(seed, salt + 100, row) >>> 11)) / 2 ** 53;
  /** Returns a random code. Its distribution is that of u^1.5, so small codes are more frequent. */
  const skewed = (salt: number, row: number, bound: number) => {
    const share = uniform(salt, row);
    return Math.floor(share * Math.sqrt(share) * bound);
  };
  const block: Block = {
    dt: new Float64Array(count),
    dtu: new Float64Array(count),
    s5: new Int32Array(count),
    s50: new Int32Array(count),
    s1000: new Int32Array(count),
    s50k: new Int32Array(count),
    s2m: new Int32Array(count),
    i1: new Int32Array(count),
    i2: new Int32Array(count),
    x: new Float64Array(count),
    y: new Float64Array(count),
    z: new Float64Array(count),
  };
  for (let index = 0; index < count; index++) {
    const row = from + index;
    block.dt[index] =
      startMs +
      Math.floor((row / rowCount) * (spanMs - jitterMs)) +
      Math.floor(uniform(1, row) * jitterMs);
    block.dtu[index] = startMs + Math.floor(fine(2, row) * spanMs);
    block.s5[index] = Math.floor(uniform(3, row) * cardinalities.s5);
    block.s50[index] = skewed(4, row, cardinalities.s50);
    block.s1000[index] = skewed(5, row, cardinalities.s1000);
    block.s50k[index] = skewed(6, row, cardinalities.s50k);
    block.s2m[index] = Math.floor(uniform(7, row) * cardinalities.s2m);
    block.i1[index] = Math.floor(uniform(8, row) * 1_000_000);
    block.i2[index] = Math.floor(uniform(9, row) * 100);
    block.x[index] = Math.round(uniform(10, row) * 100_000) / 100;
    block.y[index] = fine(11, row) * 1_000_000;
    block.z[index] = uniform(12, row) < 0.02 ? NaN : fine(13, row) * 100;
  }
  return block;
}

const words =
  "alpha bravo foo delta echo golf hotel india juliet kilo lima mike nova oscar papa quark romeo sierra tango ultra".split(
    " ",
  );

/** Returns the string that a column's code represents. */
export const textOf: Readonly<Record<TextColumn, (code: number) => string>> = {
  s5: (code) => `region_${code}`,
  s50: (code) => `country_${String(code).padStart(2, "0")}`,
  s1000: (code) => `city_${String(code).padStart(4, "0")}`,
  s50k: (code) => `item-${words[hash(0, 1, code) % words.length]}-${String(code).padStart(5, "0")}`,
  s2m: (code) => `user-${String(code).padStart(8, "0")}`,
};

/** Returns the category of a row of the dimension table. */
export function categoryOf(code: number): string {
  return `cat_${String(hash(0, 2, code) % 20).padStart(2, "0")}`;
}
