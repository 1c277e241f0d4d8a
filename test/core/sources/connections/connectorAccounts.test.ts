// This file costs more than three seconds, because it makes dozens of connections to a PostgreSQL server.
import * as assert from "uvu/assert";
import type { Credentials } from "../../../../plugins/protocol/index.ts";
import { openCatalog } from "../../../../core/catalog/index.ts";
import { checkAccounts } from "../../../../core/operating/doctor/checks/checkAccounts.ts";
import { eventually } from "../../../support/eventually.ts";
import { openTestDatabase, silentLog } from "../../../support/catalog.ts";
import { forwardSocket, type Forwarded } from "../../../support/forwardSocket.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../../support/postgresDatabase.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Offered {
  readonly count: number;
  readonly rows: readonly Json[];
  readonly data: readonly Json[];
}
interface Made {
  readonly count: number;
  readonly data: readonly (Json & { readonly id: string; readonly columns: readonly Json[] })[];
}

const password = "canary-password";

suite("core/host with connectors", (test) => {
  let people: People;
  let forwarded: Forwarded;
  let database: PostgresDatabase;
  let owner: Person;
  let reader: Credentials;
  let accountId: string;
  let records: Awaited<ReturnType<typeof openTestDatabase>>;
  test.before(async () => {
    database = await openPostgresDatabase();
    const { host, port } = database.server;
    forwarded = await forwardSocket(`${host}/.s.PGSQL.${port}`);
    records = await openTestDatabase();
    people = await openPeople({
      egressAllow: [`127.0.0.1:${forwarded.port}`],
      databaseUrl: records.databaseUrl,
    });
    owner = people.owner;
    const user = `reader_${database.database}`;
    await database.run(`
      create schema sales;
      create schema other;
      create table sales.trips (id int primary key, city text, km numeric(8, 2), day date, tenant text);
      insert into sales.trips values
        (1, 'Ghent', 3.5, '2024-01-05', 'north'), (2, 'Lille', 4, '2024-02-05', 'south'),
        (3, 'Ghent', null, '2024-03-05', 'north'), (4, null, 1, null, 'south');
      create view sales.long_trips as select id, city from sales.trips where km > 3;
      create materialized view sales.towns as select distinct city from sales.trips;
      create table sales."odd.name ""x""" (a int);
      create table other.trips (a int);
      create role ${user} login password '${password}';
      grant usage on schema sales, other to ${user};
      grant select on all tables in schema sales, other to ${user};`);
    reader = {
      host: forwarded.host,
      key: user,
      token: password,
      properties: {
        port: String(forwarded.port),
        scope: database.database,
        ssl: "disable",
      },
    };
    accountId = (await connect()).id;
  });
  test.after(async () => {
    const user = reader.key;
    await people.close();
    await records.close();
    await forwarded.close();
    await database.run(`drop owned by ${user} cascade`);
    await database.close();
  });

  const values = (changed: Json = {}): Json => {
    const { port, scope, ssl } = reader.properties;
    return {
      provider: "postgresql",
      name: "sales",
      host: reader.host,
      port,
      scope,
      identifier: reader.key,
      token: password,
      properties: { ssl },
      ...changed,
    };
  };
  const connect = (changed: Json = {}, by = owner) =>
    by.create<Json & { id: string }>("account", values(changed));
  const make = async (properties: Json, by = owner) => {
    const { data } = await by.create<Made>("dataprovider", {
      provider: "postgresql",
      account_id: accountId,
      ...properties,
    });
    const [dataset] = data;
    assert.ok(dataset);
    const columns = Object.fromEntries(
      dataset.columns.map(({ id, source_name }) => [String(source_name), String(id)]),
    );
    return { dataset, id: dataset.id, columns };
  };
  const sendQuery = async (find: Json, by: Person = owner) => {
    const { data } = await by.get<{ data: readonly (readonly unknown[])[] }>("data", find);
    return data.map((row) =>
      row.map((cell) =>
        typeof cell === "object" && cell !== null && "id" in cell ? cell.id : cell,
      ),
    );
  };

  const doctor = async () => {
    const { databaseUrl } = records;
    const catalog = await openCatalog({ databaseUrl, dataDir: "", log: silentLog });
    try {
      const findings = await checkAccounts(catalog);
      return findings.map(({ state, check, text }) => `${state} ${check} ${text}`).join("\n");
    } finally {
      await catalog.close();
    }
  };

  test("a connector's account can be queried, and no answer shows its secret", async () => {
    const { id, plugin_id, provider, properties, synced } = await connect();
    assert.equal([plugin_id, provider, synced], [null, "postgresql", false]);
    assert.equal(properties, { ssl: "disable" });
    const [row] = (await owner.get("account", { where: { id } })).rows;
    assert.not.match(JSON.stringify(row), password);
    assert.is(row?.["connector_properties"], undefined);
  });

  for (const [what, changed, code, pattern] of [
    ["no host", { host: null }, 400, /properties\.host/],
    ["no user", { identifier: "" }, 400, /properties\.identifier/],
    ["a port that is not a number", { port: "54x" }, 400, /properties\.port .*1 to 65535/],
    ["port 0", { port: 0 }, 400, /properties\.port/],
    ["a fractional port", { port: 1.5 }, 400, /properties\.port .*whole number from 0 to 65535/],
    ["a port that is a list", { port: [1] }, 400, /properties\.port .*a port number/],
    ["a host of 5,000 letters", { host: "a".repeat(5000) }, 422, /host must be a host name/],
    [
      "a password in its host, which everybody who sees the account can read",
      { host: "postgres://ada:canary-own@db.example.org/x" },
      422,
      /host must not contain a password/,
    ],
    [
      "an invalid certificate",
      { properties: { ssl: "disable", ca: "x" } },
      422,
      /properties\.ca must be certificates/,
    ],
    [
      "an unknown property",
      { properties: { sslmode: "x" } },
      400,
      /properties\.properties\.sslmode/,
    ],
    [
      "another TLS mode",
      { properties: { ssl: "maybe" } },
      400,
      /properties\.properties\.ssl .*must be one of disable/,
    ],
    [
      "an object instead of a string",
      { properties: { schema: {} } },
      400,
      /properties\.properties\.schema .*must be a string/,
    ],
    [
      "an unknown provider",
      { provider: "oracle" },
      400,
      /clickhouse, .*mariadb, mysql, postgresql/,
    ],
    ["a private address", { host: "10.11.12.13" }, 422, /MANIFOLD_EGRESS_ALLOW/],
    ["a socket of this machine", { host: "/var/run/postgresql" }, 422, /./],
    ["a wrong password", { token: "canary-wrong" }, 403, /./],
    ["an unknown database", { scope: "nowhere_at_all" }, undefined, /nowhere_at_all|database/],
  ] as const)
    test(`creating an account with ${what} fails`, async () => {
      const before = (await owner.get("account")).count;
      const failure = await refused(connect(changed));
      if (code !== undefined) assert.is(failure.status, code);
      assert.match(failure.message, pattern);
      assert.not.match(JSON.stringify(failure.message), "canary");
      assert.is((await owner.get("account")).count, before);
    });

  test("`create`, `update` and `validate` warn about capabilities that are not exact in the account's database", async () => {
    const latin = await openPostgresDatabase(
      "encoding 'LATIN1' locale_provider 'libc' locale 'C' template template0",
    );
    try {
      const scope = latin.database;
      const warned = [/filters\.operators\.like is not used: matching parts of text/];
      const check = ({ warnings = [] }: Json) => {
        assert.ok(Array.isArray(warnings) && warnings.length === warned.length, String(warnings));
        warned.forEach((pattern, index) => assert.match(String(warnings[index]), pattern));
      };
      const made = await connect({ scope });
      check(made);
      check(await owner.update<Json>("account", made.id, { scope }));
      assert.is(
        (await owner.update<Json>("account", made.id, { name: "x" }))["warnings"],
        undefined,
      );
      const before = (await owner.get("account")).count;
      const checked = await owner.validate<Json>("account", values({ scope }));
      assert.is(checked["valid"], true);
      check(checked);
      assert.is((await owner.get("account")).count, before);
      await owner.delete("account", made.id);
    } finally {
      await latin.close();
    }
  });

  test("creating, reading or testing an account returns a warning while the account's database role can write", async () => {
    const writer = `writer_${database.database}`;
    await database.run(`
      create role ${writer} login password '${password}';
      grant usage on schema sales to ${writer};
      grant select, insert on sales.trips to ${writer}`);
    const changed = { identifier: writer, name: "Writer" };
    const shown = async (id: string) =>
      (await owner.get("account", { where: { id } })).rows[0]?.["access_warnings"];
    const named = /^the role "writer_\w+" may write to 1 table \(sales\.trips\)/;
    const made = await connect(changed);
    assert.match(String(made["warnings"]), named);
    assert.match(String(await shown(made.id)), named);
    const tested = await owner.validate<Json>("account", values(changed));
    assert.is(tested["valid"], true);
    assert.match(String(tested["warnings"]), named);
    assert.match(await doctor(), /weak accounts Writer of .+: the role "writer_\w+" may write/);
    const safe = await owner.update<Json>("account", made.id, {
      identifier: reader.key,
      token: password,
    });
    assert.equal([safe["warnings"], await shown(made.id)], [undefined, null]);
    assert.match(await doctor(), /^good accounts no account/);
    await owner.delete("account", made.id);
    await database.run(`drop owned by ${writer}; drop role ${writer}`);
  });

  test("running a query updates the warnings of its account", async () => {
    const grown = `grown_${database.database}`;
    await database.run(`
      create role ${grown} login password '${password}';
      grant usage on schema sales to ${grown};
      grant select on sales.trips to ${grown}`);
    // The check of the first credentials is cached for a minute. Another database user is checked separately.
    const { id } = await connect({ identifier: grown });
    const { knex, close } = await openCatalog({
      databaseUrl: records.databaseUrl,
      dataDir: "",
      log: silentLog,
    });
    try {
      await knex("account")
        .where({ id })
        .update({ access_warnings: JSON.stringify(["stale"]) });
    } finally {
      await close();
    }
    const { data } = await owner.create<Made>("dataprovider", {
      provider: "postgresql",
      account_id: id,
      tables: [{ schema: "sales", table: "trips" }],
    });
    const [dataset] = data;
    const measures = [{ dataset_id: dataset?.id, column_id: dataset?.columns[0]?.["id"] }];
    await sendQuery({ measures });
    const row = (await owner.get("account", { where: { id } })).rows[0];
    assert.is(row?.["access_warnings"], null);
    await owner.delete("securable", String(dataset?.id));
    await owner.delete("account", id);
    await database.run(`drop owned by ${grown}; drop role ${grown}`);
  });

  test("validating an account returns the source's error message without secrets", async () => {
    assert.equal(await owner.validate("account", values()), { valid: true });
    const body = { action: "validate", id: accountId, properties: { token: "canary-wrong" } };
    const ofUpdate = await people.call("account", { ...owner.pair, ...body });
    assert.is(ofUpdate.body["valid"], false);
    const byNobody = await people.call("account", {
      ...(await people.add("mallory")).pair,
      ...body,
    });
    assert.is(byNobody.status, 404);
    assert.equal(await owner.validate("account", { name: "not yet a connection" }), {
      valid: true,
    });
    for (const [changed, pattern] of [
      [{ token: "canary-wrong" }, /password|credentials/],
      [{ host: "10.11.12.13" }, /MANIFOLD_EGRESS_ALLOW/],
      [{ properties: { ssl: "sometimes" } }, /ssl/],
    ] as const) {
      const { valid, message } = await owner.validate<Json>("account", values(changed));
      assert.is(valid, false);
      assert.match(String(message), pattern);
      assert.not.match(String(message), "canary");
    }
  });

  test("nobody can see or use another person's account", async () => {
    const eve = await people.add("eve");
    assert.is((await eve.get("account", { where: { id: accountId } })).count, 0);
    const failure = await refused(eve.get("dataprovider", { account_id: accountId }));
    assert.is(failure.status, 404);
    const made = await refused(make({ query: "select 1 as a" }, eve));
    assert.is(made.status, 404);
  });

  test("`dataprovider` lists schemas, tables and views, with the same list under `rows` and `data`", async () => {
    const offered = (await owner.get("dataprovider", {
      provider: "postgresql",
      account_id: accountId,
    })) as unknown as Offered;
    assert.equal(offered.rows, offered.data);
    assert.is(offered.count, offered.rows.length);
    assert.equal(
      offered.rows.map(({ schema, table, type }) => [schema, table, type]),
      [
        ["other", "trips", "table"],
        ["sales", "long_trips", "view"],
        ["sales", 'odd.name "x"', "table"],
        ["sales", "towns", "materialized view"],
        ["sales", "trips", "table"],
      ],
    );
  });

  test("`create` accepts {schema, table}, and the error for a missing or ambiguous table names the table", async () => {
    const { dataset, id, columns } = await make({ tables: [{ schema: "sales", table: "trips" }] });
    assert.equal(
      [dataset["storage"], dataset["subtype"], dataset["source_sheet"], dataset["source_query"]],
      ["client", "postgresql", "sales.trips", null],
    );
    assert.equal(
      await sendQuery({
        dimensions: [{ dataset_id: id, column_id: columns["city"] }],
        measures: [{ dataset_id: id, column_id: columns["km"] }],
      }),
      [
        ["Ghent", 3.5],
        ["Lille", 4],
        [null, 1],
      ],
    );
    const odd = await make({ tables: [{ schema: "sales", table: 'odd.name "x"' }] });
    assert.equal(Object.keys(odd.columns), ["a"]);
    const twice = await refused(make({ tables: [{ table: "trips" }] }));
    assert.match(twice.message, /more than one "trips"; it offers: "other.trips", "sales.trips"/);
    const none = await refused(make({ tables: [{ schema: "sales", table: "gone" }] }));
    assert.match(none.message, /properties\.tables\[0\] .*no "sales.gone"/);
    const odd5 = await refused(make({ tables: [{ schema: 5, table: "trips" }] }));
    assert.match(odd5.message, /properties\.tables\[0\]\.schema .*must be a string, not a number/);
  });

  test("a schema in a token's override replaces the schema of the dataset", async () => {
    await database.run("create table other.trips_like (like sales.trips)");
    await database.run(`grant select on other.trips_like to ${reader.key}`);
    const { id, columns } = await make({ tables: [{ schema: "sales", table: "trips" }] });
    const token = await people.mint({
      access: { datasets: [{ id, rights: "use" }] },
      account_overrides: {
        [accountId]: { datasets: { [id]: { schema: "other", table: "trips_like" } } },
      },
    });
    const measures = [{ dataset_id: id, column_id: columns["km"], aggregation: { type: "count" } }];
    assert.equal(await sendQuery({ measures }), [[3]]);
    assert.equal(await sendQuery({ measures }, token), [[0]]);
  });

  test("a dataset with an SQL statement can be described, filtered and grouped, and tokens cannot read the SQL", async () => {
    const { dataset, id, columns } = await make({
      query:
        "with t as (select city, km, day from sales.trips -- all\n) select city as town, km * 2 as double_km, day from t;",
      name: "Doubled",
    });
    assert.equal(dataset["name"], { en: "Doubled" });
    assert.equal(
      dataset.columns.map(({ source_name, type, subtype }) => [source_name, type, subtype]),
      [
        ["town", "hierarchy", null],
        ["double_km", "numeric", null],
        ["day", "datetime", "date"],
      ],
    );
    const find = {
      dimensions: [{ dataset_id: id, column_id: columns["town"] }],
      measures: [{ dataset_id: id, column_id: columns["double_km"] }],
      where: [
        {
          expression: "? = ?",
          parameters: [{ dataset_id: id, column_id: columns["town"] }, "Ghent"],
        },
      ],
    };
    assert.equal(await sendQuery(find), [["Ghent", 7]]);
    const token = await people.mint({ access: { datasets: [{ id, rights: "use" }] } });
    assert.equal(await sendQuery(find, token), [["Ghent", 7]]);
    const [seen] = (await token.get("securable", { where: { id } })).rows;
    assert.equal([seen?.["source_query"], seen?.["source_parameters"]], [null, null]);
    const [own] = (await owner.get("securable", { where: { id } })).rows;
    assert.match(String(own?.["source_query"]), "double_km");
  });

  test("a token's parameters are bound to an SQL statement as values, and cannot change its SQL", async () => {
    const { id, columns } = await make({
      sql: "select id, tenant from sales.trips where tenant = {{metadata.tenant}} and id in ({{ids}})",
      parameters: [
        { parameter: "metadata.tenant", type: "hierarchy", value: "none" },
        { parameter: "ids", type: "array[numeric]", value: [1, 2, 3, 4] },
      ],
    });
    const count = { dataset_id: id, column_id: columns["id"], aggregation: { type: "count" } };
    const asToken = async (parameter_overrides: Json) => {
      const token = await people.mint({
        access: { datasets: [{ id, rights: "use" }] },
        parameter_overrides,
      });
      return sendQuery({ measures: [count] }, token);
    };
    assert.equal(await sendQuery({ measures: [count] }), [[0]]);
    assert.equal(await asToken({ tenant: "north" }), [[2]]);
    assert.equal(await asToken({ tenant: "north", ids: [3] }), [[1]]);
    assert.equal(await asToken({ tenant: "north", ids: [] }), [[0]]);
    for (const evil of ["' or '1' = '1", "'; drop table sales.trips; --", "{{ids}}", "north\\'"])
      assert.equal(await asToken({ tenant: evil }), [[0]]);
    const cleared = await refused(asToken({ tenant: { clear: true } }));
    assert.is(cleared.status, 400);
    assert.match(cleared.message, /"tenant".*needs one/);
    assert.equal(await database.run("select count(*)::int from sales.trips"), [[4]]);
  });

  for (const statement of [
    "select 1 as a; drop table sales.trips",
    "with x as (insert into sales.trips (id) values (99) returning id) select id from x",
    "with x as (delete from sales.trips returning id) select id from x",
    "select pg_sleep(100)::text as a",
    "select pg_sleep/**/(100)::text as a",
    'select "pg_sleep"(100)::text as a',
    "select $$ ; drop table sales.trips $$ as a",
    "select 1 as a into sales.copied",
    "select * from sales.trips for update",
    "select 1 as a) q; drop table sales.trips; select (1",
    "drop table sales.trips",
    "select lo_import('/etc/passwd') as a",
    "select id as a, city as a from sales.trips",
    "select 1",
    "select nothing from sales.trips",
    "select {{unknown}} as a",
  ])
    test(`creating a dataset with the SQL statement ${JSON.stringify(statement.slice(0, 60))} fails`, async () => {
      const before = (await owner.get("securable", { where: { type: "dataset" } })).count;
      const failure = await refused(make({ query: statement }));
      assert.ok([400, 422].includes(failure.status), String(failure.status));
      assert.not.match(failure.message, password);
      assert.is((await owner.get("securable", { where: { type: "dataset" } })).count, before);
      assert.equal(await database.run("select count(*)::int from sales.trips"), [[4]]);
    });

  test("a dataset's SQL statement cannot write, even through a view", async () => {
    await database.run(`
      create or replace function sales.sneaky() returns int language sql volatile as
        'insert into sales.trips (id) values (77) returning id';
      create view sales.sneaking as select sales.sneaky() as a;
      grant select on sales.sneaking to ${reader.key};`);
    const named = await refused(make({ query: "select sales.sneaky() as a" }));
    assert.match(named.message, /a call to sales\.sneaky.*volatile/);
    const { id, columns } = await make({ query: "select a from sales.sneaking" });
    const failure = await refused(
      sendQuery({ measures: [{ dataset_id: id, column_id: columns["a"] }] }),
    );
    assert.ok(failure.status >= 400);
    assert.equal(await database.run("select count(*)::int from sales.trips"), [[4]]);
  });

  for (const [what, members, pattern] of [
    [
      "an SQL statement and tables",
      { query: "select 1 as a", tables: [{ table: "trips" }] },
      /with datasets or tables/,
    ],
    ["an SQL statement that is a number", { query: 3 }, /properties\.query .*must be a string/],
    [
      "parameters that are not a list",
      { query: "select 1 as a", parameters: {} },
      /properties\.parameters .*must be a list/,
    ],
    [
      "a parameter without a type",
      { query: "select 1 as a", parameters: [{ parameter: "x" }] },
      /properties\.parameters\[0\].*type/,
    ],
    [
      "a name with invalid characters",
      { query: "select 1 as a", parameters: [{ parameter: "a;b", type: "numeric" }] },
      /parameters\[0\]\.parameter/,
    ],
    [
      "a repeated parameter",
      {
        query: "select 1 as a",
        parameters: [
          { parameter: "x", type: "numeric" },
          { parameter: "metadata.x", type: "numeric" },
        ],
      },
      /only once/,
    ],
    ["a name that is a list", { query: "select 1 as a", name: ["x"] }, /properties\.name/],
  ] as const)
    test(`the error for ${what} names the member`, async () => {
      const failure = await refused(make(members));
      assert.is(failure.status, 400);
      assert.match(failure.message, pattern);
    });

  test("changing or deleting an account closes its connections to the database server", async () => {
    const user = reader.key;
    const sessions = async () => {
      const [row] = await database.run(
        `select count(*)::int from pg_stat_activity where usename = '${user}'`,
      );
      return Number(row?.[0]);
    };
    const { id } = await connect({ properties: { ssl: "disable", schema: "sales" } });
    const before = await sessions();
    assert.ok(before > 0);
    await owner.update("account", id, { properties: { ssl: "disable", schema: "other" } });
    await owner.delete("account", id);
    // The account that the other tests use may keep its own connections.
    await eventually(async () => (await sessions()) < before, "the sessions of the account end");
  });

  const sync = async (id: string, by = owner) => {
    const { metadata_sync } = await by.update<{ metadata_sync: Json }>("securable", id, {
      update_metadata: true,
    });
    return metadata_sync;
  };
  const namesIn = (report: Json, member: string) =>
    (report[member] as readonly Json[]).map(({ source_name }) => source_name);
  const columnsOf = async (id: string) => {
    const { rows } = await owner.get("column", { where: { securable_id: id }, order: [["order"]] });
    return rows;
  };
  const measured = (id: string, isDone: (columns: readonly Json[]) => boolean) =>
    eventually(async () => {
      const columns = await columnsOf(id);
      return isDone(columns) && columns;
    }, "the columns are measured");

  test("`update_metadata` adds, removes, retypes and restores columns as in the source, and lists where these columns are used", async () => {
    await database.run(`
      create table sales.moving (id int, city text, km int, gone text);
      insert into sales.moving values (1, 'Ghent', 3, 'x'), (2, 'Lille', 5, null), (3, null, 7, null);
      grant select on sales.moving to ${reader.key};`);
    const { id, columns } = await make({ tables: [{ schema: "sales", table: "moving" }] });
    const formula = await owner.create<{ id: string }>("formula", {
      name: { en: "Kilometres" },
      expression: `SUM({${id}:${columns["km"]}})`,
    });
    const derived = await owner.create<{ id: string }>("column", {
      name: { en: "Loud" },
      order: 9,
      expression: `UPPER({${id}:${columns["gone"]}})`,
    });
    await owner.associate("column", derived.id, { role: "Securable", id });
    const other = await people.push();
    await owner.associate("column", String(columns["gone"]), {
      role: "Joins",
      id: String(other.columns["region"]),
    });
    const dashboard = await owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents: {
        version: "0.1.0",
        datasetLinks: { [id]: [] },
        views: [{ screenModus: "desktop", items: [{ columnId: columns["gone"], datasetId: id }] }],
      },
    });
    const token = await people.mint({
      access: { datasets: [{ id, rights: "use" }] },
      filters: [
        {
          clause: "where",
          origin: "global",
          securable_id: id,
          column_id: columns["gone"],
          expression: "? = ?",
          value: "x",
        },
      ],
    });
    const first = await sync(id);
    assert.equal(
      [first["synced"], first["added"], first["missing"], first["retyped"], first["used_by"]],
      [true, [], [], [], []],
    );
    await owner.update("column", String(columns["city"]), { name: { en: "Town" }, order: 7 });
    await database.run(`
      alter table sales.moving rename column gone to renamed;
      alter table sales.moving alter column km type text;
      alter table sales.moving add column late date;`);
    const report = await sync(id);
    assert.equal(namesIn(report, "added"), ["renamed", "late"]);
    assert.equal(namesIn(report, "missing"), ["gone"]);
    assert.equal(
      (report["retyped"] as readonly Json[]).map(({ source_name, from, to }) => [
        source_name,
        from,
        to,
      ]),
      [["km", "numeric", "hierarchy"]],
    );
    const uses = (report["used_by"] as readonly Json[]).map((use) =>
      [use["resource"], use["id"], use["by"]].join(" "),
    );
    assert.equal(
      uses.toSorted(),
      [
        `formula ${formula.id} expression`,
        `column ${derived.id} expression`,
        `column ${other.columns["region"]} link`,
        `securable ${dashboard.id} contents`,
        `authorization ${token.pair.key} filter`,
      ].toSorted(),
    );
    assert.is(report["hidden_count"], 0);
    const after = await columnsOf(id);
    assert.equal(
      after.map(({ source_name, type, missing_since }) => [
        source_name,
        type,
        missing_since === null,
      ]),
      [
        ["id", "numeric", true],
        ["km", "hierarchy", true],
        ["gone", "hierarchy", false],
        ["city", "hierarchy", true],
        [null, "hierarchy", true],
        ["renamed", "hierarchy", true],
        ["late", "datetime", true],
      ],
    );
    assert.equal(after.find(({ source_name }) => source_name === "city")?.["name"], { en: "Town" });
    // A query of a removed column fails. A row filter on a removed column makes every query of the token fail.
    const missing = await refused(
      sendQuery({ dimensions: [{ dataset_id: id, column_id: columns["gone"] }] }),
    );
    assert.is(missing.status, 400);
    assert.match(missing.message, "no longer has");
    const count = { dataset_id: id, column_id: "*", aggregation: { type: "count" } };
    assert.ok((await refused(sendQuery({ measures: [count] }, token))).status >= 400);
    assert.equal(await sendQuery({ measures: [count] }), [[3]]);
    // Statistics are computed some time after the call.
    const numbers = await measured(
      id,
      (all) => all.find(({ source_name }) => source_name === "city")?.["cardinality"] === 2,
    );
    const ids = numbers.find(({ source_name }) => source_name === "id");
    assert.equal([ids?.["minimum"], ids?.["maximum"], ids?.["cardinality"]], [1, 3, 3]);
    // The restored column keeps its id and can be queried again.
    await database.run("alter table sales.moving rename column renamed to gone");
    const back = await sync(id);
    assert.equal(namesIn(back, "returned"), ["gone"]);
    assert.equal(namesIn(back, "missing"), ["renamed"]);
    assert.equal(await sendQuery({ measures: [count] }, token), [[1]]);
  });

  test("a dataset whose table was dropped remains, and the report of the synchronization contains the reason", async () => {
    await database.run(`
      create table sales.short_lived (a int);
      grant select on sales.short_lived to ${reader.key};`);
    const { id } = await make({ tables: [{ schema: "sales", table: "short_lived" }] });
    const [before] = (await owner.get("securable", { where: { id } })).rows;
    await database.run("drop table sales.short_lived");
    const report = await sync(id);
    assert.is(report["synced"], false);
    assert.match(String(report["reason"]), /no longer offers "sales.short_lived"/);
    const [after] = (await owner.get("securable", { where: { id } })).rows;
    assert.is(after?.["last_metadata_sync_at"], before?.["last_metadata_sync_at"]);
    assert.ok(
      String(after?.["last_metadata_sync_attempt_at"]) >
        String(before?.["last_metadata_sync_attempt_at"]),
    );
    assert.equal(
      (await columnsOf(id)).map(({ source_name }) => source_name),
      ["a"],
    );
    await owner.delete("securable", id);
  });

  test("a column that an owner removed stays removed, even in a dataset with an SQL statement", async () => {
    const { id, columns } = await make({ query: "select id, city from sales.trips" });
    await owner.dissociate("column", String(columns["city"]), { role: "Securable", id });
    const report = await sync(id);
    assert.equal([report["synced"], report["added"]], [true, []]);
    assert.equal(
      (await columnsOf(id)).map(({ source_name }) => source_name),
      ["id"],
    );
  });

  test("synchronizing a connection covers all its datasets, and `synced` says whether all succeeded", async () => {
    const { id: ownAccount } = await connect();
    const { data } = await owner.create<Made>("dataprovider", {
      account_id: ownAccount,
      tables: [
        { schema: "sales", table: "trips" },
        { schema: "other", table: "trips" },
      ],
    });
    const update = () =>
      owner.update<Json & { metadata_sync: Json }>("account", ownAccount, {
        update_metadata: true,
      });
    const all = await update();
    assert.is(all["synced"], true);
    assert.equal(
      (all.metadata_sync["datasets"] as readonly Json[])
        .map((each) => each["securable_id"])
        .toSorted(),
      data.map(({ id }) => id).toSorted(),
    );
    await database.run("alter table other.trips rename to moved");
    const some = await update();
    assert.is(some["synced"], false);
    const isSynced = async () =>
      (await owner.get("account", { where: { id: ownAccount } })).rows[0]?.["synced"];
    assert.is(await isSynced(), false);
    await database.run("alter table other.moved rename to trips");
    for (const { id } of data) await owner.update("securable", id, { update_metadata: true });
    assert.is(await isSynced(), true, "synchronizing the datasets one by one counts too");
    assert.is((await update())["synced"], true);
  });

  test("synchronizing requires the right to change the dataset, and an invalid flag is refused", async () => {
    const { id } = await make({ tables: [{ schema: "sales", table: "trips" }] });
    const reading = await people.add("reader-of-metadata");
    await owner.associate("securable", id, { role: "Users", id: reading.id }, { flagUse: true });
    assert.is((await refused(sync(id, reading))).status, 403);
    const wrong = await refused(owner.update<unknown>("securable", id, { update_metadata: "yes" }));
    assert.match(wrong.message, "properties.update_metadata");
    const pushed = await people.push();
    assert.match(String((await sync(pushed.id))["reason"]), "in the store of this host");
  });
});
