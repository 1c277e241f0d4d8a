import type { Syntax } from "../../../../core/queries/expressions/syntax.ts";
import type { Random } from "../../../support/random.ts";

const texts = ["", "a", "it's", '"', "null", "{D:n}", "𝒳\n\t", "--", "\\", "é"];
const numbers = [0, 1, 2.5, 1e21, 1e-7, Number.MAX_VALUE, Number.MIN_VALUE, 123_456_789.25];
const names = ["round", "if", "nosuch", "sum", "left", "starts_with", "écrire_2"];

/** Returns a random tree that the grammar allows, regardless of types, at most `depth` levels deep. */
export function randomSyntax(random: Random, depth: number): Syntax {
  const at = 0;
  const part = () => randomSyntax(random, depth - 1);
  const parts = (least: number) =>
    Array.from({ length: least + random.below(3) }, () => randomSyntax(random, depth - 1));
  if (depth <= 1 || random.chance(0.2)) return randomLeaf(random);
  switch (random.below(8)) {
    case 0:
      return { kind: "unary", at, operator: random.pick(["-", "+", "not"] as const), of: part() };
    case 1:
    case 2:
      return {
        kind: "binary",
        at,
        operator: random.pick(["=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"] as const),
        left: part(),
        right: part(),
      };
    case 3:
      return {
        kind: "chain",
        at,
        operator: random.pick(["or", "and", "||"] as const),
        of: parts(2),
      };
    case 4:
      return randomTest(random, part);
    case 5:
      return { kind: "call", at, name: random.pick(names), args: parts(0) };
    case 6: {
      const type = random.pick(["number", "text", "datetime", "date"] as const);
      return { kind: "cast", at, of: part(), type };
    }
    default:
      return {
        kind: "case",
        at,
        ...(random.chance(0.5) && { operand: part() }),
        branches: Array.from({ length: 1 + random.below(3) }, () => ({
          when: part(),
          value: part(),
        })),
        ...(random.chance(0.5) && { otherwise: part() }),
      };
  }
}

function randomLeaf(random: Random): Syntax {
  const at = 0;
  switch (random.below(5)) {
    case 0:
      return { kind: "text", at, value: random.pick(texts) };
    case 1:
      return { kind: "boolean", at, value: random.chance(0.5) };
    case 2:
      return { kind: "null", at };
    case 3:
      return { kind: "reference", at, datasetId: "D", columnId: random.pick(["n", "a b", "é'"]) };
    default:
      return { kind: "number", at, value: random.pick(numbers) };
  }
}

function randomTest(random: Random, part: () => Syntax): Syntax {
  const test = random.pick([
    "is null",
    "in",
    "between",
    "like",
    "starts with",
    "ends with",
  ] as const);
  const count = { "is null": 0, in: 1 + random.below(3), between: 2 }[test as string] ?? 1;
  const operands = Array.from({ length: count }, part);
  return { kind: "test", at: 0, test, isNegated: random.chance(0.5), of: part(), operands };
}
