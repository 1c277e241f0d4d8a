import { limitsOf } from "../../expressions/binLimits.ts";
import type { BoundCode, BoundRows, BoundValue } from "../../expressions/boundValue.ts";
import { RowEvaluator } from "../../expressions/rowEvaluator.ts";
import { vectorFunction } from "../../expressions/scalarFunctions.ts";
import { floorPeriods } from "../../time/periodFloor.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { compileArithmetic, compileOperand, type Operand } from "./arithmetic.ts";
import { compileChoice } from "./choice.ts";
import { compileDatePart } from "./dateParts.ts";
import type { Compilation, Fill, Vector } from "./compilation.ts";
import { compileColumnVector } from "./columnVector.ts";
import {
  canCopyTable,
  compileFoundRows,
  compileNumberTable,
  type NumberTable,
  type TableIndex,
} from "./numberTable.ts";
import { vectorBytes } from "./vectorSource.ts";
import { writeOnce } from "./writeOnce.ts";

/**
 * Compiles an expression. If `decimals` is at least 0, the results are value * 10^decimals, which must be whole in
 * every row. If `decimals` is -1, the results are the values themselves.
 */
export function compileVector(
  expression: BoundValue,
  decimals: number,
  compilation: Compilation,
): Vector {
  // Values that are whole without a power of ten are the values themselves.
  const scale = decimals === 0 ? -1 : decimals;
  return compilation.shared.share(String(scale), expression, () => {
    const { source, workspace } = compilation;
    const fill = compileFill(expression, scale, compilation);
    const place = workspace.reserve(vectorBytes);
    let stamp = -1;
    let address = 0;
    return {
      read: () => {
        if (stamp !== source.stamp) {
          address = fill(source.base + place);
          stamp = source.stamp;
        }
        return address;
      },
    };
  });
}

function compileFill(expression: BoundValue, decimals: number, compilation: Compilation): Fill {
  if (expression.kind === "column")
    return compileColumnVector(expression.column, decimals, compilation);
  const fill = compileValue(expression, compilation);
  if (decimals <= 0) return fill;
  const { source } = compilation;
  return (to) => {
    const from = fill(to);
    source.kernels.scaleRound(from, source.rowCount, 10 ** decimals, to);
    return to;
  };
}

/** Compiles the codes of a text expression: 32 bits per row; 0 is null. */
export function compileCodes(code: BoundCode, compilation: Compilation): Vector {
  return compilation.shared.share("codes", code, () =>
    writeOnce(compileCodeFill(code, compilation), vectorBytes / 2, compilation),
  );
}

/** Compiles a table that is read by number, with an entry for null and for numbers outside the table. */
export function compileNumbered(
  index: TableIndex,
  table: Uint8Array | Uint32Array | Float64Array,
  compilation: Compilation,
): NumberTable {
  return compileNumberTable(index, table, compilation, compileVector);
}

function compileCodeFill(code: BoundCode, compilation: Compilation): (to: number) => unknown {
  const { source, workspace } = compilation;
  switch (code.kind) {
    case "code":
      return (to) => source.arena.u32.fill(code.code, to / 4, to / 4 + source.rowCount);
    case "byCode": {
      const { column, codes } = code;
      const table = codes && workspace.table(codes);
      return (to) => {
        const stored = source.stored(column);
        if (stored?.kind !== "integers") {
          const { rowCount, arena } = source;
          arena.u32.fill(codes?.[0] ?? 0, to / 4, to / 4 + rowCount);
        } else if (table === undefined) stored.widen(to);
        else stored.numberByTable(source.base + table, 1, to, 1);
      };
    }
    case "byNumber": {
      const table = compileNumbered(code, code.codes, compilation);
      return (to) => table.readCodes(1, to, 1);
    }
    case "case":
      return compileChoice(
        "chooseCodes",
        code.branches.map(({ when, then }) => ({ when, then: compileCode(then, compilation) })),
        compileCode(code.otherwise, compilation),
        compilation,
      );
  }
}

/** Compiles codes between which a `case` chooses. A constant code is stored once, and not for each row. */
function compileCode(code: BoundCode, compilation: Compilation): Operand {
  if (code.kind !== "code") return { read: compileCodes(code, compilation).read, step: 16 };
  const { source, workspace } = compilation;
  const place = workspace.table(new Uint32Array(4).fill(code.code));
  return { read: () => source.base + place, step: 0 };
}

/** Compiles an expression whose numbers are computed row by row. */
function compileRows(rows: BoundRows, compilation: Compilation): Fill {
  const { source } = compilation;
  const evaluator = new RowEvaluator(rows, endIfCancelled);
  const inputs = compileInputs(rows, compilation);
  return (to) => {
    const { f64 } = source.arena;
    const { rowCount } = source;
    evaluator.writeNumbers(inputs(), rowCount, f64.subarray(to / 8, to / 8 + rowCount));
    return to;
  };
}

/** Compiles the inputs of a row-by-row computation: doubles or codes of the active rows. */
export function compileInputs({ inputs }: BoundRows, compilation: Compilation) {
  const { source } = compilation;
  const readers = inputs.map(({ of }) =>
    of.kind === "text"
      ? { isText: true, vector: compileCodes(of.code, compilation) }
      : { isText: false, vector: compileVector(of, -1, compilation) },
  );
  return () =>
    readers.map(({ isText, vector }) => {
      const at = vector.read();
      const { f64, u32 } = source.arena;
      return isText
        ? u32.subarray(at / 4, at / 4 + source.rowCount)
        : f64.subarray(at / 8, at / 8 + source.rowCount);
    });
}

/** Compiles numbers that are read by the codes of a text column. */
function compileByCode(
  { column, values }: Extract<BoundValue, { kind: "byCode" }>,
  compilation: Compilation,
): Fill {
  const { source, workspace } = compilation;
  const codes = compileCodes({ kind: "byCode", column }, compilation);
  const isCopied = canCopyTable(values.byteLength, compilation);
  if (!isCopied)
    return (to) => {
      const from = codes.read() / 4;
      const { f64, u32 } = source.arena;
      for (let row = 0, at = to / 8; row < source.rowCount; row++)
        f64[at + row] = values[u32[from + row]];
      return to;
    };
  const table = workspace.table(values);
  return (to) => {
    const { kernels, rowCount, base, isSelected } = source;
    const stored = isSelected ? undefined : source.stored(column);
    const isStored = stored?.kind === "integers";
    const from = isStored ? stored.address : codes.read();
    kernels.gather[isStored ? stored.width : 4](from, rowCount, base + table, to);
    return to;
  };
}

/** Compiles an expression that is computed from other vectors, one vector at a time. */
function compileValue(
  expression: Exclude<BoundValue, { kind: "column" }>,
  compilation: Compilation,
): Fill {
  const { source } = compilation;
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      return (to) => {
        source.arena.f64.fill(value, to / 8, to / 8 + source.rowCount);
        return to;
      };
    }
    case "byCode":
      return compileByCode(expression, compilation);
    case "byNumber": {
      const table = compileNumbered(expression, expression.values, compilation);
      return (to) => {
        table.readDoubles(to);
        return to;
      };
    }
    case "rowOf": {
      const fillPlaces = compileFoundRows(expression, compilation, compileVector);
      const found = compilation.workspace.reserve(vectorBytes / 2);
      return (to) => {
        const { base, kernels, rowCount } = source;
        fillPlaces(base + found);
        kernels.decode[4](base + found, rowCount, 1, 0, to);
        return to;
      };
    }
    case "period": {
      const of = compileVector(expression.of, -1, compilation);
      const { floor } = expression;
      return (to) => {
        const { f64 } = source.arena;
        const from = of.read() / 8;
        const { rowCount } = source;
        floorPeriods(
          floor,
          f64.subarray(from, from + rowCount),
          rowCount,
          f64.subarray(to / 8, to / 8 + rowCount),
        );
        return to;
      };
    }
    case "bin": {
      const of = compileVector(expression.of, -1, compilation);
      const { width, origin } = expression;
      const { base, step, scale } = limitsOf(expression);
      return (to) => {
        const values = of.read();
        const { rowCount, kernels } = source;
        kernels.binStarts(values, rowCount, width, origin, base, step, scale, to);
        return to;
      };
    }
    case "case":
      return compileChoice(
        "choose",
        expression.branches.map(({ when, then }) => ({
          when,
          then: compileOperand(then, compilation, compileVector),
        })),
        compileOperand(expression.otherwise, compilation, compileVector),
        compilation,
      );
    case "call": {
      const arithmetic = compileArithmetic(expression, compilation, compileVector);
      if (arithmetic) return arithmetic;
      const of = expression.of.map((part) => compileVector(part, -1, compilation));
      const run = vectorFunction(expression.function, expression.literals);
      const datePart =
        expression.function === "datePart" &&
        compileDatePart(expression.literals ?? [], source, compilation.workspace);
      return (to) => {
        if (datePart && datePart(of[0].read(), to)) return to;
        const { f64 } = source.arena;
        const { rowCount } = source;
        const parts = of.map((part) => {
          const from = part.read() / 8;
          return f64.subarray(from, from + rowCount);
        });
        run(parts, rowCount, f64.subarray(to / 8, to / 8 + rowCount));
        return to;
      };
    }
    case "rows":
      return compileRows(expression, compilation);
  }
}
