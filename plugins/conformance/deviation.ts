import type { Claim } from "./claims.ts";
import type { Semantics } from "./semantics.ts";

/**
 * A way in which sources are known to differ from the protocol. The kit names a wrong answer by the deviation that
 * gives it, and takes a claim as proved only when its queries told it apart from every deviation that concerns it.
 */
export interface Deviation {
  /** The act of such a plugin: "starts weeks on Sunday". */
  readonly does: string;
  readonly semantics: Partial<Semantics>;
  concerns(claim: Claim): boolean;
}
