import { limitsOf } from "../../expressions/binLimits.ts";
import type { BoundCode, BoundRows, BoundValue } from "../../expressions/boundValue.ts";
import { RowEvaluator } from "../../expressions/rowEvaluator.ts";
import { findRows } from "../../joins/rowIndex.ts";
import { floorPeriods } from "../../time/periodFloor.ts";
import { vectorFunction } from "../../expressions/scalarFunctions.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { compileDatePart } from "./dateParts.ts";
import type { Compilation, Fill, Vector } from "./compilation.ts";
import { compileColumnVector } from "./columnVector.ts";
import { vectorBytes } from "./vectorSource.ts";

/**
 * Compiles an expression. If `decimals` is at least 0, the results are value * 10^decimals, which must be whole in
 * every row; if `decimals` is -1, the results are the values themselves.
 */
export function compileVector(
  expression: BoundValue,
  decimals: number,
  compilation: Compilation,
): Vector {
  const { source, workspace } = compilation;
  const fill = compileFill(expression, decimals, compilation);
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

/** Compiles stored codes, 32 bits per row; 0 is null. */
export function compileCodes(code: BoundCode, compilation: Compilation): Vector {
  const { source, workspace } = compilation;
  const fill = compileCodeFill(code, compilation);
  const place = workspace.reserve(vectorBytes / 2);
  let stamp = -1;
  return {
    read: () => {
      const to = source.base + place;
      if (stamp !== source.stamp) {
        fill(to);
        stamp = source.stamp;
      }
      return to;
    },
  };
}

function compileCodeFill(code: BoundCode, compilation: Compilation): (to: number) => void {
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
      const of = compileVector(code.of, -1, compilation);
      const { base, codes } = code;
      return (to) => {
        const from = of.read() / 8;
        const { f64, u32 } = source.arena;
        for (let row = 0, at = to / 4; row < source.rowCount; row++)
          u32[at + row] = codes[f64[from + row] - base] ?? 0;
      };
    }
    case "case": {
      const branches = code.branches.map(({ when, then }) => ({
        when: compilation.maskOf(when, compilation),
        then: compileCodes(then, compilation),
      }));
      const otherwise = compileCodes(code.otherwise, compilation);
      return (to) => {
        const { u32, u8 } = source.arena;
        const { rowCount } = source;
        const at = to / 4;
        const rest = otherwise.read() / 4;
        u32.copyWithin(at, rest, rest + rowCount);
        for (let index = branches.length - 1; index >= 0; index--) {
          const mask = branches[index].when.read();
          const from = branches[index].then.read() / 4;
          for (let row = 0; row < rowCount; row++)
            if (u8[mask + row]) u32[at + row] = u32[from + row];
        }
      };
    }
  }
}

/** Compiles numbers that are computed row by row. */
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

/** Compiles an expression that plain JavaScript computes, one vector at a time. */
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
    case "byCode": {
      const codes = compileCodes({ kind: "byCode", column: expression.column }, compilation);
      const { values } = expression;
      return (to) => {
        const from = codes.read() / 4;
        const { f64, u32 } = source.arena;
        for (let row = 0, at = to / 8; row < source.rowCount; row++)
          f64[at + row] = values[u32[from + row]];
        return to;
      };
    }
    case "byNumber": {
      const of = compileVector(expression.of, -1, compilation);
      const { base, values } = expression;
      return (to) => {
        const from = of.read() / 8;
        const { f64 } = source.arena;
        for (let row = 0, at = to / 8; row < source.rowCount; row++)
          f64[at + row] = values[f64[from + row] - base] ?? NaN;
        return to;
      };
    }
    case "rowOf": {
      const of = compileVector(expression.of, -1, compilation);
      const found = new Int32Array(vectorBytes / 8);
      return (to) => {
        const from = of.read() / 8;
        const { f64 } = source.arena;
        const { rowCount } = source;
        findRows(expression.index, f64.subarray(from, from + rowCount), rowCount, found);
        for (let row = 0, at = to / 8; row < rowCount; row++)
          f64[at + row] = found[row] < 0 ? NaN : found[row];
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
    case "case": {
      const branches = expression.branches.map(({ when, then }) => ({
        when: compilation.maskOf(when, compilation),
        then: compileVector(then, -1, compilation),
      }));
      const otherwise = compileVector(expression.otherwise, -1, compilation);
      return (to) => {
        const { f64, u8 } = source.arena;
        const at = to / 8;
        const { rowCount } = source;
        const rest = otherwise.read() / 8;
        f64.copyWithin(at, rest, rest + rowCount);
        for (let index = branches.length - 1; index >= 0; index--) {
          const mask = branches[index].when.read();
          const from = branches[index].then.read() / 8;
          for (let row = 0; row < rowCount; row++)
            if (u8[mask + row]) f64[at + row] = f64[from + row];
        }
        return to;
      };
    }
    case "call": {
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
