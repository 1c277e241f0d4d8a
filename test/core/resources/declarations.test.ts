import * as assert from "uvu/assert";
import { declarations, type Field } from "../../../core/resources/index.ts";
import { suite } from "../../support/suite.ts";
import { openTenantsFor } from "./openTenants.ts";

/**
 * Links that accept only particular records: a dashboard that has a dataset, and the only filter group of the
 * organization.
 */
const special = ["securable_dataset", "embedfiltergroup_securable"];

suite("core/resources/declarations", (test) => {
  const tenants = openTenantsFor(test);
  interface Column {
    readonly table_name: string;
    readonly column_name: string;
    readonly data_type: string;
    readonly is_nullable: string;
  }
  let columns: ReadonlyMap<string, readonly Column[]>;
  test.before(async () => {
    const found = await tenants.catalog.knex.raw<{ rows: Column[] }>(
      "select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'public'",
    );
    columns = Map.groupBy(found.rows, (column) => column.table_name);
  });
  /** Records of Ada, for tests that do not change them. One record per resource is enough. */
  const ofAda = new Map<string, Promise<string>>();
  const shared = (name: string, side: "own" | "other"): Promise<string> => {
    const made = ofAda.get(`${side} ${name}`) ?? tenants.make(tenants.ada, name);
    ofAda.set(`${side} ${name}`, made);
    return made;
  };
  const columnsOf = (table: string) => columns.get(table) ?? [];
  const columnNamesOf = (table: string) => columnsOf(table).map((column) => column.column_name);

  test("every foreign key in the catalog has an index", async () => {
    const { rows } = await tenants.catalog.knex.raw(
      `select c.conrelid::regclass as table, a.attname as column from pg_constraint c
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace
          and not exists (select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum)`,
    );
    assert.equal(rows, []);
  });

  for (const [name, declaration] of declarations) {
    test(`${name}: the declared fields match the columns of the table in type and nullability`, async () => {
      const table = columnsOf(name).map((column) => [
        column.column_name,
        column.data_type,
        column.is_nullable === "YES",
      ]);
      const fields = Object.entries(declaration.fields).map(([member, field]) => [
        member,
        field.storage,
        field.nullable,
      ]);
      const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
      assert.equal(table.sort(byName), fields.sort(byName));
    });

    test(`${name}: every association refers to a known resource and existing columns`, async () => {
      for (const [role, association] of Object.entries(declaration.associations)) {
        const other = declarations.get(association.resource);
        assert.ok(other, `${role} is of ${association.resource}`);
        if (association.kind === "one") assert.ok(declaration.fields[association.key], role);
        else if (association.kind === "many") assert.ok(other.fields[association.key], role);
        else {
          const { link, ownKey, otherKey, lookup } = association;
          const written = columnNamesOf(link.table);
          const read = columnNamesOf(link.view ?? link.table);
          assert.ok(written.length > 0 && read.length > 0, role);
          const settable = [...(link.flags ?? []), ...Object.keys(link.fields ?? {})];
          const needed = [...link.uniqueBy, ...settable, ownKey, otherKey, "updated_at"];
          const lacks = (names: readonly string[], has: readonly string[]) =>
            names.filter((column) => !has.includes(column));
          assert.equal(lacks(needed, written), [], role);
          assert.equal(lacks([...link.columns, ...written], read), [], role);
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

    test(`${name}: associate refuses members of a link that callers cannot set`, async () => {
      const { ada, bob, call, refusal, catalog } = tenants;
      const poison = "2000-01-01T00:00:00.000Z";
      for (const [role, association] of Object.entries(declaration.associations)) {
        if (association.kind !== "through" || !association.roles || association.lookup) continue;
        const { link, ownKey, otherKey } = association;
        if (special.includes(link.table)) continue;
        const mayBeSet = [...(link.flags ?? []), ...Object.keys(link.fields ?? {}), "type"];
        const fixed = columnNamesOf(link.view ?? link.table).filter(
          (column) => !mayBeSet.includes(column),
        );
        const odd = Object.fromEntries(
          fixed.map((column) => [
            column,
            column === "sso" ? true : column.endsWith("_at") ? poison : bob.userId,
          ]),
        );
        const id = name === "user" ? bob.userId : await shared(name, "own");
        const other =
          association.resource === "user"
            ? bob.userId
            : await shared(association.resource, "other");
        const target = { id, resource: { role, id: other } };
        const refused = await refusal(ada, name, "associate", { ...target, properties: odd });
        assert.is(refused.code, "MEMBER_UNKNOWN", role);
        await call(ada, name, "associate", target);
        const row = await catalog
          .knex(link.table)
          .where({ [ownKey]: id, [otherKey]: other })
          .first();
        assert.ok(row, role);
        assert.ok((row.created_at as Date).getFullYear() > 2000, role);
        assert.ok((row.updated_at as Date).getFullYear() > 2000, role);
        if ("sso" in row) assert.is(row.sso, false);
        await call(ada, name, "dissociate", { id, resource: { role, id: other } }).catch(
          (refused: { code?: string }) => assert.is(refused.code, "CONFLICT", role),
        );
      }
    });

    const { fields, actions } = declaration;
    const responseOnly = Object.entries(fields).filter(([, { on }]) => on.length === 0);

    if (actions.includes("create")) {
      test(`${name}: create refuses response-only and unknown members, and the error names each member`, async () => {
        const { ada, refusal } = tenants;
        const odd = {
          id: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
          created_at: "2000-01-01T00:00:00.000Z",
          unknown: 1,
          constructor: 1,
        };
        const poison = Object.fromEntries(
          responseOnly.map(([member, field]) => [member, poisonOf(field)]),
        );
        const base = await tenants.properties(ada, name);
        const inert = Object.keys(declaration.inert ?? {});
        const refused = await refusal(ada, name, "create", {
          properties: { ...poison, ...odd, ...base },
        });
        assert.is(refused.status, 400);
        const named = Object.keys(refused.validation ?? {}).toSorted();
        const expected = Object.keys({ ...poison, ...odd }).filter(
          (member) => !inert.includes(member),
        );
        assert.equal(named, expected.toSorted());
      });
    }
    if (actions.includes("update")) {
      test(`${name}: update refuses changed values of response-only and create-only members`, async () => {
        const { ada, call, refusal, rows } = tenants;
        const created = { id: await tenants.make(ada, name) };
        const inert = Object.keys(declaration.inert ?? {});
        const fixed = Object.entries(fields).filter(
          ([member, { on, storage }]) =>
            !on.includes("update") &&
            !inert.includes(member) &&
            (on.length > 0 || storage !== "timestamp with time zone"),
        );
        const poison = Object.fromEntries(
          fixed.map(([member, field]) => [member, poisonOf(field)]),
        );
        const refused = await refusal(ada, name, "update", { id: created.id, properties: poison });
        assert.is(refused.status, 400);
        assert.equal(
          Object.keys(refused.validation ?? {}).toSorted(),
          Object.keys(poison).toSorted(),
        );
        const [record = created] = await rows(ada, name, { where: created });
        const stated = Object.fromEntries(
          Object.entries(record).filter(
            ([member]) => fields[member]?.on.includes("update") === false,
          ),
        );
        const answer = await call(ada, name, "update", { id: created.id, properties: stated });
        assert.is(answer.id, created.id);
        if (actions.includes("delete")) await call(ada, name, "delete", { id: created.id });
      });

      test(`${name}: every string member has a maximum length`, async () => {
        const { ada, refusal } = tenants;
        const id = await shared(name, "own");
        const endless = "x".repeat(600_000);
        for (const [member, field] of Object.entries(fields)) {
          if (
            !field.on.includes("update") ||
            ["boolean", "double precision"].includes(field.storage)
          )
            continue;
          const isText = field.storage === "text" && !field.sealed;
          const value = isText || field.storage === "uuid" ? endless : { en: endless };
          if (!isText && !field.isMultilingual && field.storage !== "uuid") continue;
          const refused = await refusal(ada, name, "update", {
            id,
            properties: { [member]: value },
          });
          assert.equal(
            [refused.code, Object.keys(refused.validation ?? {})],
            ["MEMBER_INVALID", [member]],
          );
          assert.ok(refused.message.length < 1_000, `${member}: ${refused.message.length}`);
        }
      });

      test(`${name}: update and validate return an error for each member with a value of the wrong type`, async () => {
        const { ada, call, refusal } = tenants;
        const id = await shared(name, "own");
        for (const [member, field] of Object.entries(fields).filter(([, { on }]) =>
          on.includes("update"),
        )) {
          const wrong = field.storage === "boolean" ? "true" : true;
          const properties = { [member]: wrong };
          const { code, status, message, validation } = await refusal(ada, name, "update", {
            id,
            properties,
          });
          assert.equal(
            [code, status, Object.keys(validation ?? {})],
            ["MEMBER_INVALID", 400, [member]],
            member,
          );
          assert.ok(message.includes(`properties.${member}`), message);
          const verdict = await call(ada, name, "validate", { id, properties });
          assert.equal(verdict, { valid: false, message, validation } as unknown as typeof verdict);
        }
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
