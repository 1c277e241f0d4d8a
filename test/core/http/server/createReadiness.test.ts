import * as assert from "uvu/assert";
import { createReadiness } from "../../../../core/http/server/createReadiness.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/server/createReadiness", (test) => {
  const open = () => {
    let atMs = 0;
    let isThere = true;
    let lookCount = 0;
    const readiness = createReadiness({
      now: () => atMs,
      checks: {
        async catalog() {
          lookCount++;
          if (!isThere) throw new Error("the catalog is unavailable");
        },
        store: async () => undefined,
      },
    });
    return {
      /** Checks the readiness once per second, for `seconds` seconds, and returns the result of each check. */
      async see(seconds: number, isUp: boolean) {
        isThere = isUp;
        const seen: boolean[] = [];
        for (let second = 0; second < seconds; second++) {
          atMs += 1_000;
          seen.push((await readiness()).ready);
        }
        return seen;
      },
      readiness,
      lookCount: () => lookCount,
    };
  };
  const all = (value: boolean, count: number) => Array.from({ length: count }, () => value);

  test("a host stays ready while its catalog restarts within four seconds", async () => {
    const host = open();
    assert.equal(await host.see(3, true), all(true, 3));
    assert.equal(await host.see(5, false), all(true, 5));
    assert.equal(await host.see(3, true), all(true, 3));
  });

  test("a failing part of the host is reported by name, and counts as recovered after two seconds without failures", async () => {
    const host = open();
    await host.see(1, true);
    assert.equal(await host.see(8, false), [...all(true, 5), ...all(false, 3)]);
    assert.equal((await host.readiness()).parts, { catalog: "failed", store: "ok" });
    assert.equal(await host.see(4, true), [false, false, true, true]);
  });

  test("the reported state of a part does not change while the part alternately fails and recovers", async () => {
    const host = open();
    await host.see(1, true);
    await host.see(8, false);
    for (let turn = 0; turn < 5; turn++) {
      assert.equal(await host.see(1, true), [false]);
      assert.equal(await host.see(1, false), [false]);
    }
  });

  test("a host is not ready if its parts fail the first check", async () => {
    assert.equal(await open().see(1, false), [false]);
  });

  test("the parts of a host are checked once per second, whatever the number of callers", async () => {
    const host = open();
    await Promise.all(Array.from({ length: 50 }, () => host.readiness()));
    assert.is(host.lookCount(), 1);
    await host.see(1, true);
    assert.is(host.lookCount(), 2);
  });
});
