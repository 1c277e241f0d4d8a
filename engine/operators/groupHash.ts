/** Stands for null in a key: the engine stores no infinities, so it is free, and unlike NaN it equals itself. */
export const nullKey = Infinity;

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/** Mixes a double into a hash. Source of the constants: MurmurHash3 by Austin Appleby, public domain. */
function mixDouble(hash: number, value: number): number {
  bits[0] = value;
  let mixed =
    Math.imul(words[0], 0xcc9e2d51) ^ Math.imul((words[1] << 15) | (words[1] >>> 17), 0x1b873593);
  mixed ^= hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Numbers distinct rows of doubles in order of appearance. Open addressing, at most half full; amortised O(width) a row. */
export class GroupHash {
  readonly #width: number;
  #slots = new Int32Array(1024);
  #hashes = new Int32Array(512);
  #keys: Float64Array[];
  #count = 0;

  constructor(width: number) {
    this.#width = width;
    this.#keys = Array.from({ length: width }, () => new Float64Array(512));
  }

  get count(): number {
    return this.#count;
  }

  /** Key values by number, one array a column, `count` long. */
  keys(): Float64Array[] {
    return this.#keys.map((column) => column.slice(0, this.#count));
  }

  /** Returns the number of row `row` of `columns`. */
  find(columns: readonly Float64Array[], row: number): number {
    const width = this.#width;
    let hash = 0;
    for (let index = 0; index < width; index++) hash = mixDouble(hash, columns[index][row]);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const number = this.#slots[slot] - 1;
      if (number < 0) return this.#add(slot, hash, columns, row);
      if (this.#hashes[number] === hash) {
        let index = 0;
        while (index < width && this.#keys[index][number] === columns[index][row]) index++;
        if (index === width) return number;
      }
      slot = (slot + 1) & mask;
    }
  }

  #add(slot: number, hash: number, columns: readonly Float64Array[], row: number): number {
    const number = this.#count++;
    this.#slots[slot] = number + 1;
    this.#hashes[number] = hash;
    for (let index = 0; index < this.#width; index++)
      this.#keys[index][number] = columns[index][row];
    if (this.#count === this.#hashes.length) this.#grow();
    return number;
  }

  #grow(): void {
    const capacity = this.#hashes.length * 2;
    const hashes = new Int32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#keys = this.#keys.map((column) => {
      const grown = new Float64Array(capacity);
      grown.set(column);
      return grown;
    });
    this.#slots = new Int32Array(capacity * 2);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let slot = hashes[number] & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}
