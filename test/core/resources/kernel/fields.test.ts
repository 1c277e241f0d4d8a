import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenants, type Tenants } from "../openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/kernel/fields", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.after(() => tenants.close());

  const refusedBy = async (
    resource: string,
    properties: Json,
    action: "create" | "update" = "create",
  ) => {
    const id = action === "update" ? await tenants.make(tenants.ada, resource) : undefined;
    return (await tenants.refusal(tenants.ada, resource, action, { id, properties })).message;
  };

  test("a time zone is one of the IANA database, under any of its names", async () => {
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
          await refusedBy(resource, { [member]: odd }, "update"),
          new RegExp(`properties\\.${member}`),
        );
  });
});
