import type { BoundKey } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileCodes, compileNumbered } from "../rows/vectors.ts";
import type { KeyNumbering } from "./keyNumbering.ts";

/**
 * Compiles the numbering of a text expression. The number of a value is its code, or the number that a table assigns to
 * the code; 0 is null.
 */
export function compileTextNumbering(
  { code }: Extract<BoundKey, { kind: "text" }>,
  stride: number,
  compilation: Compilation,
): KeyNumbering {
  const { source, workspace } = compilation;
  if (code.kind === "byNumber") {
    const table = compileNumbered(code, code.codes, compilation);
    return {
      column: undefined,
      openRowGroup: () => undefined,
      write: (to, isFirst) => table.readCodes(stride, to, isFirst),
    };
  }
  if (code.kind !== "byCode") {
    const vector = compileCodes(code, compilation);
    return {
      column: undefined,
      openRowGroup: () => (code.kind === "code" ? code.code : undefined),
      write: (to, isFirst) =>
        source.kernels.number[4](vector.read(), source.rowCount, 0, stride, to, isFirst),
    };
  }
  const { column, codes } = code;
  const table = codes && workspace.table(codes);
  return {
    column: codes ? undefined : column,
    few: () => {
      const { values, nullCount, minimum, maximum } = source.segment(column);
      if (values?.width !== 1) return undefined;
      const first = nullCount > 0 ? 0 : minimum;
      const addend = (code: number) => (codes ? codes[code] : code) * stride;
      return { column, first, count: maximum - first + 1, addend };
    },
    openRowGroup: () => {
      const { form, nullCount, minimum, maximum } = source.segment(column);
      const only = form === "null" ? 0 : nullCount === 0 && minimum === maximum ? minimum : -1;
      if (only < 0) return undefined;
      return codes ? codes[only] : only;
    },
    write: (to, isFirst) => {
      const stored = source.stored(column);
      if (stored?.kind !== "integers") return;
      if (table === undefined) stored.number(0, stride, to, isFirst);
      else stored.numberByTable(source.base + table, stride, to, isFirst);
    },
  };
}
