import * as assert from "uvu/assert";
import { createCallTimes } from "../../../../core/sources/connections/callTimes.ts";
import { suite } from "../../../support/suite.ts";

suite("core/sources/connections/callTimes", (test) => {
  test("calls to plugins, their failures and their durations are counted for one organization or for all organizations", () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const times = createCallTimes(() => nowMs);
    nowMs += 1_000;
    for (let at = 1; at <= 100; at++)
      times.note("p", { organizationId: "a", milliseconds: at, hasFailed: at % 10 === 0 });
    times.note("p", { organizationId: "b", milliseconds: 1_000, hasFailed: true });
    times.note("p", { organizationId: undefined, milliseconds: 2_000, hasFailed: false });
    const since = "2026-01-01T00:00:00.000Z";
    const last_at = "2026-01-01T00:00:01.000Z";
    const milliseconds = { p50: 50, p95: 95 };
    assert.equal(times.of("p", "a"), { since, calls: 100, failures: 10, last_at, milliseconds });
    const all = times.of("p");
    assert.equal([all.calls, all.failures, all.milliseconds.p50], [102, 11, 51]);
    const none = {
      since,
      calls: 0,
      failures: 0,
      last_at: null,
      milliseconds: { p50: null, p95: null },
    };
    assert.equal(times.of("p", "c"), none);
    assert.equal(times.of("q"), none);
  });

  test("call times are kept for the last thousand calls of each of the thousand most recently called plugins", () => {
    const times = createCallTimes(() => 1);
    const note = (pluginId: string, milliseconds: number) =>
      times.note(pluginId, { organizationId: "a", milliseconds, hasFailed: false });
    for (let at = 0; at < 1_500; at++) note("p", at < 500 ? 9_999 : 7.0625);
    assert.equal(times.of("p").milliseconds, { p50: 7.1, p95: 7.1 });
    assert.is(times.of("p").calls, 1_500);
    for (let at = 0; at < 999; at++) note(`q${at}`, 1);
    note("p", 1);
    note("another", 1);
    assert.is(times.of("p").calls, 1_501, "it was called again");
    assert.is(times.of("q0").calls, 0);
  });
});
