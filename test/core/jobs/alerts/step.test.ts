import * as assert from "uvu/assert";
import {
  type AlertRule,
  type AlertState,
  type Observation,
  step,
  wholeKey,
} from "../../../../core/jobs/alerts/step.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

/** The rule of an alert that the API creates with default settings. */
const plain: AlertRule = {
  notify: "every",
  forMs: 0,
  keepFiringForMs: 0,
  noData: "ok",
  error: "keep",
};

const rows = (...keys: string[]): Observation => ({ kind: "answer", matching: new Set(keys) });
const one = rows(wholeKey);
const none = rows();
const failed: Observation = { kind: "error" };

/**
 * Runs evaluations one minute apart. Returns the status of the only instance after each evaluation, and the messages.
 */
function play(rule: Partial<AlertRule>, ...observations: readonly Observation[]) {
  let state: AlertState = new Map();
  return observations.map((observation, minute) => {
    const made = step(state, observation, { ...plain, ...rule }, minute);
    state = made.state;
    const told = made.notices.map(({ key, kind }) => (key === wholeKey ? kind : `${key} ${kind}`));
    const statuses = [...state]
      .filter(([, { status }]) => status !== "ok")
      .map(([key, { status }]) => (key === wholeKey ? status : `${key} ${status}`));
    return `${statuses.join(", ") || "ok"}${told.length > 0 ? `: ${told.join(", ")}` : ""}`;
  });
}

suite("core/jobs/alerts/step", (test) => {
  test("by default, an alert notifies people at every slot at which its answer has rows", () => {
    assert.equal(play({}, none, one, one, failed, none, one), [
      "ok",
      "firing: firing",
      "firing: firing",
      "firing",
      "ok",
      "firing: firing",
    ]);
  });

  test("an alert with `notify: change` notifies people when an instance starts or stops firing", () => {
    assert.equal(play({ notify: "change" }, one, one, none, none, one), [
      "firing: firing",
      "firing",
      "ok: resolved",
      "ok",
      "firing: firing",
    ]);
  });

  test("an instance is pending until it has matched without interruption for the required time", () => {
    assert.equal(play({ forMs: 2 }, one, one, none, one, one, one, one), [
      "pending",
      "pending",
      "ok",
      "pending",
      "pending",
      "firing: firing",
      "firing: firing",
    ]);
  });

  test("a recovering instance that matches again fires at once, without a new announcement", () => {
    const rule = { notify: "change", forMs: 1, keepFiringForMs: 2 } as const;
    assert.equal(play(rule, one, one, none, one, none, none, none), [
      "pending",
      "firing: firing",
      "recovering",
      "firing",
      "recovering",
      "recovering",
      "ok: resolved",
    ]);
  });

  test("an instance with a recovery condition fires until that condition is met", () => {
    const between: Observation = { kind: "answer", matching: new Set(["x"]), recovered: new Set() };
    const back: Observation = { ...between, recovered: new Set(["a"]) };
    assert.equal(play({ notify: "change" }, rows("a", "x"), between, back), [
      "a firing, x firing: a firing, x firing",
      "a firing, x firing",
      "x firing: a resolved",
    ]);
  });

  test("a rule decides whether missing rows and failures count as ok, as firing or as no change", () => {
    const change = { notify: "change" } as const;
    assert.equal(play({ ...change, noData: "keep" }, one, none, none), [
      "firing: firing",
      "firing",
      "firing",
    ]);
    assert.equal(play({ ...change, noData: "fire" }, one, none, none, one), [
      "firing: firing",
      "no_data: no_data",
      "no_data",
      "firing: firing",
    ]);
    assert.equal(play({ ...change, error: "ok" }, one, failed), ["firing: firing", "ok: resolved"]);
    assert.equal(play({ ...change, error: "fire" }, failed, failed, none), [
      "error: error",
      "error",
      "ok: resolved",
    ]);
    assert.equal(play({ ...change, error: "fire" }, rows("a"), failed, rows("a")), [
      "a firing: a firing",
      "a firing, error: error",
      "a firing: resolved",
    ]);
  });

  test("a muted alert still changes state, and after muting announces only instances that still fire", () => {
    const muted = { notify: "change", mutedUntilMs: 3 } as const;
    assert.equal(play(muted, one, none, one, one, none), [
      "firing",
      "ok",
      "firing",
      "firing: firing",
      "ok: resolved",
    ]);
    assert.equal(play(muted, one, none, none, none), ["firing", "ok", "ok", "ok"]);
    assert.equal(play({ mutedUntilMs: 1 }, one, one), ["firing", "firing: firing"]);
    let state = step(new Map(), one, { ...plain, notify: "change" }, 0).state;
    const until = { ...plain, notify: "change", mutedUntilMs: 3 } as const;
    for (const at of [1, 2]) {
      const made = step(state, none, until, at);
      assert.equal(made.notices, []);
      state = made.state;
    }
    const ended = step(state, none, until, 3);
    assert.equal(ended.notices, [{ key: wholeKey, kind: "resolved" }]);
    assert.is(ended.state.size, 0);
  });

  test("each instance is announced once when it starts firing, and then once when it stops", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 60, deep: 1500, soak: 15_000 }); round++) {
        const rule: AlertRule = {
          notify: "change",
          forMs: random.below(4),
          keepFiringForMs: random.below(4),
          noData: random.pick(["ok", "keep"]),
          error: random.pick(["ok", "keep"]),
          ...(random.chance(0.3) && { mutedUntilMs: random.below(30) }),
        };
        const keys = ["a", "b", "c"];
        let state: AlertState = new Map();
        const announced = new Set<string>();
        const matchedSince = new Map<string, number>();
        for (let at = 0; at < 30; at++) {
          const observation: Observation = random.chance(0.1)
            ? { kind: "error" }
            : { kind: "answer", matching: new Set(random.some(keys, 0.5)) };
          const made = step(state, observation, rule, at);
          for (const { key, kind } of made.notices) {
            assert.is(announced.has(key), kind === "resolved", `${key} ${kind} at ${at}`);
            if (kind === "resolved") announced.delete(key);
            else announced.add(key);
            assert.ok(at >= (rule.mutedUntilMs ?? 0), `told at ${at} while muted`);
          }
          for (const { key, from, to } of made.transitions) {
            assert.is(state.get(key)?.status ?? "ok", from);
            assert.is(made.state.get(key)?.status ?? "ok", to);
            if (to === "firing" && from === "pending")
              assert.ok(at - (matchedSince.get(key) ?? at) >= rule.forMs);
            if (to === "ok" && from === "firing" && observation.kind === "answer")
              assert.is(rule.keepFiringForMs, 0);
          }
          for (const [key, { status }] of made.state)
            if (status !== "pending") matchedSince.delete(key);
            else if (!matchedSince.has(key)) matchedSince.set(key, at);
          for (const key of matchedSince.keys()) if (!made.state.has(key)) matchedSince.delete(key);
          state = made.state;
        }
      }
    });
  });

  test("an instance without rows follows the policy for missing data, and its end has a reason", () => {
    const seen = (matching: readonly string[], reporting: readonly string[]): Observation => ({
      kind: "answer",
      matching: new Set(matching),
      reporting: new Set([...matching, ...reporting]),
    });
    const change = { notify: "change" } as const;
    const told = (rule: Partial<AlertRule>, ...observations: readonly Observation[]) => {
      let state: AlertState = new Map();
      return observations.map((observation, minute) => {
        const made = step(state, observation, { ...plain, ...rule }, minute);
        state = made.state;
        return made.notices.map(({ key, kind, reason = "" }) => `${key} ${kind} ${reason}`.trim());
      });
    };
    const both = rows("a", "b");
    assert.equal(told(change, both, seen(["b"], [])), [
      ["a firing", "b firing"],
      ["a resolved no_data"],
    ]);
    assert.equal(told(change, both, seen(["b"], ["a"])), [
      ["a firing", "b firing"],
      ["a resolved"],
    ]);
    const fire = { ...change, noData: "fire" } as const;
    assert.equal(told(fire, both, seen(["b"], []), seen(["b"], []), seen(["b"], ["a"])), [
      ["a firing", "b firing"],
      ["a no_data"],
      [],
      ["a resolved"],
    ]);
    const keep = { ...change, noData: "keep" } as const;
    assert.equal(told(keep, both, seen(["b"], []), seen(["b"], ["a"])), [
      ["a firing", "b firing"],
      [],
      ["a resolved"],
    ]);
  });

  test("people know the state of each instance after each evaluation outside quiet hours, across clock changes", async () => {
    const random = createRandom();
    const quietHours = {
      timezone_id: "Europe/Berlin",
      periods: [{ from: "22:00", to: "07:00" }],
    };
    const zone = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/Berlin",
      hour: "2-digit",
      hourCycle: "h23",
    });
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 20, deep: 400, soak: 4_000 }); round++) {
        const noData = random.pick(["ok", "keep", "fire"] as const);
        const rule: AlertRule = { ...plain, notify: "change", noData, quietHours };
        const startMs = Date.parse(random.pick(["2026-03-28T12:00Z", "2026-10-24T12:00Z"]));
        const keys = ["a", "b", "c"];
        let state: AlertState = new Map();
        /** What is true, and what people were told, by instance. Absent: ok. */
        const truth = new Map<string, string>();
        const known = new Map<string, string>();
        for (let slot = 0; slot < 48; slot++) {
          const atMs = startMs + slot * 3_600_000;
          // One instance always matches, so that the answer as a whole is never without rows.
          const matching = new Set(["z", ...random.some(keys, 0.4)]);
          const reporting = new Set([...matching, ...random.some(keys, 0.6)]);
          const made = step(state, { kind: "answer", matching, reporting }, rule, atMs);
          for (const key of ["z", ...keys]) {
            const before = truth.get(key);
            if (matching.has(key)) truth.set(key, "firing");
            else if (reporting.has(key) || noData === "ok") truth.delete(key);
            else if (noData === "fire" && before !== undefined) truth.set(key, "no_data");
          }
          for (const { key, kind, reason } of made.notices) {
            if (kind === "resolved") known.delete(key);
            else known.set(key, kind);
            assert.is(reason, kind === "resolved" && !reporting.has(key) ? "no_data" : undefined);
          }
          const hour = Number(zone.format(atMs));
          const isQuietHour = hour >= 22 || hour < 7;
          const said = `slot ${slot}, ${noData}`;
          // With `keep`, an instance without rows is not judged until it has rows again.
          const judged = ([key]: readonly [string, string]) =>
            noData !== "keep" || reporting.has(key);
          const toldOf = (states: ReadonlyMap<string, string>) =>
            [...states].filter(judged).toSorted();
          if (isQuietHour) assert.equal(made.notices, [], said);
          else assert.equal(toldOf(known), toldOf(truth), said);
          state = made.state;
        }
      }
    });
  });
});
