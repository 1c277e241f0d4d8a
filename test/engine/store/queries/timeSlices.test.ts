import * as assert from "uvu/assert";
import { TimeSlices } from "../../../../engine/store/queries/timeSlices.ts";
import { suite } from "../../../support/suite.ts";

/** Takes longer than a slice, so that a step is one. */
function slowly(): void {
  const until = performance.now() + 2.5;
  while (performance.now() < until);
}

suite("engine/store/queries/timeSlices", (test) => {
  const of = (organization: string) => ({ tenant: { organization, user: "u" } });
  function* steps(count: number, done: (step: number) => void): Generator<undefined, number> {
    for (let step = 1; step <= count; step++) {
      slowly();
      done(step);
      yield;
    }
    return count;
  }

  test("an organization with one query gets every second slice next to one with twenty", async () => {
    const slices = new TimeSlices();
    const order: string[] = [];
    const run = (organization: string, count: number) =>
      slices.run(
        steps(count, () => order.push(organization)),
        of(organization),
      );
    const many = Array.from({ length: 20 }, () => run("many", 3));
    const one = run("one", 5);
    assert.is(await one, 5);
    assert.equal(await Promise.all(many), Array<number>(20).fill(3));
    const lastOfOne = order.lastIndexOf("one");
    assert.ok(lastOfOne <= 12, order.join(" "));
    assert.is(order.length, 65);
  });

  test("work that fails or is cancelled gives its slice to the next", async () => {
    const slices = new TimeSlices();
    const failing = slices.run(
      steps(3, () => {
        throw new Error("broken");
      }),
      of("a"),
    );
    const cancelled = slices.run(
      steps(3, () => undefined),
      { ...of("b"), signal: AbortSignal.abort() },
    );
    const last = slices.run(
      steps(2, () => undefined),
      of("c"),
    );
    const settled = await Promise.allSettled([failing, cancelled, last]);
    assert.equal(
      settled.map((each) => (each.status === "rejected" ? String(each.reason) : each.value)),
      ["Error: broken", String((settled[1] as PromiseRejectedResult).reason), 2],
    );
    assert.match(String((settled[1] as PromiseRejectedResult).reason), "cancelled");
    assert.is(
      await slices.run(
        steps(1, () => undefined),
        of("a"),
      ),
      1,
      "and the slices go on",
    );
  });
});
