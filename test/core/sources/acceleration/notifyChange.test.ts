import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { notifyChange } from "../../../../core/sources/acceleration/index.ts";
import type { Records } from "../../../../core/base/contracts/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

suite("core/sources/acceleration/notifyChange", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
  });
  test.after(() => catalog.close());

  /** Creates a plugin with two accelerated datasets, `one` and `other`. */
  const makePlugin = async () => {
    const user_id = (
      await records.insert("user", { name: "Ada", email: `${randomUUID()}@example.org` })
    ).id;
    const secret = randomUUID();
    const plugin = await records.insert("plugin", {
      slug: `p${randomUUID().slice(0, 8)}`,
      name: { en: "p" },
      base_url: "https://example.org",
      authorize: "none",
      secret,
      user_id,
      organization_id: (await records.insert("organization", { name: { en: "o" } })).id,
    });
    const account = await records.insert("account", {
      provider: "p",
      plugin_id: plugin.id,
      user_id,
    });
    const schedules: string[] = [];
    for (const source_sheet of ["one", "other"]) {
      const dataset = await records.insert("securable", {
        type: "dataset",
        storage: "client",
        account_id: account.id,
        owner_id: user_id,
        source_sheet,
      });
      await records.insert("datasetcopy", { securable_id: dataset.id });
      const { id } = await records.insert("schedule", {
        securable_id: dataset.id,
        task: "acceleration",
        active: true,
        user_id,
      });
      schedules.push(id);
    }
    return { pluginId: plugin.id, secret, schedules };
  };
  const isDue = async (ids: readonly string[]) => {
    const rows = await records.find("schedule", { id: [...ids] });
    return ids.map((id) => rows.find((row) => row.id === id)?.scheduled_at !== null);
  };
  const context = () => ({ records, knex: catalog.transactions });

  test("after a plugin's notification, only the datasets that it names are due for a load", async () => {
    const [plugin, other] = [await makePlugin(), await makePlugin()];
    const { pluginId, secret } = plugin;
    const body = { event: "data_changed", datasets: ["one", "unknown"] };
    assert.equal(await notifyChange({ pluginId, secret, body }, context()), { count: 1 });
    assert.equal(await isDue(plugin.schedules), [true, false]);
    const all = { pluginId, secret, body: { event: "data_changed" } };
    assert.equal(await notifyChange(all, context()), { count: 2 });
    assert.equal(await isDue(plugin.schedules), [true, true]);
    assert.equal(await isDue(other.schedules), [false, false]);
  });

  test("a notification with another plugin's secret is rejected like any wrong secret", async () => {
    const [plugin, other] = [await makePlugin(), await makePlugin()];
    const body = { event: "data_changed" };
    for (const secret of [other.secret, "", undefined]) {
      const { code } = await refusal(
        notifyChange({ pluginId: plugin.pluginId, secret, body }, context()),
      );
      assert.is(code, "UNAUTHORIZED");
    }
    assert.equal(await isDue(plugin.schedules), [false, false]);
  });

  test("a notification during a load makes the dataset due again a little later", async () => {
    const { pluginId, secret, schedules } = await makePlugin();
    const [schedule] = await records.find("schedule", { id: schedules });
    const [copy] = await records.find("datasetcopy", {
      securable_id: String(schedule?.securable_id),
    });
    await records.change("datasetcopy", String(copy?.id), { started_at: new Date() });
    await notifyChange({ pluginId, secret, body: { event: "data_changed" } }, context());
    const [after] = await records.find("schedule", { id: String(schedule?.id) });
    assert.ok(Number(after?.scheduled_at) > Date.now() + 1000);
  });
});
