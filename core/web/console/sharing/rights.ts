import { words } from "./words.ts";

/** What a share allows, from least to most. */
export type Right = keyof typeof words.rights;

const order: readonly Right[] = ["read", "use", "modify", "own"];

/** Returns whether a right includes another right. */
export const isAtLeast = (right: Right, least: Right): boolean =>
  order.indexOf(right) >= order.indexOf(least);

/** Returns the flags of a share that grant a right and all lower rights. */
export function flagsOf(right: Right): Readonly<Record<string, boolean>> {
  return {
    flagRead: true,
    flagUse: isAtLeast(right, "use"),
    flagModify: isAtLeast(right, "modify"),
    flagOwn: right === "own",
  };
}
