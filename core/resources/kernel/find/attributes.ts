import { kindOf } from "../../../base/index.ts";
import { limits } from "../limits.ts";
import { invalidMember, selectable, type Scope } from "./scope.ts";

export interface Attributes {
  /** The members that the answer contains, including the id. */
  readonly attributes: readonly string[];
  /** The names in the call's `attributes`, even unknown ones; empty without `attributes`. */
  readonly requested: readonly string[];
}

/**
 * Parses the `attributes` of a level. Without `attributes`, all members are selected. Unknown names select nothing and
 * are reported.
 */
export function parseAttributes(scope: Scope, given: unknown): Attributes {
  const known = [...selectable(scope.declaration).keys()];
  if (given === undefined) return { attributes: known, requested: [] };
  const path = `${scope.path}.attributes`;
  if (!Array.isArray(given)) throw invalidMember(path, `must be a list, not ${kindOf(given)}`);
  if (given.length > limits.attributeCount)
    throw invalidMember(path, `must have at most ${limits.attributeCount} entries`);
  for (const [index, name] of given.entries()) {
    if (typeof name !== "string")
      throw invalidMember(`${path}[${index}]`, `must be a string, not ${kindOf(name)}`);
    if (!known.includes(name)) scope.note?.(`${scope.declaration.name}.${name}`);
  }
  return {
    attributes: known.filter((name) => name === "id" || given.includes(name)),
    requested: given,
  };
}
