import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/automation/schedule", (test) => {
  const tenants = openTenantsFor(test);

  test("accelerations and schedules belong to a dataset, and invalid values for them are refused", async () => {
    const { ada, call, make } = tenants;
    const { id: dataset } = await call(ada, "securable", "create", {
      properties: { type: "dataset" },
    });
    const acceleration = await make(ada, "acceleration");
    const body = { id: dataset, resource: { role: "Acceleration", id: acceleration } };
    assert.match(
      String(await call(ada, "securable", "associate", body).catch(String)),
      /cannot be accelerated: its rows are already in the store of this host/,
    );
    await tenants.records.change("securable", dataset, { storage: "client" });
    const linked = await call(ada, "securable", "associate", {
      id: dataset,
      resource: { role: "Acceleration", id: acceleration },
    });
    assert.is(linked["acceleration_id"], acceleration);
    await call(ada, "acceleration", "delete", { id: acceleration });
    const [row] = await tenants.rows(ada, "securable", { where: { id: dataset } });
    assert.is(row?.["acceleration_id"], null);
    for (const [member, values] of Object.entries({
      load_type: ["some", null],
      data_storage_strategy: ["upsert"],
      schedule: [{}, { frequency_unit: "day" }, { frequency_unit: "eon", frequency_quantity: 1 }],
      primary_key_column_ids: [["odd"], [1], "x", Array.from({ length: 101 }, () => randomUUID())],
    }))
      for (const value of values)
        assert.match(
          await tenants.refusedBy("acceleration", { [member]: value }),
          new RegExp(`properties\\.${member}`),
        );
    for (const [member, values] of Object.entries({
      frequency_quantity: [0, -1, "1"],
      frequency_unit: ["eon"],
      frequency: [0],
      retries: [-1, 1.5],
      active: [null, 1],
      started_at: ["soon"],
    }))
      for (const value of values)
        assert.match(
          await tenants.refusedBy("schedule", { [member]: value }, "update"),
          new RegExp(`properties\\.${member}`),
        );
    const old = await call(ada, "schedule", "create", { properties: { frequency: 1440 } });
    assert.equal([old["frequency"], old["active"], old["task"]], [1440, true, null]);
  });

  test("a schedule needs an integer quantity, a unit and a valid time zone", async () => {
    const { ada, call, refusal } = tenants;
    for (const [properties, member] of [
      [{ frequency_unit: "day" }, "frequency_quantity"],
      [{ frequency_quantity: 2 }, "frequency_unit"],
      [{ frequency_unit: "day", frequency_quantity: 1.5 }, "frequency_quantity"],
      [{ frequency_unit: "day", frequency_quantity: 100_001 }, "frequency_quantity"],
      [{ frequency_unit: "days", frequency_quantity: 1 }, "frequency_unit"],
      [{ frequency: 0.5 }, "frequency"],
      [{ timezone: "Moon" }, "timezone"],
    ] as const) {
      const { status, message } = await refusal(ada, "schedule", "create", { properties });
      assert.is(status, 400);
      assert.match(message, new RegExp(`properties\\.${member} `));
      const checked = await call(ada, "schedule", "validate", { properties });
      assert.equal([checked["valid"], checked["message"]], [false, message]);
    }
    const id = await tenants.make(ada, "schedule");
    for (const properties of [{ frequency_quantity: 2 }, { frequency_unit: "week" }])
      await call(ada, "schedule", "update", { id, properties });
    const none = { frequency_unit: null, frequency_quantity: null, frequency: 1440 };
    await call(ada, "schedule", "update", { id, properties: none });
  });
});
