import type { BoundTest } from "../../expressions/boundValue.ts";
import type { Operand } from "./arithmetic.ts";
import type { Compilation, Fill } from "./compilation.ts";

/**
 * Compiles the choice of one of several operands: the first whose test is true, or the last operand if no test is true.
 * There is at least one test.
 */
export function compileChoice(
  kernel: "choose" | "chooseCodes",
  branches: readonly { readonly when: BoundTest; readonly then: Operand }[],
  otherwise: Operand,
  compilation: Compilation,
): Fill {
  const { source, shared } = compilation;
  const tested = branches
    .map(({ when, then }) => ({
      // Filters do not share their masks, because the source refers to them after the active rows change.
      mask: shared.share("mask", when, () => compilation.maskOf(when, compilation)),
      then,
    }))
    .toReversed();
  return (to) => {
    const { rowCount } = source;
    const choose = source.kernels[kernel];
    let rest = otherwise.read();
    let { step } = otherwise;
    for (const { mask, then } of tested) {
      choose(mask.read(), then.read(), then.step, rest, step, rowCount, to);
      rest = to;
      step = 16;
    }
    return to;
  };
}
