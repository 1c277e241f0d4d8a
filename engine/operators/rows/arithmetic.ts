import type { BoundValue } from "../../expressions/boundValue.ts";
import type { Kernels } from "../../kernels/kernels.ts";
import type { Compilation, Fill, Vector } from "./compilation.ts";

type Call = Extract<BoundValue, { kind: "call" }>;

/** Functions that kernels of the same name apply to two operands; with more operands, from left to right. */
const combining = [
  "add",
  "subtract",
  "multiply",
  "divide",
  "coalesce",
  "nullIf",
  "least",
  "greatest",
] as const satisfies readonly (keyof Kernels)[];
/** Functions that kernels of the same name apply to one vector. */
const mapping = ["abs", "floor", "ceil"] as const satisfies readonly (keyof Kernels)[];
/** Functions that cut decimals, with the least fraction that they move away from zero. */
const cutting: Readonly<Record<string, number>> = { round: 0.5, trunc: Infinity };
/** Maximum number of decimals of a power of ten that is exact as a double. */
const mostDecimals = 22;

/** The values of the active rows, or a constant. See `arithmetic` in the kernel table. */
export interface Operand {
  /** Returns the address. */
  read(): number;
  /** 0 for a constant. */
  readonly step: 0 | 16;
}

/** Compiles numbers. Always `compileVector`, whose file imports this file. */
type VectorOf = (of: BoundValue, decimals: -1, compilation: Compilation) => Vector;

/** Compiles an operand. A constant is stored once, and not for each row. */
export function compileOperand(
  of: BoundValue,
  compilation: Compilation,
  vectorOf: VectorOf,
): Operand {
  if (of.kind !== "literal") return { read: vectorOf(of, -1, compilation).read, step: 16 };
  const { source, workspace } = compilation;
  const place = workspace.table(Float64Array.of(of.value, of.value));
  return { read: () => source.base + place, step: 0 };
}

/** Compiles a call for which there is a kernel; returns undefined for other calls. */
export function compileArithmetic(
  { function: name, of }: Call,
  compilation: Compilation,
  vectorOf: VectorOf,
): Fill | undefined {
  const combine = combining.find((each) => each === name);
  if (combine && of.length > 1) return compileCombination(combine, of, compilation, vectorOf);
  const { source } = compilation;
  const map = mapping.find((each) => each === name);
  if (map) {
    const values = vectorOf(of[0], -1, compilation);
    return (to) => {
      source.kernels[map](values.read(), source.rowCount, to);
      return to;
    };
  }
  // Subtracting from -0 inverts the sign of every number, even of 0.
  if (name === "negate")
    return compileCombination(
      "subtract",
      [{ kind: "literal", value: -0 }, of[0]],
      compilation,
      vectorOf,
    );
  const [value, digits] = of;
  if (!(name in cutting) || digits.kind !== "literal") return undefined;
  const decimals = Math.trunc(digits.value);
  if (!(decimals >= 0 && decimals <= mostDecimals)) return undefined;
  const values = vectorOf(value, -1, compilation);
  const least = cutting[name];
  return (to) => {
    source.kernels.cutDecimals(values.read(), source.rowCount, 10 ** decimals, least, to);
    return to;
  };
}

function compileCombination(
  kernel: (typeof combining)[number],
  of: readonly BoundValue[],
  compilation: Compilation,
  vectorOf: VectorOf,
): Fill {
  const { source } = compilation;
  const [first, second, ...others] = of.map((each) => compileOperand(each, compilation, vectorOf));
  return (to) => {
    const { rowCount } = source;
    const left = first.read();
    const right = second.read();
    const combine = source.kernels[kernel];
    combine(left, first.step, right, second.step, rowCount, to);
    for (const { read, step } of others) combine(to, 16, read(), step, rowCount, to);
    return to;
  };
}
