import * as assert from "uvu/assert";
import { declarations, type Field } from "../../../core/resources/index.ts";
import { suite } from "../../support/suite.ts";
import { openTenants, samples, type Tenants } from "./openTenants.ts";

suite("core/resources/declarations", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.after(() => tenants.close());

  test("every foreign key of the catalog has an index", async () => {
    const { rows } = await tenants.catalog.knex.raw(
      `select c.conrelid::regclass as table, a.attname as column from pg_constraint c
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f'
          and not exists (select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum)`,
    );
    assert.equal(rows, []);
  });

  for (const [name, declaration] of declarations) {
    test(`${name}: fields are the columns of its table, of the same type and nullability`, async () => {
      const { rows } = await tenants.catalog.knex.raw(
        "select column_name, data_type, is_nullable from information_schema.columns where table_name = ? and table_schema = 'public'",
        [name],
      );
      const table = rows.map((row: Record<string, string>) => [
        row["column_name"],
        row["data_type"],
        row["is_nullable"] === "YES",
      ]);
      const fields = Object.entries(declaration.fields).map(([member, field]) => [
        member,
        field.storage,
        field.nullable,
      ]);
      const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
      assert.equal(table.sort(byName), fields.sort(byName));
    });

    test(`${name}: every association is of a known resource and stands on existing columns`, async () => {
      for (const [role, association] of Object.entries(declaration.associations)) {
        const other = declarations.get(association.resource);
        assert.ok(other, `${role} is of ${association.resource}`);
        if (association.kind === "one") assert.ok(declaration.fields[association.key], role);
        else if (association.kind === "many") assert.ok(other.fields[association.key], role);
        else {
          const { link, ownKey, otherKey, lookup } = association;
          const info = await tenants.catalog.knex(link.table).columnInfo();
          const needed = [...link.columns, ...link.uniqueBy, ownKey, otherKey, "updated_at"];
          assert.equal(
            needed.filter((column) => !(column in info)),
            [],
            role,
          );
          if (link.view)
            assert.equal(
              Object.keys(await tenants.catalog.knex(link.view).columnInfo()),
              Object.keys(info),
              role,
            );
          if (lookup) assert.ok(other.fields[lookup], role);
        }
        for (const [side, roleOnSide] of [
          [declaration, association.roles?.[0]],
          [other, association.roles?.[1]],
        ] as const)
          if (roleOnSide?.startsWith("organization"))
            assert.ok(side.inOrganization, `${role} needs ${roleOnSide}`);
      }
    });

    const { fields, actions } = declaration;
    const responseOnly = Object.entries(fields).filter(([, { on }]) => on.length === 0);

    if (actions.includes("create")) {
      test(`${name}: create sets no response-only member and ignores unknown ones`, async () => {
        const { ada, call, records } = tenants;
        const odd = {
          id: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
          created_at: "2000-01-01T00:00:00.000Z",
          unknown: 1,
          constructor: 1,
        };
        const poison = Object.fromEntries(
          responseOnly.map(([member, field]) => [member, poisonOf(field)]),
        );
        const body = { properties: { ...poison, ...odd, ...samples[name] } };
        const created = await call(ada, name, "create", body);
        const [row] = await records.find(name, { id: created.id });
        assert.ok(row);
        for (const [member] of responseOnly)
          assert.not.equal(
            plain(row[member]),
            plain(({ ...poison, ...odd } as Record<string, unknown>)[member]),
            member,
          );
        await call(ada, name, "delete", { id: created.id });
      });
    }
    if (actions.includes("update")) {
      test(`${name}: update sets no response-only and no create-only member`, async () => {
        const { ada, call, records } = tenants;
        const created = samples[name]
          ? await call(ada, name, "create", { properties: samples[name] })
          : { id: ada.organizationId };
        const [before] = await records.find(name, { id: created.id });
        const fixed = Object.entries(fields).filter(([, { on }]) => !on.includes("update"));
        const poison = Object.fromEntries(
          fixed.map(([member, field]) => [member, poisonOf(field)]),
        );
        const answer = await call(ada, name, "update", { id: created.id, properties: poison });
        const [after] = await records.find(name, { id: created.id });
        assert.is(answer.id, created.id);
        for (const [member] of fixed.filter(
          ([member]) => !["updated_at", "modified_at", "invalid"].includes(member),
        ))
          assert.equal(plain(after?.[member]), plain(before?.[member]), member);
        if (samples[name]) await call(ada, name, "delete", { id: created.id });
      });

      test(`${name}: every wrong type is refused by name, on update as on validate`, async () => {
        const { ada, call, refusal } = tenants;
        const created = samples[name]
          ? await call(ada, name, "create", { properties: samples[name] })
          : { id: ada.organizationId };
        for (const [member, field] of Object.entries(fields).filter(([, { on }]) =>
          on.includes("update"),
        )) {
          const wrong = field.storage === "boolean" ? "true" : true;
          const properties = { [member]: wrong };
          const { code, status, message, validation } = await refusal(ada, name, "update", {
            id: created.id,
            properties,
          });
          assert.equal(
            [code, status, Object.keys(validation ?? {})],
            ["MEMBER_INVALID", 400, [member]],
            member,
          );
          assert.ok(message.includes(`properties.${member}`), message);
          const verdict = await call(ada, name, "validate", { id: created.id, properties });
          assert.equal(verdict, { valid: false, message, validation } as unknown as typeof verdict);
        }
        if (samples[name]) await call(ada, name, "delete", { id: created.id });
      });
    }
  }
});

function poisonOf({ storage, default: fallback }: Field): unknown {
  const poison: Record<string, unknown> = {
    uuid: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    boolean: fallback !== true,
    "double precision": 424_242,
    jsonb: { poison: "poison" },
    "timestamp with time zone": "2000-01-01T00:00:00.000Z",
  };
  return poison[storage] ?? "poison";
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
