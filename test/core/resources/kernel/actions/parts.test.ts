import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { declarations } from "../../../../../core/resources/index.ts";
import { suite } from "../../../../support/suite.ts";
import { openTenantsFor } from "../../openTenants.ts";

/** Every association whose foreign key is in the record itself and that the caller can change. */
const keys = [...declarations.values()].flatMap(({ name, associations }) =>
  Object.entries(associations).flatMap(([role, association]) => {
    if (association.kind !== "one" || !association.roles) return [];
    const [, other] = association.roles;
    return other === "modify" || other === "own" ? [{ name, role, ...association }] : [];
  }),
);

/** Associations that have a foreign key, although neither of the two records is a part of the other. */
const noParts = ["alert.Schedule", "securable.Acceleration"];

suite("core/resources/kernel/actions: parts of records", (test) => {
  const tenants = openTenantsFor(test);

  test("each record that contains the key of an association is a part of the other record, or a listed exception", () => {
    const undeclared = keys
      .filter(({ isPart }) => !isPart)
      .map(({ name, role }) => `${name}.${role}`);
    assert.equal(undeclared.toSorted(), noParts);
    assert.equal(
      [...new Set(keys.filter(({ isPart }) => isPart).map(({ name }) => name))].toSorted(),
      ["column", "hierarchylevel", "schedule", "share"],
    );
  });

  for (const { name, role, resource, key } of keys.filter(({ isPart }) => isPart))
    test(`removing the ${role} of a ${name} requires the right to delete the ${name} and ownership of the ${resource}`, async () => {
      const { ada, ben, call, refusal, records, catalog } = tenants;
      const type = name === "share" ? ("dashboard" as const) : ("dataset" as const);
      const placeOf = async (owner: string) => {
        const values = { type, owner_id: owner, name: { en: "Place" } };
        const { id } = await records.insert("securable", { ...values, storage: "client" });
        if (resource === "securable") return { id, securableId: id };
        const column = { securable_id: id, type: "hierarchy", order: 0, user_id: owner };
        return { id: (await records.insert("column", column)).id, securableId: id };
      };
      const [from, to, third] = [
        await placeOf(ada.userId),
        await placeOf(ben.userId),
        await placeOf(ben.userId),
      ];
      const values = { [key]: from.id, user_id: ada.userId, name: { en: "Part" }, order: 0 };
      const id = name === "share" ? randomUUID() : undefined;
      const known = declarations.get(name)?.fields ?? {};
      const given = Object.fromEntries(
        Object.entries(values).filter(([member]) => Object.hasOwn(known, member)),
      );
      const part = await records.insert(name, { ...given, ...(id && { id }) });
      const target = (place: string) => ({ id: part.id, resource: { role, id: place } });
      const share = (flags: object) =>
        call(ada, "securable", "associate", {
          id: from.securableId,
          resource: { role: "Users", id: ben.userId },
          properties: flags,
        });
      await share({ flagModify: true });
      const refused = await refusal(ben, name, "associate", target(to.id));
      // Shares belong to their owner and do not exist for anyone else.
      assert.is(refused.status, name === "share" ? 404 : 403);
      await share({ flagOwn: true });
      if (Object.hasOwn(known, "user_id"))
        await catalog.knex(name).where({ id: part.id }).update({ user_id: ben.userId });
      await call(ben, name, "associate", target(to.id));
      await call(ben, name, "associate", target(to.id));
      await call(ben, name, "associate", target(third.id));
      const [moved] = await records.find(name, { id: part.id });
      assert.is(moved?.[key], third.id);
    });
});
