import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { declarations } from "../../../core/resources/index.ts";
import { rulesOf } from "../../../core/resources/kernel/index.ts";
import { suite } from "../../support/suite.ts";
import { openTenantsFor } from "./openTenants.ts";

const owned = [...declarations.values()].filter(({ ownedBy }) => ownedBy !== undefined);

/** The association that sets a resource's owner, if it can be changed. */
const transferable = owned.flatMap((declaration) => {
  if (declaration.goesWithOwner) return [];
  const named = Object.entries(declaration.associations).find(
    ([, one]) => one.kind === "one" && one.key === declaration.ownedBy && one.roles,
  );
  return named ? [[declaration, named[0]] as const] : [];
});

suite("core/resources/ownership", (test) => {
  const tenants = openTenantsFor(test);

  const ownerOf = async (resource: string, id: string): Promise<unknown> => {
    const { ownedBy = "" } = declarations.get(resource) ?? {};
    return (await tenants.records.find(resource, { id }))[0]?.[ownedBy];
  };

  test("an owner can transfer a record to another user, who becomes the only owner", async () => {
    const { ada, call, make, addUser, records, refusal } = tenants;
    const zoe = await addUser(ada, "zoe", {}, { flagOwn: true, flagEditor: true });
    assert.ok(transferable.length >= 7, String(transferable.length));
    for (const [{ name }, role] of transferable) {
      const id = await make(ada, name);
      const resource = { role, id: zoe.userId };
      await call(ada, name, "associate", { id, resource });
      assert.is(await ownerOf(name, id), zoe.userId, name);
      assert.is((await records.visible(name, [id], "own", zoe)).size, 1, name);
      assert.is((await records.visible(name, [id], "own", ada)).size, 0, name);
      const ended = await refusal(zoe, name, "dissociate", { id, resource });
      assert.is(ended.code, "CONFLICT", name);
      assert.match(ended.message, /must have an owner; associate another/);
      assert.is(await ownerOf(name, id), zoe.userId, name);
    }
  });

  test("nobody can take over another person's record, or transfer a record to a user of another organization", async () => {
    const { ada, ben, bob, eve, call, make, refusal } = tenants;
    for (const [{ name }, role] of transferable) {
      const id = await make(ada, name);
      const take = { id, resource: { role, id: ben.userId } };
      assert.is((await refusal(ben, name, "associate", take)).status, 404, name);
      const away = { id, resource: { role, id: eve.userId } };
      assert.is((await refusal(ada, name, "associate", away)).status, 404, name);
      assert.is(await ownerOf(name, id), ada.userId, name);
    }
    const id = await make(ada, "securable");
    const share = { id, resource: { role: "Users", id: ben.userId } };
    await call(ada, "securable", "associate", { ...share, properties: { flagModify: true } });
    const take = { id, resource: { role: "Owner", id: ben.userId } };
    assert.is((await refusal(ben, "securable", "associate", take)).code, "FORBIDDEN");
    const own = await make(bob, "securable");
    const give = { id: own, resource: { role: "Owner", id: ben.userId } };
    assert.is(
      (await refusal(bob, "securable", "associate", give)).status,
      403,
      "a member finds no users",
    );
  });

  test("only an owner of the organization can become the owner of an integration", async () => {
    const { ada, ben, make, refusal } = tenants;
    const id = await make(ada, "integration");
    const give = { id, resource: { role: "Owner", id: ben.userId } };
    const { code, message } = await refusal(ada, "integration", "associate", give);
    assert.equal([code, /owners of the organization/.test(message)], ["CONFLICT", true]);
  });

  test("a deleted user's records go to the successor, but the user's alerts are deleted", async () => {
    const { ada, call, make, addUser, records, refusal, catalog } = tenants;
    const leaver = await addUser(ada, "leaver", {}, { flagOwn: true, flagEditor: true });
    const heir = await addUser(ada, "heir", {}, { flagOwn: true, flagEditor: true });
    const made = new Map<string, string>();
    for (const { name } of owned) made.set(name, await make(leaver, name));
    const refused = await refusal(ada, "user", "delete", { id: leaver.userId });
    assert.match(refused.message, /successor_id/);
    for (const [name, id] of made) assert.ok(refused.message.includes(id), name);
    const properties = { successor_id: heir.userId };
    await call(ada, "user", "delete", { id: leaver.userId, properties });
    assert.equal(await records.find("user", { id: leaver.userId }), []);
    for (const [name, id] of made) {
      assert.is(await ownerOf(name, id), name === "alert" ? undefined : heir.userId, name);
      const [event] = await catalog
        .knex("auditevent")
        .where({ record_id: id, user_id: ada.userId, resource: name });
      assert.equal(
        [event?.action, event?.members],
        name === "alert" ? ["delete", []] : ["update", [declarations.get(name)?.ownedBy]],
        name,
      );
    }
  });

  test("a successor must be another user of the organization who can own the records", async () => {
    const { ada, eve, call, make, addUser, refusal, records } = tenants;
    const leaver = await addUser(ada, "second leaver", {}, { flagOwn: true, flagEditor: true });
    const plain = await addUser(ada, "plain", {});
    await make(leaver, "integration");
    const attempt = (successor_id: unknown, who = ada) =>
      refusal(who, "user", "delete", { id: leaver.userId, properties: { successor_id } });
    for (const unknown of [leaver.userId, eve.userId, randomUUID()])
      assert.is((await attempt(unknown)).code, "RECORD_NOT_FOUND");
    assert.is((await attempt("x")).code, "MEMBER_INVALID");
    assert.match((await attempt(plain.userId)).message, /integrations/);
    assert.is((await attempt(plain.userId, plain)).status, 404);
    assert.is((await records.find("user", { id: leaver.userId })).length, 1);
    const self = await make(plain, "collection");
    const give = { id: plain.userId, properties: { successor_id: ada.userId } };
    assert.is((await refusal(plain, "user", "delete", give)).code, "FORBIDDEN");
    assert.is(await ownerOf("collection", self), plain.userId);
    await call(plain, "collection", "delete", { id: self });
    await call(plain, "user", "delete", { id: plain.userId, properties: {} });
  });

  test("records that a deleted user had created on another user's record are kept", async () => {
    const { ada, call, make, addUser, records } = tenants;
    const guest = await addUser(ada, "guest");
    const properties = { type: "dataset", name: { en: "Trips" } };
    const { id } = await call(ada, "securable", "create", { properties });
    const share = { id, resource: { role: "Users", id: guest.userId } };
    await call(ada, "securable", "associate", { ...share, properties: { flagModify: true } });
    const kept = await make(guest, "column");
    const free = await make(guest, "column");
    const level = await make(guest, "hierarchylevel");
    const loose = await make(guest, "hierarchylevel");
    const target = { role: "Securable", id };
    await call(guest, "column", "associate", { id: kept, resource: target });
    const onColumn = { role: "Column", id: kept };
    await call(guest, "hierarchylevel", "associate", { id: level, resource: onColumn });
    await call(ada, "user", "delete", { id: guest.userId });
    const left = async (resource: string, ids: readonly string[]) =>
      (await records.find(resource, { id: ids })).map((row) => row.id);
    assert.equal(await left("column", [kept, free]), [kept]);
    assert.equal(await left("hierarchylevel", [level, loose]), [level]);
  });

  test("neither a connection that datasets use nor a plugin that connections use can be deleted", async () => {
    const { ada, bob, call, make, refusal, records } = tenants;
    const plugin = await make(ada, "plugin");
    const account = await make(ada, "account");
    await records.change("account", account, { plugin_id: plugin });
    const datasetOf = (owner_id: string) =>
      records.insert("securable", {
        type: "dataset",
        storage: "client",
        account_id: account,
        owner_id,
      });
    const hidden = await datasetOf(bob.userId);
    const unseen = await refusal(ada, "account", "delete", { id: account });
    assert.is(unseen.code, "CONFLICT");
    assert.match(
      unseen.message,
      /^1 dataset, which you cannot see, cannot be queried without this connection; ask an owner/,
    );
    const seen = await datasetOf(ada.userId);
    const { message } = await refusal(ada, "account", "delete", { id: account });
    assert.match(
      message,
      new RegExp(`^2 datasets cannot be queried .*: ${seen.id} and 1 more; delete them first`),
    );
    assert.match(
      (await refusal(ada, "plugin", "delete", { id: plugin })).message,
      new RegExp(`^1 connection cannot work without this plugin: .*${account}; delete it first`),
    );
    await call(ada, "securable", "delete", { id: seen.id });
    await call(bob, "securable", "delete", { id: hidden.id });
    await call(ada, "account", "delete", { id: account });
    await call(ada, "plugin", "delete", { id: plugin });
  });

  test("every resource with owners declares whether and how its owner can change", () => {
    const fixed = owned
      .filter(({ name }) => !transferable.some(([declaration]) => declaration.name === name))
      .map(({ name }) => name);
    assert.equal(fixed.toSorted(), [
      "acceleration",
      "alert",
      "savedquestion",
      "savedview",
      "share",
    ]);
    for (const [declaration, role] of transferable) {
      const rule = rulesOf(declaration).find(
        ({ action, association }) => action === "associate" && association === role,
      );
      assert.equal([rule?.own, rule?.other], ["own", "organizationEditor"], declaration.name);
    }
  });
});
