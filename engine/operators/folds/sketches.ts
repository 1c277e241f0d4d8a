import type { BoundValue } from "../../expressions/boundValue.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import { hashDoubles } from "../../sketches/hashDoubles.ts";
import { foldHashes } from "../../sketches/hyperLogLog.ts";
import { addValue, digestDoubles } from "../../sketches/tDigest.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { StatePlace } from "../../plan/stateLayout.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";

/** Compiles a fold that adds rows to the HyperLogLog registers of directly numbered groups. */
export function compileSketch(
  of: BoundValue,
  place: StatePlace,
  numbering: Numbering,
  compilation: Compilation,
): () => void {
  const { source } = compilation;
  const vector = compileVector(of, -1, compilation);
  const values = new Float64Array(vectorSize);
  const groups = new Uint32Array(vectorSize);
  const hashes = new Uint32Array(vectorSize * 2);
  return () => {
    const from = vector.read() / 8;
    const numbers = numbering.read() / 4;
    const { f64, u32, u8 } = source.arena;
    let count = 0;
    for (let row = 0; row < source.rowCount; row++) {
      const value = f64[from + row];
      if (value !== value) continue;
      values[count] = value;
      groups[count++] = u32[numbers + row] + numbering.constant;
    }
    hashDoubles(values, count, hashes);
    const start = source.base + place.offset;
    foldHashes(hashes, count, u8.subarray(start, start + place.sizeBytes), groups);
  };
}

/** Compiles a fold that adds rows to the t-digests of directly numbered groups. */
export function compileDigest(
  of: BoundValue,
  place: StatePlace,
  numbering: Numbering,
  compilation: Compilation,
): () => void {
  const { source } = compilation;
  const vector = compileVector(of, -1, compilation);
  const digests: (Float64Array | undefined)[] = [];
  let start = -1;
  let view = source.arena.f64;
  return () => {
    const from = vector.read() / 8;
    const numbers = numbering.read() / 4;
    const { f64, u32 } = source.arena;
    const at = (source.base + place.offset) / 8;
    if (start !== at || view !== f64) {
      start = at;
      view = f64;
      digests.length = 0;
    }
    for (let row = 0; row < source.rowCount; row++) {
      const value = f64[from + row];
      if (value !== value) continue;
      const group = u32[numbers + row] + numbering.constant;
      const place = at + group * digestDoubles;
      const digest = (digests[group] ??= f64.subarray(place, place + digestDoubles));
      addValue(digest, value);
    }
  };
}
