import type { Claim } from "./claims.ts";
import type { Semantics } from "./semantics.ts";

/**
 * A known way in which sources deviate from the protocol. The kit describes a wrong answer by the deviation that
 * explains it. A claim is proved only when the kit's queries rule out every deviation that concerns it.
 */
export interface Deviation {
  /** The behavior of a plugin with this deviation, as a verb phrase such as "starts weeks on Sunday". */
  readonly does: string;
  readonly semantics: Partial<Semantics>;
  concerns(claim: Claim): boolean;
}
