import type { Output, Plan, Predicate } from "../../../engine/index.ts";
import { joinsOf } from "./joinsOf.ts";
import type { PublicPart, PublicQuestion, Test } from "./publicPart.ts";

/** Returns the engine's plan for a question; undefined if the question has a formula, which the host computes. */
export function planOf(question: PublicQuestion, part: PublicPart): Plan | undefined {
  const { table, keys, measures, isRaw, where = [], having, order, limit } = question;
  const outputs: Output[] = keys.map((of) => ({ kind: "key", of }));
  for (const measure of measures) {
    if (measure.kind === "formula") return undefined;
    outputs.push(measure);
  }
  const { count = 0, offset = 0, per } = limit ?? {};
  return {
    table,
    joins: joinsOf(question, part).map(({ name, table: joined, left, right }) => ({
      name,
      table: joined,
      left: { name: left.name, ...(left.join !== undefined && { join: left.join }) },
      right,
    })),
    outputs,
    grouped: isRaw !== true,
    ...(where.length > 0 && { filter: { kind: "and", of: where.map(predicateOf) } }),
    ...(having && {
      having: {
        kind: "compare",
        output: keys.length + having.measure,
        operator: ">",
        value: having.above,
      },
    }),
    ...(order && { order }),
    ...(limit && per === undefined && { limit: { count, offset } }),
    ...(limit && per !== undefined && { groupLimit: { count, offset, outputs: [per] } }),
  };
}

function predicateOf(test: Test): Predicate {
  if (test.kind !== "columns") return test;
  const { left, operator, right } = test;
  const compared = { kind: "call", function: "compare", of: [left, right] } as const;
  return { kind: "compare", left: compared, operator, value: 0 };
}
