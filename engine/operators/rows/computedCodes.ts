import type { BoundRows } from "../../expressions/boundValue.ts";
import { RowEvaluator } from "../../expressions/rowEvaluator.ts";
import type { Compilation, Vector } from "./compilation.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { compileInputs } from "./vectors.ts";
import { vectorBytes } from "./vectorSource.ts";

/**
 * Codes of strings that are computed row by row, 32 bits per row, 0 for null. `texts` are the strings computed so far.
 */
interface ComputedCodes extends Vector {
  readonly texts: readonly string[];
}

/** Compiles strings that are computed row by row. */
export function compileComputedCodes(rows: BoundRows, compilation: Compilation): ComputedCodes {
  const { source, workspace } = compilation;
  const evaluator = new RowEvaluator(rows, endIfCancelled);
  const inputs = compileInputs(rows, compilation);
  const place = workspace.reserve(vectorBytes / 2);
  let stamp = -1;
  return {
    get texts() {
      return evaluator.texts;
    },
    read: () => {
      const to = source.base + place;
      if (stamp !== source.stamp) {
        const { rowCount } = source;
        const vectors = inputs();
        const codes = source.arena.u32.subarray(to / 4, to / 4 + rowCount);
        evaluator.writeCodes(vectors, rowCount, codes);
        stamp = source.stamp;
      }
      return to;
    },
  };
}
