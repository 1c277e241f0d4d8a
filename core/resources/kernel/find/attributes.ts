import { kindOf } from "../json.ts";
import { limits } from "../limits.ts";
import { invalidMember, selectable, unknownMember, type Scope } from "./scope.ts";

export interface Attributes {
  /** What the answer shows, the id always. */
  readonly attributes: readonly string[];
  /** What was asked for by name. */
  readonly requested: readonly string[];
}

/** Reads the `attributes` of a level; absent means every member. */
export function parseAttributes(scope: Scope, given: unknown): Attributes {
  const known = [...selectable(scope.declaration).keys()];
  if (given === undefined) return { attributes: known, requested: [] };
  const path = `${scope.path}.attributes`;
  if (!Array.isArray(given)) throw invalidMember(path, `must be a list, not ${kindOf(given)}`);
  if (given.length > limits.attributeCount)
    throw invalidMember(path, `must have at most ${limits.attributeCount} entries`);
  for (const [index, name] of given.entries()) {
    if (typeof name !== "string")
      throw invalidMember(`${path}[${index}]`, `must be a text, not ${kindOf(name)}`);
    if (!known.includes(name)) throw unknownMember(`${path}[${index}] ${name}`, known);
  }
  return {
    attributes: known.filter((name) => name === "id" || given.includes(name)),
    requested: given,
  };
}
