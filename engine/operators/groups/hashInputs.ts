import type { BoundValue } from "../../expressions/boundValue.ts";
import type { BoundDistinct, BoundGrouping, Slot } from "../../plan/boundPlan.ts";
import type { KeyPart } from "../keys/keyChain.ts";
import { hashKeyParts, type HashKeyPart } from "./hashKeys.ts";

/** A column of values that groups found by hashing read from each row. */
export type HashInput =
  | { readonly of: "key"; readonly part: HashKeyPart }
  | { readonly of: "distinct"; readonly distinct: BoundDistinct }
  | { readonly of: "value"; readonly value: BoundValue; readonly decimals: number };

/** The columns of a grouping, and the columns that each key part and each aggregate reads. */
export interface HashInputs {
  /** The parts of the keys are first. */
  readonly columns: readonly HashInput[];
  readonly parts: readonly HashKeyPart[];
  /** Up to two columns per slot. */
  readonly slots: readonly (readonly number[])[];
  readonly distincts: readonly number[];
  readonly quantiles: readonly number[];
  readonly sketches: readonly number[];
  readonly digests: readonly number[];
}

/** Lists the columns that a grouping reads if its groups are found by hashing. */
export function hashInputs(grouping: BoundGrouping): HashInputs {
  const columns: HashInput[] = [];
  const add = (input: HashInput): number => columns.push(input) - 1;
  const addValue = (value: BoundValue, decimals = -1) => add({ of: "value", value, decimals });
  const parts = hashKeyParts(grouping.keys);
  for (const part of parts) add({ of: "key", part });
  return {
    columns,
    parts,
    slots: grouping.slots.map((slot) =>
      summands(slot).map(({ of, decimals }) => addValue(of, decimals)),
    ),
    distincts: grouping.distincts.map((distinct) => add({ of: "distinct", distinct })),
    quantiles: grouping.quantiles.map(({ of }) => addValue(of)),
    sketches: grouping.sketches.map((of) => addValue(of)),
    digests: grouping.digests.map((of) => addValue(of)),
  };
}

/** Returns whether a column contains 32-bit numbers, with 0 for null unless it is a key, or doubles. */
export function kindOf(input: HashInput): KeyPart {
  if (input.of === "key") return input.part.kind === "double" ? "double" : "number";
  if (input.of === "distinct") return input.distinct.kind === "number" ? "double" : "number";
  return "double";
}

function summands(slot: Slot) {
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
    case "covariance":
      return [
        { of: slot.left, decimals: -1 },
        { of: slot.right, decimals: -1 },
      ];
  }
}
