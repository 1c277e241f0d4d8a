import type { BoundKey, ComputedText } from "../../plan/boundPlan.ts";
import { keyValues } from "../keys/keyValues.ts";
import type { KeyPart } from "../keys/keyChain.ts";
import { compileNumbering, type NumberedKey } from "../keys/numbering.ts";
import { compactTexts, type ComputedTexts } from "../rows/computedTexts.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileComputedCodes } from "../rows/computedCodes.ts";
import { compileVector } from "../rows/vectors.ts";
import type { HashState } from "./hashState.ts";

/** The keys of groups that are found by hashing, as the parts for a chain of tables. */
interface HashKeys {
  readonly parts: readonly KeyPart[];
  openRowGroup(): void;
  /** Copies the parts of the active rows to the scratch of a state and returns the addresses of the copies. */
  read(state: HashState): readonly number[];
  /** Converts the parts of each group to the values of its keys. */
  values(columns: readonly Float64Array[]): {
    readonly keys: readonly Float64Array[];
    readonly keyTexts: readonly ComputedTexts[];
  };
}

/** Maximum product of cardinalities for which several keys fit in one 32-bit number. */
const largestProduct = 2 ** 32;

/** Compiles the keys of a grouping. */
export function compileHashKeys(keys: readonly BoundKey[], compilation: Compilation): HashKeys {
  const { source } = compilation;
  const parts = keyParts(keys).map((part) => {
    if (part.kind === "number")
      return { ...part, numbering: compileNumbering(part.keys, compilation) };
    return part.kind === "computed"
      ? { ...part, vector: compileComputedCodes(part.key.of, compilation) }
      : { ...part, vector: compileVector(part.key.of, -1, compilation) };
  });
  return {
    parts: parts.map(({ kind }) => (kind === "double" ? kind : "number")),
    openRowGroup: () => {
      for (const part of parts) if (part.kind === "number") part.numbering.openRowGroup();
    },
    read: (state) =>
      parts.map((part, index) => {
        const { rowCount } = source;
        const to = state.scratch[index];
        if (part.kind === "double") return state.copy(part.vector.read(), rowCount * 8, to);
        if (part.kind === "computed") return state.copy(part.vector.read(), rowCount * 4, to);
        state.copy(part.numbering.read(), rowCount * 4, to);
        const { constant } = part.numbering;
        const { u32 } = state.arena;
        if (constant > 0)
          for (let row = 0, at = to / 4; row < rowCount; row++) u32[at + row] += constant;
        return to;
      }),
    values: (columns) => {
      const values: Float64Array[] = [];
      const keyTexts: ComputedTexts[] = [];
      parts.forEach((part, index) => {
        if (part.kind === "double") values[part.place] = columns[index];
        else if (part.kind === "computed") {
          const kept = compactTexts(columns[index], part.vector.texts);
          values[part.place] = kept.codes;
          keyTexts[part.place] = kept.texts;
        } else
          part.keys.forEach((key, place) => {
            values[part.places[place]] = keyValues(key, part.strides[place], columns[index]);
          });
      });
      return { keys: values, keyTexts };
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

/** Combines keys whose numbers fit in one 32-bit number. */
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
