import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { findSites } from "./findSites.ts";
import { mutantsOf, mutate, relocate, type Mutant } from "./mutant.ts";

const source = `export function least(a: number, b: number, c = 0): number {
  if (a < c) return c;
  if (a < b) return a;
  return Math.min(b, c);
}
`;

function allOf(text: string): Mutant[] {
  const sites = findSites("core/a.ts", text).map((site) => ({ ...site, file: "core/a.ts" }));
  return sites.flatMap((site) => mutantsOf("core", site, sites));
}

const found = (id: string, replacement?: string) => {
  const mutant = allOf(source).find(
    (each) => each.id === id && (replacement === undefined || each.replacement === replacement),
  );
  assert.ok(mutant, id);
  return mutant;
};

suite("test/mutants/mutant", (test) => {
  test("applying one mutant replaces the original in the source", () => {
    const guard = mutate(source, [found("core/a.ts:3 guard")]);
    assert.is(guard, source.replace("if (a < b) return a;", ";"));
    const comparison = mutate(source, [found("core/a.ts:3 comparison", "<=")]);
    assert.is(comparison, source.replace("a < b", "a <= b"));
    const argument = mutate(source, [found("core/a.ts:4 argument")]);
    assert.is(argument, source.replace("min(b, c)", "min(b)"));
  });

  test("applying several mutants changes each at its own position in the source", () => {
    const both = mutate(source, [found("core/a.ts:2 guard"), found("core/a.ts:4 argument")]);
    assert.is(both, source.replace("if (a < c) return c;", ";").replace("min(b, c)", "min(b)"));
  });

  test("a mutant with the same id is found after lines were added to the source", () => {
    const mutant = found("core/a.ts:3 comparison", ">=");
    const later = `// A line.\n${source}`;
    const moved = relocate(mutant, new Map([["core/a.ts", later]]));
    assert.is(moved?.id, mutant.id);
    assert.is(moved?.line, 4);
    assert.is(moved && mutate(later, [moved]), later.replace("a < b", "a >= b"));
  });

  test("a mutant is not found if its line has changed, even if an identical line exists elsewhere", () => {
    const mutant = found("core/a.ts:3 comparison", "<=");
    const later = source.replace("if (a < b) return a;", "if (a < b) return b;");
    assert.is(relocate(mutant, new Map([["core/a.ts", later]])), undefined);
  });

  test("a mutant is not found if its source file is gone", () => {
    const mutant = found("core/a.ts:4 argument");
    assert.is(relocate(mutant, new Map([["core/a.ts", "export const a = 1;"]])), undefined);
    assert.is(relocate(mutant, new Map()), undefined);
  });
});
