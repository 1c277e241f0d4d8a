import { rights, type Restriction, type Right } from "../../../base/index.ts";
import type { Bounded } from "./reach.ts";

/** The highest right that a token can give, by the token's role. */
const ceilings: { readonly [Each in Restriction["role"]]: Right } = {
  viewer: "use",
  designer: "modify",
  owner: "own",
};

/**
 * Returns whether a right that was given to a token, limited by the highest right of the token's role, includes another
 * right.
 */
export function isAtLeast(given: Right, right: Right, { role }: Restriction): boolean {
  const level = Math.min(rights.indexOf(given), rights.indexOf(ceilings[role]));
  return level >= rights.indexOf(right);
}

/** Returns whether a token may create its own dashboards and alerts. Private links may not. */
export function designs({ authorizationType, restriction }: Bounded): boolean {
  return authorizationType !== "share" && restriction.role !== "viewer";
}

/** Returns the ids of records on which a token has the given right or a right that includes it. */
export function idsWith(
  given: ReadonlyMap<string, Right>,
  right: Right,
  restriction: Restriction,
): string[] {
  return [...given].flatMap(([id, each]) => (isAtLeast(each, right, restriction) ? [id] : []));
}
