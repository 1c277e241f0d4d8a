import type { BoundGrouping, BoundKey, ComputedText } from "../../plan/boundPlan.ts";
import type { LaneGroups, ValuePairs } from "./laneGroups.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";
import { compileDistinctCodes } from "../folds/distinctCodes.ts";
import type { Heap } from "../task/heap.ts";
import { KeyChain } from "../keys/keyChain.ts";
import { compileNumbering, type NumberedKey } from "../keys/numbering.ts";
import { slotBytes } from "../../plan/stateLayout.ts";
import { hashDoubles } from "../../sketches/hashDoubles.ts";
import { sketchEntry } from "../../sketches/hyperLogLog.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import { DigestList } from "./laneDigests.ts";
import { keyValues } from "../keys/keyValues.ts";
import { keepTexts } from "../rows/computedTexts.ts";
import { compileComputedCodes, compileVector, type Compilation } from "../rows/vectors.ts";
import { vectorBytes } from "../rows/vectorSource.ts";

/** Folds rows into groups that are found by hashing their keys, in a thread's own memory. */
export interface HashGroups {
  openRowGroup(): void;
  fold(): void;
  /** Takes what was found, and starts anew. */
  take(): LaneGroups;
}

/** Numbers of several keys fit one 32-bit number up to this product. */
const largestProduct = 2 ** 32;

/** Compiles the folds of a grouping whose groups cannot be numbered, or are too many. */
export function compileHashGroups(
  grouping: BoundGrouping,
  heap: Heap,
  compilation: Compilation,
): HashGroups {
  const { source } = compilation;
  const parts = keyParts(grouping.keys).map((part) => {
    if (part.kind === "number")
      return { ...part, numbering: compileNumbering(part.keys, compilation) };
    return part.kind === "computed"
      ? { ...part, vector: compileComputedCodes(part.key.of, compilation) }
      : { ...part, vector: compileVector(part.key.of, -1, compilation) };
  });
  const slots = grouping.slots.map((slot) => ({
    slot,
    vectors: summands(slot).map(({ of, decimals }) => compileVector(of, decimals, compilation)),
  }));
  const distincts = grouping.distincts.map((distinct) => {
    if (distinct.kind === "computed") {
      const computed = compileComputedCodes(distinct.of, compilation);
      return { kind: "number" as const, vector: computed, computed };
    }
    return distinct.kind === "number"
      ? { kind: "double" as const, vector: compileVector(distinct.of, -1, compilation) }
      : { kind: "number" as const, vector: compileDistinctCodes(distinct, compilation) };
  });
  const sketches = grouping.sketches.map((of) => compileVector(of, -1, compilation));
  const digests = grouping.digests.map((of) => compileVector(of, -1, compilation));
  const values = new Float64Array(vectorSize);
  const hashes = new Uint32Array(vectorSize * 2);
  const quantiles = grouping.quantiles.map(({ of }) => compileVector(of, -1, compilation));
  const start = () =>
    new HashState(
      heap,
      grouping,
      parts.map(({ kind }) => (kind === "double" ? kind : "number")),
      distincts.map(({ kind }) => kind),
    );
  let running: HashState | undefined;

  const bring = (from: number, sizeBytes: number, to: number): number => {
    heap.arena.u8.set(source.arena.u8.subarray(from, from + sizeBytes), to);
    return to;
  };
  return {
    openRowGroup: () => {
      for (const part of parts) if (part.kind === "number") part.numbering.openRowGroup();
    },
    fold: () => {
      const { rowCount } = source;
      const state = (running ??= start());
      const addresses = parts.map((part, index) => {
        const to = state.scratch[index];
        if (part.kind === "double") return bring(part.vector.read(), rowCount * 8, to);
        if (part.kind === "computed") return bring(part.vector.read(), rowCount * 4, to);
        bring(part.numbering.read(), rowCount * 4, to);
        const { constant } = part.numbering;
        const { u32 } = heap.arena;
        if (constant > 0)
          for (let row = 0, at = to / 4; row < rowCount; row++) u32[at + row] += constant;
        return to;
      });
      const { numbers } = state;
      state.chain.find(addresses, rowCount, numbers);
      state.reserve();
      const [first, second] = state.scratch;
      slots.forEach(({ slot, vectors }, index) => {
        const at = state.slots[index];
        const left = vectors[0] ? bring(vectors[0].read(), rowCount * 8, first) : 0;
        const right = vectors[1] ? bring(vectors[1].read(), rowCount * 8, second) : 0;
        const { kernels } = heap.arena;
        switch (slot.kind) {
          case "rows":
            return kernels.foldRows(numbers, rowCount, at, 16, 0);
          case "rowsSum":
            return kernels.foldRowsSum(numbers, left, rowCount, at, 16, 0);
          case "countSum":
          case "count":
            return kernels.foldCountSum(numbers, left, rowCount, at, 16, 0);
          case "pair":
            return kernels.foldPair(numbers, left, right, rowCount, at, 16, 0);
          case "extent":
            return kernels.foldExtent(numbers, left, rowCount, at, 16, 0);
          case "variance":
            return kernels.foldVariance(numbers, left, rowCount, at, 32);
        }
      });
      distincts.forEach(({ kind, vector }, index) => {
        const sizeBytes = rowCount * (kind === "double" ? 8 : 4);
        state.distincts[index].find(
          [numbers, bring(vector.read(), sizeBytes, first)],
          rowCount,
          state.ignored,
        );
      });
      quantiles.forEach((vector, index) => {
        const { f64 } = source.arena;
        const from = vector.read() / 8;
        const { u32 } = heap.arena;
        const list = state.lists[index];
        for (let row = 0; row < rowCount; row++) {
          const value = f64[from + row];
          if (value === value) list.add(u32[numbers / 4 + row], value);
        }
      });
      sketches.forEach((vector, index) => {
        const { f64 } = source.arena;
        const from = vector.read() / 8;
        const { u32 } = heap.arena;
        let count = 0;
        for (let row = 0; row < rowCount; row++) {
          const value = f64[from + row];
          if (value !== value) continue;
          u32[first / 4 + count] = u32[numbers / 4 + row];
          values[count++] = value;
        }
        hashDoubles(values, count, hashes);
        for (let row = 0; row < count; row++)
          u32[second / 4 + row] = sketchEntry(hashes[row * 2], hashes[row * 2 + 1]);
        state.sketches[index].find([first, second], count, state.ignored);
      });
      digests.forEach((vector, index) => {
        const { f64 } = source.arena;
        const from = vector.read() / 8;
        const { u32 } = heap.arena;
        const list = state.digests[index];
        for (let row = 0; row < rowCount; row++) {
          const value = f64[from + row];
          if (value === value) list.add(u32[numbers / 4 + row], value);
        }
      });
    },
    take: () => {
      const state = running ?? start();
      state.reserve();
      const groupCount = state.chain.count;
      const columns = state.chain.values();
      const keys: Float64Array[] = [];
      const keyTexts: ComputedTexts[] = [];
      parts.forEach((part, index) => {
        if (part.kind === "double") keys[part.place] = columns[index];
        else if (part.kind === "computed") {
          const kept = keepTexts(columns[index], part.vector.texts);
          keys[part.place] = kept.codes;
          keyTexts[part.place] = kept.texts;
        } else
          part.keys.forEach((key, place) => {
            keys[part.places[place]] = keyValues(key, part.strides[place], columns[index]);
          });
      });
      const { f64 } = heap.arena;
      const distinctTexts: ComputedTexts[] = [];
      const taken: LaneGroups = {
        groupCount,
        keys,
        keyTexts,
        distinctTexts,
        slots: grouping.slots.map((slot, index) => {
          const from = state.slots[index] / 8;
          return f64.slice(
            from,
            from + (groupCount * slotBytes(slot)) / 8,
          ) as Float64Array<ArrayBuffer>;
        }),
        distincts: state.distincts.map((chain, index) => {
          const { kind, computed } = distincts[index];
          const pairs = withoutNulls(chain.values(), kind === "number");
          if (!computed) return pairs;
          const kept = keepTexts(pairs.values, computed.texts);
          distinctTexts[index] = kept.texts;
          return { groups: pairs.groups, values: kept.codes };
        }),
        lists: state.lists.map((list) => list.pairs()),
        sketches: state.sketches.map((chain) => {
          const [groups, entries] = chain.values();
          return { groups, values: entries };
        }),
        digests: state.digests.map((list) => list.take()),
      };
      heap.clear();
      running = undefined;
      return taken;
    },
  };
}

type KeyParts = (
  | {
      readonly kind: "number";
      readonly keys: readonly NumberedKey[];
      readonly strides: readonly number[];
      readonly places: readonly number[];
    }
  | {
      readonly kind: "double";
      readonly key: Extract<BoundKey, { kind: "value" }>;
      readonly place: number;
    }
  | { readonly kind: "computed"; readonly key: ComputedText; readonly place: number }
)[];

/** Puts keys whose numbers fit one 32-bit number together. */
function keyParts(keys: readonly BoundKey[]): KeyParts {
  const parts: KeyParts = [];
  let open: { keys: NumberedKey[]; strides: number[]; places: number[] } | undefined;
  let product = 1;
  keys.forEach((key, place) => {
    if (key.kind === "value") {
      parts.push({ kind: "double", key, place });
      return;
    }
    if (key.kind === "computed") {
      parts.push({ kind: "computed", key, place });
      return;
    }
    if (!open || product * key.cardinality > largestProduct) {
      open = { keys: [], strides: [], places: [] };
      product = 1;
      parts.push({ kind: "number", ...open });
    }
    open.keys.push(key);
    open.strides.push(product);
    open.places.push(place);
    product *= key.cardinality;
  });
  return parts;
}

function summands(slot: BoundGrouping["slots"][number]) {
  switch (slot.kind) {
    case "rows":
      return [];
    case "rowsSum":
    case "countSum":
      return [slot.right];
    case "pair":
      return [slot.left, slot.right];
    case "extent":
      return [slot.of];
    case "count":
    case "variance":
      return [{ of: slot.of, decimals: -1 }];
  }
}

function withoutNulls([groups, values]: Float64Array[], areCodes: boolean): ValuePairs {
  const isNull = (value: number) => (areCodes ? value === 0 : value !== value);
  if (!values.some(isNull)) return { groups, values };
  return {
    groups: groups.filter((_, index) => !isNull(values[index])),
    values: values.filter((value) => !isNull(value)),
  };
}

/** The growing part of a lane. */
class HashState {
  readonly chain: KeyChain;
  readonly distincts: readonly KeyChain[];
  readonly lists: readonly ValueList[];
  readonly sketches: readonly KeyChain[];
  readonly digests: readonly DigestList[];
  readonly slots: number[];
  readonly scratch: readonly number[];
  readonly numbers: number;
  readonly ignored: number;
  readonly #heap: Heap;
  readonly #grouping: BoundGrouping;
  #capacity = 0;

  constructor(
    heap: Heap,
    grouping: BoundGrouping,
    parts: readonly ("number" | "double")[],
    distincts: readonly ("number" | "double")[],
  ) {
    this.#heap = heap;
    this.#grouping = grouping;
    this.chain = new KeyChain(heap, parts);
    this.distincts = distincts.map((kind) => new KeyChain(heap, ["number", kind]));
    this.lists = grouping.quantiles.map(() => new ValueList());
    this.sketches = grouping.sketches.map(() => new KeyChain(heap, ["number", "number"]));
    this.digests = grouping.digests.map(() => new DigestList());
    this.slots = grouping.slots.map(() => 0);
    this.scratch = Array.from({ length: Math.max(2, parts.length) }, () =>
      heap.reserve(vectorBytes),
    );
    this.numbers = heap.reserve(vectorBytes / 2);
    this.ignored = heap.reserve(vectorBytes / 2);
  }

  /** Makes room for the states of all groups. */
  reserve(): void {
    const { count } = this.chain;
    if (count <= this.#capacity) return;
    const capacity = Math.max(1024, count * 2);
    this.#grouping.slots.forEach((slot, index) => {
      const bytes = slotBytes(slot);
      const to = this.#heap.reserve(capacity * bytes);
      const { f64, u8 } = this.#heap.arena;
      const filled = this.#capacity * bytes;
      u8.copyWithin(to, this.slots[index], this.slots[index] + filled);
      f64.fill(
        slot.kind === "extent" ? Infinity : 0,
        (to + filled) / 8,
        to / 8 + (capacity * bytes) / 8,
      );
      this.slots[index] = to;
    });
    this.#capacity = capacity;
  }
}

/** Values with the groups that they belong to. */
class ValueList {
  #groups = new Float64Array(1024);
  #values = new Float64Array(1024);
  #count = 0;

  add(group: number, value: number): void {
    if (this.#count === this.#groups.length) {
      this.#groups = grow(this.#groups);
      this.#values = grow(this.#values);
    }
    this.#groups[this.#count] = group;
    this.#values[this.#count++] = value;
  }

  pairs(): ValuePairs {
    return {
      groups: this.#groups.slice(0, this.#count),
      values: this.#values.slice(0, this.#count),
    };
  }
}

function grow(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}
