import * as assert from "uvu/assert";
import { TimeSlices } from "../../../engine/fair/timeSlices.ts";
import { suite } from "../../support/suite.ts";

const tenant = (user: string, organization = "o") => ({ organization, user });

/** Milliseconds of simulated work so far. */
let workedMs = 0;
const openSlices = () => new TimeSlices(() => workedMs);

/** Works for six milliseconds per step, and records each step. */
function* work(name: string, stepCount: number, done: string[]): Generator<undefined, string> {
  for (let step = 0; step < stepCount; step++) {
    workedMs += 6;
    done.push(name);
    yield;
  }
  return name;
}

suite("engine/fair/timeSlices", (test) => {
  test("the event loop handles outside events between two time slices", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const running = slices.run(tenant("a"), work("a", 5, done));
    setImmediate(() => done.push("outside"));
    assert.is(await running, "a");
    assert.is(done.indexOf("outside"), 1);
  });

  test("new work waits for one time slice at most", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const busy = Array.from({ length: 6 }, (_, user) =>
      slices.run(tenant(`busy ${user}`), work("busy", 4, done)),
    );
    while (done.length < busy.length) await new Promise((resolve) => setImmediate(resolve));
    const before = done.length;
    await slices.run(tenant("quiet"), work("quiet", 1, done));
    const own = done.indexOf("quiet");
    assert.ok(own - before <= 2, `${own} after ${before}`);
    const here = done.length;
    await slices.run(tenant("x", "other organization"), work("other", 1, done));
    assert.ok(done.indexOf("other") - here <= 2);
    await Promise.all(busy);
    assert.is(done.filter((name) => name === "busy").length, 24);
  });

  test("aborted or failing work stops, and other work continues", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const leaving = new AbortController();
    const left = slices.run(tenant("a"), work("a", 100, done), leaving.signal);
    const failing = slices.run(
      tenant("b"),
      (function* () {
        yield;
        throw new TypeError("a step failed");
      })(),
    );
    const other = slices.run(tenant("c"), work("c", 3, done));
    leaving.abort(new Error("left"));
    assert.match(String(await left.catch(String)), "left");
    assert.match(String(await failing.catch(String)), "a step failed");
    assert.is(await other, "c");
    assert.ok(done.filter((name) => name === "a").length < 5);
  });

  test("items arrive in order, and leaving the loop closes the generator", async () => {
    const slices = openSlices();
    let isEnded = false;
    const items = function* () {
      try {
        yield "1";
        yield undefined;
        yield "2";
        yield "3";
      } finally {
        isEnded = true;
      }
    };
    const all: string[] = [];
    for await (const item of slices.each(tenant("a"), items())) all.push(item);
    assert.equal(all, ["1", "2", "3"]);
    isEnded = false;
    for await (const item of slices.each(tenant("a"), items())) if (item === "1") break;
    assert.is(isEnded, true);
  });

  test("background work starts and continues only while no other work waits", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const background = { ...tenant("a"), isBackground: true };
    const later = slices.run(background, work("background", 3, done));
    const begun = slices.begin(background).then(() => done.push("begun"));
    const people = [1, 2].map(() => slices.run(tenant("busy"), work("people", 3, done)));
    await Promise.all([later, begun, ...people]);
    // The first slice started without waiting.
    assert.equal(done.slice(0, 7), ["background", ...Array.from({ length: 6 }, () => "people")]);
    assert.is(done.length, 10);
  });

  test("the event loop handles outside events before background work starts again", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const background = { ...tenant("a"), isBackground: true };
    const begin = (name: string) => slices.begin(background).then(() => done.push(name));
    const all = [begin("1"), begin("2"), begin("3")];
    setImmediate(() => done.push("outside"));
    await Promise.all(all);
    assert.is(done.indexOf("outside"), 1, done.join());
  });

  test("users get their first time slice in order of arrival", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const users = ["first", "second", "third", "fourth"];
    await Promise.all(users.map((user) => slices.run(tenant(user), work(user, 1, done))));
    assert.equal(done, users);
  });

  test("a tenant that was idle for any time is 50 ms ahead of busy tenants", async () => {
    const slices = openSlices();
    const done: string[] = [];
    const early = slices.run(tenant("u", "early"), work("early", 1, done));
    const busy = ["a", "b"].map((user) => slices.run(tenant(user), work("busy", 40, done)));
    await early;
    while (done.length < 40) await new Promise((resolve) => setImmediate(resolve));
    const before = done.length;
    await slices.run(tenant("u", "early"), work("early", 20, done));
    await Promise.all(busy);
    const since = done.slice(before);
    const begun = since.indexOf("early");
    const aheadMs = 6 * (since.indexOf("busy", begun) - begun);
    assert.ok(aheadMs > 40 && aheadMs <= 60, since.join(" "));
  });
});
