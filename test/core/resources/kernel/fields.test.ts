import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/kernel/fields", (test) => {
  const tenants = openTenantsFor(test);

  test("an instant must exist, and is in UTC if it names no time zone", async () => {
    const { ada, call, make, refusal } = tenants;
    const id = await make(ada, "schedule");
    for (const [started_at, stored] of [
      ["2030-01-31", "2030-01-31T00:00:00.000Z"],
      ["2030-01-31T12:00:00", "2030-01-31T12:00:00.000Z"],
      ["2030-01-31 12:00", "2030-01-31T12:00:00.000Z"],
      ["2030-01-31T12:00:00+02:00", "2030-01-31T10:00:00.000Z"],
      ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ]) {
      const changed = await call(ada, "schedule", "update", { id, properties: { started_at } });
      assert.is(changed["started_at"], stored, started_at);
      const find = { where: { id, started_at } };
      assert.is((await tenants.rows(ada, "schedule", find)).length, 1, started_at);
    }
    for (const started_at of [
      "2030-02-30",
      "2030-02-29",
      "2030-01-01 (noon)",
      "2030-13-01",
      "soon",
    ]) {
      const message = await tenants.refusedBy("schedule", { started_at }, "update");
      assert.match(message, /properties\.started_at.*an instant that exists, such as 2030-01-31/);
      const find = { where: { started_at: { gt: started_at } } };
      const searched = await refusal(ada, "schedule", "get", { find });
      assert.match(searched.message, /started_at.*an instant that exists/, started_at);
    }
  });

  test("a member for a time zone accepts every zone name in the IANA database", async () => {
    const { ada, call, make } = tenants;
    const id = await make(ada, "schedule");
    for (const timezone of ["Europe/Brussels", "Asia/Kolkata", "Asia/Calcutta", "UTC", null]) {
      const changed = await call(ada, "schedule", "update", { id, properties: { timezone } });
      assert.is(changed["timezone"], timezone);
    }
    for (const odd of ["Mars/Olympus", "", "+02:00", "Europe/Brussels\n", "x".repeat(300), 7])
      for (const [resource, member] of [
        ["schedule", "timezone"],
        ["alert", "timezone_id"],
        ["user", "timezone_id"],
      ] as const)
        assert.match(
          await tenants.refusedBy(resource, { [member]: odd }, "update"),
          new RegExp(`properties\\.${member}`),
        );
  });
});
