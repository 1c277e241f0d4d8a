import * as assert from "uvu/assert";
import { createTenantLimit } from "../../../../core/queries/run/createTenantLimit.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/run/createTenantLimit", (test) => {
  test("a tenant runs a limited number of tasks at once and never waits for other tenants", async () => {
    const run = createTenantLimit(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: string[] = [];
    const sendQuery = (user: string, name: string) =>
      run({ organization: "o", user }, async () => {
        started.push(name);
        await promise;
        return name;
      });
    const requested = ["a1", "a2", "a3", "a4"].map((name) => sendQuery("a", name));
    requested.push(sendQuery("b", "b1"));
    await new Promise((next) => setImmediate(next));
    assert.equal(started, ["a1", "a2", "b1"]);
    resolve();
    assert.equal(await Promise.all(requested), ["a1", "a2", "a3", "a4", "b1"]);
  });
});
