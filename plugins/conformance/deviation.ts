import type { DataType, Query } from "../protocol/index.ts";
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
  /** Returns whether a claim is about the behavior that this deviation changes. */
  concerns(claim: Claim): boolean;
  /**
   * Returns whether the deviation can change the answer to a query. The kit skips other queries, which saves time.
   * Absent: it can change every answer.
   */
  touches?(query: Query): boolean;
  /**
   * Type of the columns to which the deviation can be limited. For example, a source may have it only in text columns
   * with a certain collation. Absent: a source has the deviation in all columns.
   */
  readonly limitedTo?: DataType | "any";
  /**
   * Whether the deviation serves only to explain wrong answers. If so, a claim can be proved even if its answers do not
   * rule out the deviation.
   * @default false
   */
  readonly isOnlyNamed?: true;
}
