import * as assert from "uvu/assert";
import { priorityOf } from "../../../core/jobs/openJobs.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("core/jobs/openJobs", (test) => {
  test("until 2090, an evaluation that starts earlier never has a lower priority than a later evaluation", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const [from, to] = [Date.UTC(2020, 0), Date.UTC(2090, 0)];
      const starts = Array.from({ length: 500 }, () => from + random.below(to - from));
      starts.push(from, to, Date.UTC(2026, 0));
      const priorities = starts.toSorted((one, other) => one - other).map(priorityOf);
      priorities.forEach((priority, index) => {
        assert.is(priority, Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(priority))));
        if (index > 0) assert.ok(priority <= priorities[index - 1]!);
      });
      const at = from + random.below(to - from);
      assert.ok(priorityOf(at) > priorityOf(at + 1_000), "one second makes a difference");
    });
  });
});
