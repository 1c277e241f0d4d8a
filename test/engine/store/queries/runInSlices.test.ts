import * as assert from "uvu/assert";
import { TimeSlices } from "../../../../engine/fair/index.ts";
import { runInSlices } from "../../../../engine/store/queries/runInSlices.ts";
import { suite } from "../../../support/suite.ts";

/** Milliseconds of simulated work so far. */
let workedMs = 0;
const openSlices = () => new TimeSlices(() => workedMs);

suite("engine/store/queries/runInSlices", (test) => {
  const of = (organization: string) => ({ tenant: { organization, user: "u" } });
  function* steps(count: number, done: (step: number) => void): Generator<undefined, number> {
    for (let step = 1; step <= count; step++) {
      // Takes longer than a slice, so that each step fills a slice.
      workedMs += 2.5;
      done(step);
      yield;
    }
    return count;
  }

  test("an organization with one query gets every second slice while another organization has twenty queries", async () => {
    const slices = openSlices();
    const order: string[] = [];
    const run = (organization: string, count: number) =>
      runInSlices(
        steps(count, () => order.push(organization)),
        slices,
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

  test("a user with one query gets every second slice while a colleague has twenty queries", async () => {
    const slices = openSlices();
    const order: string[] = [];
    const run = (user: string, count: number) =>
      runInSlices(
        steps(count, () => order.push(user)),
        slices,
        { tenant: { organization: "o", user } },
      );
    const many = Array.from({ length: 20 }, () => run("many", 2));
    await run("one", 5);
    await Promise.all(many);
    assert.ok(order.lastIndexOf("one") <= 12, order.join(" "));
  });

  test("background queries get time slices only while no person's query waits", async () => {
    const slices = openSlices();
    const order: string[] = [];
    const run = (isBackground: boolean) =>
      runInSlices(
        steps(3, () => order.push(isBackground ? "background" : "people")),
        slices,
        { tenant: { organization: "o", user: "u", isBackground } },
      );
    await Promise.all([run(true), run(true), run(false), run(false)]);
    // The first slice started without waiting.
    assert.equal(order.slice(0, 7), ["background", ...Array<string>(6).fill("people")]);
    assert.is(order.length, 12);
  });

  test("a query that fails or is cancelled passes its time slice to the next query", async () => {
    const slices = openSlices();
    const failing = runInSlices(
      steps(3, () => {
        throw new Error("broken");
      }),
      slices,
      of("a"),
    );
    const cancelled = runInSlices(
      steps(3, () => undefined),
      slices,
      { ...of("b"), signal: AbortSignal.abort() },
    );
    const last = runInSlices(
      steps(2, () => undefined),
      slices,
      of("c"),
    );
    const settled = await Promise.allSettled([failing, cancelled, last]);
    assert.equal(
      settled.map((each) => (each.status === "rejected" ? String(each.reason) : each.value)),
      ["Error: broken", String((settled[1] as PromiseRejectedResult).reason), 2],
    );
    assert.match(String((settled[1] as PromiseRejectedResult).reason), "cancelled");
    assert.is(
      await runInSlices(
        steps(1, () => undefined),
        slices,
        of("a"),
      ),
      1,
      "and later work still gets slices",
    );
  });
});
