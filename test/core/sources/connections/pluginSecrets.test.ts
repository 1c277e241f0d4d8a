import * as assert from "uvu/assert";
import { definePlugin, serve, type Served } from "../../../../plugins/sdk/index.ts";
import { refused } from "../../../support/refused.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People } from "../../openPeople.ts";

suite("core/host: changing the secret of a plugin", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let served: Served;
  let pluginId = "";
  let accountId = "";
  const plugin = definePlugin({
    datasets: [{ id: "trips", columns: [{ id: "km", type: "numeric" }] }],
    rows: () => [[3]],
  });
  const listen = (secret: string | readonly string[], port = 0) =>
    serve(plugin, { secret, port, onError: () => undefined });
  const relisten = async (secret: string | readonly string[]) => {
    await served.close();
    served = await listen(secret, Number(new URL(served.url).port));
  };
  const offered = () =>
    people.owner.get("dataprovider", { provider: "trips", account_id: accountId });
  const notify = async (secret: string) => {
    const response = await fetch(`${people.host.url}/notify/plugin/${pluginId}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Secret": secret },
      body: JSON.stringify({ event: "data_changed" }),
    });
    return response.status;
  };
  const change = (properties: Readonly<Record<string, unknown>>) =>
    people.owner.update("plugin", pluginId, properties);

  test.before(async () => {
    catalog = await openTestCatalog();
    people = await openPeople({ databaseUrl: catalog.databaseUrl });
    served = await listen("the-first-secret");
    const made = await people.owner.create<{ id: string }>("plugin", {
      slug: "trips",
      name: { en: "Trips" },
      base_url: served.url,
      protocol_version: "3.0.0",
      authorize: "none",
    });
    pluginId = made.id;
    await change({ new_secret: "the-first-secret", keep_secret_hours: 0 });
    const account = { provider: "trips", name: "trips" };
    accountId = (await people.owner.create<{ id: string }>("account", account)).id;
  });
  test.after(async () => {
    await served?.close();
    await people?.close();
    await catalog?.close();
  });

  test("a new record can have the secret that the plugin already requires, and no answer contains it", async () => {
    const properties = {
      slug: "chosen",
      name: { en: "Chosen" },
      base_url: served.url,
      protocol_version: "manifold-1",
      new_secret: "the-first-secret",
    } as const;
    const made = await people.owner.create<{ id: string }>("plugin", properties);
    assert.not("secret" in made);
    assert.not("warnings" in made, JSON.stringify(made));
    const read = await people.owner.get("plugin", { where: { id: made.id } });
    assert.not.match(JSON.stringify([made, read]), "the-first-secret");
    const generated = await people.owner.create<{ id: string; secret: string }>("plugin", {
      ...properties,
      slug: "generated",
      new_secret: undefined,
    });
    assert.ok(generated.secret.length > 30);
    for (const setEmpty of [
      () => people.owner.create("plugin", { ...properties, slug: "empty", new_secret: "" }),
      () => people.owner.update("plugin", made.id, { new_secret: "" }),
    ])
      assert.match((await refused(setEmpty())).message, /new_secret.*have at least one character/);
    for (const { id } of [made, generated]) await people.owner.delete("plugin", id);
  });

  test("host and plugin accept each other while the plugin has the previous secret, the new secret or both", async () => {
    await offered();
    const shown = await change({ new_secret: "the-second-secret" });
    const { previous_secret_until: until } = shown;
    assert.ok(Math.abs(Date.parse(String(until)) - Date.now() - 86_400_000) < 60_000);
    assert.not(/the-(first|second)-secret/.test(JSON.stringify(shown)));
    await offered();
    await relisten(["the-first-secret", "the-second-secret"]);
    await offered();
    await relisten("the-second-secret");
    await offered();
    assert.equal(
      await Promise.all(["the-first-secret", "the-second-secret", "another", ""].map(notify)),
      [200, 200, 401, 401],
    );
  });

  test("the previous secret expires on time, or at once at an owner's request", async () => {
    await relisten("the-first-secret");
    await offered();
    const past = new Date(Date.now() - 1_000);
    await catalog.knex("plugin").where({ id: pluginId }).update({ previous_secret_until: past });
    await change({ color: "#112233" });
    assert.is(await notify("the-first-secret"), 401);
    const over = await refused(offered());
    assert.is(over.status, 403);
    assert.not(/the-(first|second)-secret/.test(JSON.stringify(over)));
    await relisten("the-third-secret");
    await change({ new_secret: "the-third-secret" });
    assert.is(await notify("the-second-secret"), 200);
    await change({ keep_secret_hours: 0 });
    assert.equal(
      await Promise.all(["the-second-secret", "the-third-secret"].map(notify)),
      [401, 200],
    );
    await offered();
  });

  test("a secret change is audited without values, and is refused for invalid hours or callers without rights", async () => {
    const events: readonly { members: readonly string[] }[] = await catalog
      .knex("auditevent")
      .where({ resource: "plugin", action: "update", record_id: pluginId });
    assert.ok(events.some(({ members }) => members.includes("new_secret")));
    assert.not(/-secret"/.test(JSON.stringify(events).replaceAll("new_secret", "")));
    for (const properties of [
      { keep_secret_hours: 5 },
      { new_secret: "x", keep_secret_hours: -1 },
      { new_secret: "x", keep_secret_hours: 721 },
      { new_secret: "x", keep_secret_hours: "1" },
    ])
      assert.match((await refused(change(properties))).message, "keep_secret_hours");
    const stranger = await people.add("Bo");
    const { status } = await refused(stranger.update("plugin", pluginId, { new_secret: "x" }));
    assert.is(status, 404);
    assert.is(await notify("the-third-secret"), 200);
  });
});
