import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { refusedBy } from "./acceptByTypes.ts";
import { drawMutants } from "./drawMutants.ts";
import { overlap, type Mutant } from "./mutant.ts";

const body = (name: string) => `export function ${name}(a: number, b: number) {
  if (a === 1) return 1;
  if (a < b) throw new Error("a");
  return Math.max(a, b) > 3 ? f(a, 2) : f(b, 3);
}
`;
const sources = new Map(
  ["a/one", "a/two", "b/three", "b/four"].map((name) => [
    `${name}.ts`,
    body(name.slice(2)).repeat(4),
  ]),
);
const draw = (seed: number, accepts = (mutants: readonly Mutant[]) => mutants) =>
  drawMutants({ seed, count: 12, areas: ["a", "b"], sources, accepts });

suite("test/mutants/drawMutants", (test) => {
  test("the same seed selects the same mutants, and another seed selects other mutants", () => {
    assert.equal(draw(1), draw(1));
    assert.not.equal(draw(1), draw(2));
  });

  test("the list of mutants alternates between areas, with a third of each kind", () => {
    const drawn = draw(1);
    assert.is(drawn.length, 12);
    for (const [index, { area, file }] of drawn.entries()) {
      assert.is(area, index % 2 === 0 ? "a" : "b");
      assert.ok(file.startsWith(`${area}/`));
    }
    for (const kind of ["guard", "comparison", "argument"])
      assert.is(drawn.filter((each) => each.kind === kind).length, 4, kind);
  });

  test("mutants that the compiler refuses are left out, and no two mutants change the same characters", () => {
    const drawn = draw(1, (mutants) => mutants.filter(({ file }) => file !== "a/one.ts"));
    assert.ok(drawn.length > 0 && drawn.every(({ file }) => file !== "a/one.ts"));
    for (const [index, each] of drawn.entries())
      assert.not.ok(drawn.slice(index + 1).some((other) => overlap(each, other)));
  });

  test("a compiler error excludes the last mutant before the error in the file", () => {
    const drawn = draw(1);
    const ofFile = drawn
      .filter(({ file }) => file === "b/four.ts")
      .toSorted((a, b) => a.start - b.start);
    const [first, second] = ofFile;
    assert.ok(first && second && second.line > first.line);
    const refused = (line: number) => [...refusedBy([{ file: "b/four.ts", line }], drawn)];
    assert.equal(refused(second.line - 1), [first]);
    assert.equal(refused(0), [first]);
    assert.equal([...refusedBy([{ file: "c.ts", line: 1 }], drawn)], []);
  });
});
