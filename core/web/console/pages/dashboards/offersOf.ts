import type { ConsoleContext } from "../../parts/index.ts";
import { isAtLeast, type Right } from "../../sharing/index.ts";

/** The actions on a dashboard that a reader may take. The host checks each of them again. */
export interface Offers {
  readonly mayChange: boolean;
  readonly mayShare: boolean;
  readonly mayEmbed: boolean;
  readonly mayDelete: boolean;
}

/** Returns what a reader may do with a dashboard. Only owners of the organization issue the tokens that embed it. */
export function offersOf(right: Right, { user }: ConsoleContext): Offers {
  const isOwn = isAtLeast(right, "own");
  return {
    mayChange: isAtLeast(right, "modify"),
    mayShare: isOwn && user.features?.removed?.includes("flag_private_sharing") !== true,
    mayEmbed: user.role === "owner",
    mayDelete: isOwn,
  };
}
