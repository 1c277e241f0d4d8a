import * as assert from "uvu/assert";
import { visitInSteps } from "../../../engine/expressions/visitInSteps.ts";
import { runSteps } from "../../../engine/runSteps.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/visitInSteps", (test) => {
  test("visitInSteps visits every index once and in order", () => {
    for (const count of [0, 1, 2, 1_000]) {
      const visited: number[] = [];
      runSteps(visitInSteps(count, (index) => void visited.push(index)));
      assert.equal(
        visited,
        Array.from({ length: count }, (_, index) => index),
      );
    }
  });

  test("slow entries are visited in steps of their own, even after many fast entries", () => {
    const quickCount = 600;
    const steps: number[] = [];
    let visited = 0;
    let clockMs = 0;
    performance.now = () => clockMs;
    const visiting = visitInSteps(quickCount + 300, (index) => {
      visited++;
      if (index >= quickCount && index < quickCount + 270) clockMs += 2;
    });
    try {
      for (let done = false; !done;) {
        const before = visited;
        ({ done = false } = visiting.next());
        steps.push(visited - before);
      }
    } finally {
      // Removes the mocked clock, so that the prototype's method is used again.
      Reflect.deleteProperty(performance, "now");
    }
    // The first slow step may still have as many entries as the fast steps, but later steps must have fewer.
    assert.ok(Math.max(...steps) <= 256);
    assert.ok(steps.filter((size) => size === 1).length >= 10, steps.join());
  });
});
