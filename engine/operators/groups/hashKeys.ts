import type { BoundKey, ComputedText } from "../../plan/boundPlan.ts";
import { keyValues } from "../keys/keyValues.ts";
import type { NumberedKey } from "../keys/numbering.ts";
import { compactTexts, type ComputedTexts } from "../rows/computedTexts.ts";

/** Maximum product of cardinalities for which several keys fit in one 32-bit number. */
const largestProduct = 2 ** 32;

/** A part of the keys that is hashed as a whole: several numbered keys, or a single key of another kind. */
export type HashKeyPart =
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
  | { readonly kind: "computed"; readonly key: ComputedText; readonly place: number };

/** Divides keys into the parts that a `KeyChain` numbers. Combines keys whose numbers fit in one 32-bit number. */
export function hashKeyParts(keys: readonly BoundKey[]): readonly HashKeyPart[] {
  const parts: HashKeyPart[] = [];
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

/**
 * Converts the parts of each group to the values of its keys. `textsOf` returns the computed strings of a part so far.
 */
export function hashKeyValues(
  parts: readonly HashKeyPart[],
  columns: readonly Float64Array[],
  textsOf: (part: number) => readonly string[],
): { readonly keys: readonly Float64Array[]; readonly keyTexts: readonly ComputedTexts[] } {
  const keys: Float64Array[] = [];
  const keyTexts: ComputedTexts[] = [];
  parts.forEach((part, index) => {
    if (part.kind === "double") keys[part.place] = columns[index];
    else if (part.kind === "computed") {
      const kept = compactTexts(columns[index], textsOf(index));
      keys[part.place] = kept.codes;
      keyTexts[part.place] = kept.texts;
    } else
      part.keys.forEach((key, place) => {
        keys[part.places[place]] = keyValues(key, part.strides[place], columns[index]);
      });
  });
  return { keys, keyTexts };
}
