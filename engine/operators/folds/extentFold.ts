import type { Slot } from "../../plan/boundPlan.ts";
import type { Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { always, type SlotFold } from "./accessPath.ts";

/**
 * Compiles the minimum and the maximum. A state contains the minimum and the negated maximum. Before the first value,
 * each of them is Infinity.
 */
export function compileExtentFold(
  { of: { of, decimals } }: Extract<Slot, { kind: "extent" }>,
  numbering: Numbering,
  compilation: Compilation,
  copyBytes: number,
): SlotFold {
  const { source, workspace } = compilation;
  const vector = compileVector(of, decimals, compilation);
  const out = workspace.reserve(16);
  const column = of.kind === "column" ? of.column : undefined;
  const lower = (state: number, least: number, negatedGreatest: number): void => {
    const { f64 } = source.arena;
    const at = state / 8;
    if (least < f64[at]) f64[at] = least;
    if (negatedGreatest < f64[at + 1]) f64[at + 1] = negatedGreatest;
  };
  return {
    paths: [
      {
        name: "one group",
        canFold: () => numbering.isConstant,
        fold: (state) => {
          const at = source.base + out;
          source.kernels.extent(vector.read(), source.rowCount, at);
          lower(state, source.arena.f64[at / 8], source.arena.f64[at / 8 + 1]);
        },
      },
      {
        name: "any groups",
        canFold: always,
        fold: (state) => {
          const { kernels, rowCount } = source;
          kernels.foldExtent(numbering.read(), vector.read(), rowCount, state, 16, copyBytes);
        },
      },
    ],
    summary: {
      canFold: () => column !== undefined,
      fold: (state) => {
        if (column === undefined) return;
        const { minimum, maximum } = source.segment(column);
        if (minimum !== minimum) return;
        const unit = decimals > 0 ? 10 ** decimals : 1;
        const whole = (value: number) => (unit === 1 ? value : Math.round(value * unit));
        lower(state, whole(minimum), -whole(maximum));
      },
    },
  };
}
