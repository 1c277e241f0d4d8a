import * as assert from "uvu/assert";
import { createPlaces } from "../../../../core/queries/run/createPlaces.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/run/createPlaces", (test) => {
  test("a waiting task starts in order when a task ends, even if that task fails", async () => {
    const places = createPlaces(1);
    const started: string[] = [];
    const first = Promise.withResolvers<string>();
    const begin = (name: string, ends: Promise<string>) =>
      places.run(() => {
        started.push(name);
        return ends;
      });
    const one = begin("one", first.promise);
    const two = begin("two", Promise.resolve("2"));
    const three = begin("three", Promise.resolve("3"));
    assert.equal(started, ["one"]);
    assert.not(places.isIdle);
    first.reject(new Error("failed"));
    const settled = await Promise.allSettled([one, two, three]);
    assert.equal(
      settled.map(({ status }) => status),
      ["rejected", "fulfilled", "fulfilled"],
    );
    assert.equal(started, ["one", "two", "three"]);
    assert.ok(places.isIdle);
  });
});
