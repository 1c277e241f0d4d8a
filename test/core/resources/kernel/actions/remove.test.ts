import * as assert from "uvu/assert";
import { declarations } from "../../../../../core/resources/index.ts";
import { suite } from "../../../../support/suite.ts";
import { openTenantsFor, samples } from "../../openTenants.ts";

suite("core/resources/kernel/actions/remove", (test) => {
  const tenants = openTenantsFor(test);

  test("deleting a dataset first removes its columns and then drops its rows in the store", async () => {
    const { ada, call, records, writes, held } = tenants;
    const { id } = await records.insert("securable", {
      type: "dataset",
      storage: "strata",
      owner_id: ada.userId,
    });
    held.push({ id, name: { en: "t" }, columns: [] });
    await records.insert("column", { order: 0, securable_id: id });
    assert.equal(await call(ada, "securable", "delete", { id }), { code: 200 } as never);
    assert.equal(writes, [{ action: "drop", id }]);
    held.length = 0;
    assert.equal(await records.find("column", {}), []);
    assert.equal(await records.find("securable", {}), []);
  });

  test("deleting a dashboard, or a dataset that the store does not contain, drops nothing in the store", async () => {
    const { ada, call, records, writes } = tenants;
    writes.length = 0;
    const live = await records.insert("securable", {
      type: "dataset",
      storage: "client",
      owner_id: ada.userId,
    });
    const board = await call(ada, "securable", "create", { properties: samples["securable"] });
    for (const { id } of [live, board]) await call(ada, "securable", "delete", { id });
    assert.equal(writes, []);
  });

  test("deleting an API key pair revokes it at once", async () => {
    const { bob, call, rows } = tenants;
    const { id } = await call(bob, "authorization", "create", {
      properties: samples["authorization"],
    });
    await call(bob, "authorization", "delete", { id });
    assert.not((await rows(bob, "authorization")).some((row) => row.id === id));
  });

  test("a user who owns records cannot be deleted, and the error lists the records", async () => {
    const { ada, ben, call, refusal, make, records } = tenants;
    const owned = [...declarations.values()].filter(({ ownedBy }) => ownedBy !== undefined);
    assert.ok(owned.length >= 10, `${owned.length} resources have owners`);
    const made: [string, string][] = [];
    for (const { name } of owned) {
      const who = name === "integration" ? ada : ben;
      const id = await make(who, name);
      if (who === ada) await records.change(name, id, { user_id: ben.userId });
      made.push([name, id]);
    }
    await call(ben, "securable", "create", { properties: samples["securable"] });
    const all = await refusal(ada, "user", "delete", { id: ben.userId });
    // The alert's query, the saved view and the saved question use three other securables, which the user owns too.
    assert.match(all.message, /5 securable/);
    for (const [name, id] of made) {
      const { code, message } = await refusal(ada, "user", "delete", { id: ben.userId });
      assert.equal([code, message.includes(` ${name}`)], ["CONFLICT", true], message);
      await records.remove(name, [id]);
    }
    const last = await refusal(ada, "user", "delete", { id: ben.userId });
    assert.match(last.message, /\(4 securable: (?:[0-9a-f-]{36}, ){3}…\)/);
    const left = await records.find("securable", { owner_id: ben.userId });
    await records.remove(
      "securable",
      left.map(({ id }) => id),
    );
    await make(ben, "aiconversation");
    await make(ben, "thumbnail");
    await call(ada, "user", "delete", { id: ben.userId });
    assert.equal(await records.find("aiconversation", { user_id: ben.userId }), []);
  });

  test("a user can be deleted once the user's records are gone", async () => {
    const { ada, bob, call, refusal } = tenants;
    const { id } = await call(bob, "securable", "create", { properties: samples["securable"] });
    const { code, message } = await refusal(ada, "user", "delete", { id: bob.userId });
    assert.equal([code, /securable/.test(message)], ["CONFLICT", true]);
    await call(bob, "securable", "delete", { id });
    await call(ada, "user", "delete", { id: bob.userId });
    assert.equal(await tenants.records.find("authorization", { user_id: bob.userId }), []);
  });
});
