import {
  limitsOf,
  type Bin,
  type Expression,
  type FunctionName,
} from "../../../plugins/protocol/index.ts";

/** Returns whether bins start at `floor(value / width) * width`: integer widths, starting at 0. */
export function isWholeBin({ width, origin }: Bin): boolean {
  return Number.isInteger(width) && origin === 0;
}

/** Returns the start of a value's bin, as the protocol defines bins, in an expression of portable functions. */
export function binStart(value: Expression, bin: Bin): Expression {
  const distance = call("subtract", value, literal(bin.origin));
  const index = call("floor", call("divide", distance, literal(bin.width)));
  if (isWholeBin(bin)) return call("add", literal(0), call("multiply", index, literal(bin.width)));
  const { base, step, scale } = limitsOf(bin);
  const limit = (at: Expression): Expression => {
    const scaled = call("add", literal(base), call("multiply", at, literal(step)));
    return scale === 1 ? scaled : call("divide", scaled, literal(scale));
  };
  const [before, own, after] = [
    limit(call("subtract", index, literal(1))),
    limit(index),
    limit(call("add", index, literal(1))),
  ];
  // The first guess is off by at most one bin.
  return call(
    "case",
    call("greater", own, value),
    before,
    call("lessOrEqual", after, value),
    after,
    own,
  );
}

function call(name: FunctionName, ...args: readonly Expression[]): Expression {
  return { kind: "call", function: name, args };
}

function literal(value: number): Expression {
  return { kind: "literal", type: "numeric", value };
}
