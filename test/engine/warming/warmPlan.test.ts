import * as assert from "uvu/assert";
import type { Plan } from "../../../engine/types.ts";
import { warmPlan } from "../../../engine/warming/warmPlan.ts";
import { suite } from "../../support/suite.ts";

/**
 * Returns the forms of the grammar that a plan uses. They are kinds, functions and operators, each with the member that
 * contains it, and combinations of clauses.
 */
function formsOf(plan: Plan): readonly string[] {
  const named = [...JSON.stringify(plan).matchAll(/"(kind|function|operator|match)":"([^"]+)"/g)];
  return [
    ...named.map(([, member, name]) => `${member} ${name}`),
    plan.grouped ? "grouped" : "rows",
    ...(plan.having ? ["having"] : []),
    ...(plan.limit ? ["limit"] : []),
    `${plan.outputs.filter(({ kind }) => kind === "key").length} keys`,
  ];
}

/** Returns a part of a plan without its constants and without the names of periods, zones and date parts. */
const shapeOf = (part: unknown) =>
  (JSON.stringify(part) ?? "none")
    .replaceAll(/\d+/g, "0")
    .replaceAll(/"(period|timezone|value)":"[^"]*"/g, '"$1":""');

const forms = [
  ..."and or not compare in match isNull".split(" ").map((name) => `kind ${name}`),
  ..."column literal period bin case call".split(" ").map((name) => `kind ${name}`),
  ..."rows count sum average min max distinctcount median percentile stddev corr weightedaverage cumulativesum approximatedistinctcount approximatepercentile"
    .split(" ")
    .map((name) => `function ${name}`),
  ..."contains startsWith endsWith".split(" ").map((name) => `match ${name}`),
  ..."< <= > >=".split(" ").map((name) => `operator ${name}`),
  ..."grouped,rows,having,limit,0 keys,1 keys,2 keys,4 keys".split(","),
];

suite("engine/warming/warmPlan", (test) => {
  test("a hundred warm-up plans use every form in the grammar of plans", () => {
    const used = new Set(
      Array.from({ length: 100 }, (_, index) => formsOf(warmPlan(index))).flat(),
    );
    assert.equal(
      forms.filter((form) => !used.has(form)),
      [],
    );
  });

  test("the sequence of warm-up plans combines every key with every aggregate and every filter", () => {
    const pairs = { keys: new Set<string>(), filters: new Set<string>() };
    const seen = { keys: new Set<string>(), aggregates: new Set<string>(), filters: new Set() };
    for (let index = 0; index < 4000; index++) {
      const { grouped, outputs, filter } = warmPlan(index);
      if (!grouped) continue;
      const keys = shapeOf(outputs.filter(({ kind }) => kind === "key"));
      const aggregates = shapeOf(outputs.filter(({ kind }) => kind === "aggregate"));
      const tests = shapeOf(filter);
      seen.keys.add(keys);
      seen.aggregates.add(aggregates);
      seen.filters.add(tests);
      pairs.keys.add(keys + aggregates);
      pairs.filters.add(aggregates + tests);
    }
    assert.is(pairs.keys.size, seen.keys.size * seen.aggregates.size);
    assert.is(pairs.filters.size, seen.aggregates.size * seen.filters.size);
  });
});
