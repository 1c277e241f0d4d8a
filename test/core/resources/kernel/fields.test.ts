import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/kernel/fields", (test) => {
  const tenants = openTenantsFor(test);

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
