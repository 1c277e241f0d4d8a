import type { WholeSegment } from "../../column/segment/segment.ts";
import type { Summand } from "../../plan/boundPlan.ts";
import type { StoredIntegers } from "../rows/storedColumn.ts";
import type { VectorSource } from "../rows/vectorSource.ts";

/** A summand that is stored as whole numbers: the value is `(stored * scale + bias) * factor`. */
interface StoredSummand {
  readonly stored: StoredIntegers;
  readonly segment: WholeSegment;
  readonly factor: number;
}

/** Returns a summand as the stored whole numbers of the row group; undefined if it must be decoded or computed. */
export function storedSummand(
  { of, decimals }: Summand,
  source: VectorSource,
): StoredSummand | undefined {
  const stored = of.kind === "column" ? source.stored(of.column) : undefined;
  if (stored?.kind !== "integers") return undefined;
  const { segment } = stored;
  if (segment.form !== "whole" || decimals < segment.decimals) return undefined;
  return { stored, segment, factor: 10 ** (decimals - segment.decimals) };
}
