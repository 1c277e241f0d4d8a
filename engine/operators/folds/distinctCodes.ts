import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundDistinct } from "../../plan/boundPlan.ts";
import { compileNumbering } from "../keys/numbering.ts";
import type { Compilation, Vector } from "../rows/compilation.ts";
import { compileCodes } from "../rows/vectors.ts";

/** Compiles the computation of codes for the values to count: 32 bits per row, 1 to `cardinality`, 0 for null. */
export function compileDistinctCodes(
  distinct: Exclude<BoundDistinct, { kind: "number" | "computed" }>,
  compilation: Compilation,
): Vector {
  if (distinct.kind === "code") return compileCodes(distinct.code, compilation);
  const { source, workspace } = compilation;
  const { of, base, decimals, cardinality } = distinct;
  const numbering = compileNumbering(
    [{ kind: "whole", of, base, decimals, cardinality: cardinality + 1 }],
    compilation,
  );
  const place = workspace.reserve(vectorSize * 4);
  return {
    read: () => {
      numbering.openRowGroup();
      if (!numbering.isConstant) return numbering.read();
      const to = source.base + place;
      source.arena.u32.fill(numbering.constant, to / 4, to / 4 + source.rowCount);
      return to;
    },
  };
}
