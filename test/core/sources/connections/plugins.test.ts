// This file costs more than three seconds, because each test registers plugins at a host and calls them over HTTP.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { type LegacyPlugin, openLegacyPlugin } from "../../../support/legacyPlugin.ts";
import { eventually } from "../../../support/eventually.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { refused } from "../../../support/refused.ts";

type Answer = { readonly data: readonly (readonly unknown[])[] };

const trips = {
  id: "public.trips",
  name: { en: "Trips" },
  columns: [
    { id: "city", name: { en: "City" }, type: "hierarchy" },
    { id: "km", name: { en: "Km" }, type: "numeric" },
    { id: "day", name: { en: "Day" }, type: "datetime", subtype: "date" },
    { id: "paid", type: "string" },
  ],
  rows: [
    ["Ghent", 3, "2024-01-05T00:00:00.000Z", true],
    ["Lille", 5.5, "2024-01-20T00:00:00.000Z", false],
    ["Ghent", null, "2024-02-01T00:00:00.000Z", true],
    [null, 1, "2024-02-11T00:00:00.000Z", null],
    ["ghent", 9, null, true],
  ],
};

const text = (id: string) => ({ id, name: { en: id } });

interface Warned {
  readonly id: string;
  readonly invalid?: boolean;
  readonly valid?: boolean;
  readonly message?: string;
  readonly warnings?: readonly string[];
}

suite("core/host with plugins over HTTP", (test) => {
  const opened: LegacyPlugin[] = [];
  let host: Host;
  let client: Client;
  test.before(async () => {
    host = await openTestHost({
      egressAllow: ["127.0.0.1"],
      // A deadline in milliseconds, long enough to send 1 MB on a busy machine. Two of the faults last until this
      // deadline.
      pluginTimeoutMs: 5_000,
      pluginAnswerMb: 1,
    });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
  });
  test.after(async () => {
    for (const plugin of opened) await plugin.close();
    await host.close();
  });

  const connect = async (
    slug: string,
    options: Omit<Parameters<typeof openLegacyPlugin>[0], "datasets">,
  ) => {
    const plugin = await openLegacyPlugin({ ...options, datasets: [trips] });
    opened.push(plugin);
    await client.create("plugin", {
      slug,
      name: { en: slug },
      base_url: plugin.url,
      protocol_version: options.version,
      pushdown: options.pushdown,
      authorize: "host/key/token",
    });
    const account = await client.create<{ id: string }>("account", {
      provider: slug,
      name: slug,
      host: "db.example.org",
      identifier: "ada",
      token: "a-password",
      port: 5432,
    });
    const find = { provider: slug, account_id: account.id };
    const { data } = await client.create<{
      data: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("dataprovider", { ...find, action: "create", datasets: [trips.id] });
    const [dataset] = data;
    if (!dataset) throw new Error("no dataset was made");
    const column = (name: string) => ({
      dataset_id: dataset.id,
      column_id: dataset.columns.find((each) => each.source_name === name)?.id,
    });
    const count = { dataset_id: dataset.id, column_id: "*", aggregation: { type: "count" } };
    const sendQuery = async (query: Readonly<Record<string, unknown>>) =>
      (await client.get<Answer>("data", query)).data;
    return { plugin, account, dataset, find, column, count, sendQuery };
  };

  for (const version of ["1.0.0", "1.1.0", "2.0.0", "3.0.0"] as const)
    for (const pushdown of [false, true])
      // The quick layer tests each kind with one version. The tests of `overHttp` test all versions.
      (version === (pushdown ? "3.0.0" : "1.0.0") ? test : test.deep)(
        `a ${pushdown ? "pushdown" : "basic"} plugin of version ${version} gives the same answers as the store`,
        async () => {
          const slug = `v${version.replaceAll(".", "")}${pushdown ? "p" : "b"}`;
          const { plugin, column, count, sendQuery, find } = await connect(slug, {
            version,
            pushdown,
          });
          const listed = await client.get<{
            count: number;
            rows: { name: string; table: string }[];
            data: unknown[];
          }>("dataprovider", find);
          assert.is(listed.count, 1);
          assert.is(listed.rows[0]?.table, trips.id);
          assert.equal(listed.data, listed.rows);
          const sum = { ...column("km"), aggregation: { type: "sum" } };
          assert.equal(
            await sendQuery({
              dimensions: [column("city")],
              measures: [sum, count],
              order: [{ ...sum, order: "desc" }],
            }),
            [
              [text("ghent"), 9, 1],
              [text("Lille"), 5.5, 1],
              [text("Ghent"), 3, 2],
              [null, 1, 1],
            ],
          );
          assert.equal(
            await sendQuery({
              dimensions: [{ ...column("day"), level: 3 }],
              measures: [{ ...column("km"), aggregation: { type: "average" } }],
              where: [{ expression: "? != ?", parameters: [column("city"), "Lille"] }],
            }),
            [
              ["2024-01-01T00:00:00.000Z", 3],
              ["2024-02-01T00:00:00.000Z", 1],
              [null, 9],
            ],
          );
          assert.equal(
            await sendQuery({
              dimensions: [column("city"), column("paid")],
              options: { rollup_data: false },
              where: [{ expression: "? in ?", parameters: [column("city"), ["Ghent", null]] }],
              limit: { by: 2, offset: 1 },
            }),
            [
              [text("Ghent"), text("true")],
              [null, null],
            ],
          );
          const queries = plugin.requests.filter(({ path }) => path === "/query");
          for (const { body, headers } of queries) {
            assert.ok(headers["x-secret"]);
            assert.is(headers["x-key"], "ada");
            assert.is(headers["x-property-token"], "a-password");
            assert.is(
              body?.options.pushdown === true,
              pushdown && body?.columns.some(({ aggregation }) => aggregation !== undefined),
            );
            assert.not(body?.filters.some(({ expression }) => expression === "!="));
          }
        },
      );

  test("`!=` on a column without nulls is sent to a pushdown plugin as `not in`", async () => {
    const { plugin, column, count, sendQuery } = await connect("notequal", {
      version: "2.0.0",
      pushdown: true,
    });
    const where = [
      { expression: "? != ?", parameters: [column("city"), "Lille"] },
      { expression: "? is not null", parameters: [column("city")] },
    ];
    assert.equal(await sendQuery({ measures: [count], where }), [[3]]);
    const sent = plugin.requests
      .at(-1)
      ?.body?.filters.map(({ expression, value }) => [expression, value]);
    assert.equal(sent, [
      ["not in", ["Lille"]],
      ["is not null", undefined],
    ]);
  });

  for (const version of ["2.0.0", "3.0.0"] as const)
    (version === "3.0.0" ? test : test.deep)(
      `a token's filters apply even if a plugin of version ${version} ignores them`,
      async () => {
        const slug = `careless${version.replaceAll(".", "")}`;
        const options = { version, pushdown: true, ignoresFilters: true };
        const { plugin, dataset, column, count } = await connect(slug, options);
        const pair = await client.create<{ id: string; token: string }>("authorization", {
          type: "embed",
          username: slug,
          name: "Visitor",
          email: `${slug}@example.org`,
          role: "viewer",
          access: { datasets: [{ id: dataset.id, rights: "use" }] },
          filters: [
            {
              clause: "where",
              origin: "global",
              securable_id: dataset.id,
              column_id: column("city").column_id,
              expression: "? = ?",
              value: "Ghent",
            },
          ],
        });
        const visitor = createClient({ url: host.url, key: pair.id, token: pair.token });
        const day = (aggregation: string) => ({
          ...column("day"),
          aggregation: { type: aggregation },
        });
        for (const [query, expected] of [
          [{ dimensions: [column("city")] }, [[text("Ghent")]]],
          [
            { measures: [count, day("min"), day("max")] },
            [[2, "2024-01-05T00:00:00.000Z", "2024-02-01T00:00:00.000Z"]],
          ],
          [
            { dimensions: [{ ...column("day"), level: 4 }], measures: [count] },
            [
              ["2024-01-01T00:00:00.000Z", 1],
              ["2024-01-29T00:00:00.000Z", 1],
            ],
          ],
          [
            {
              measures: [count],
              where: [{ expression: "? != ?", parameters: [column("city"), "x' or 1=1 --"] }],
            },
            [[2]],
          ],
          [
            { dimensions: [column("city"), column("km")], options: { rollup_data: false } },
            [
              [text("Ghent"), 3],
              [text("Ghent"), null],
            ],
          ],
        ] as const)
          assert.equal((await visitor.get<Answer>("data", query)).data, expected);
        assert.not.match(JSON.stringify(plugin.requests), "1=1");
      },
    );

  test("no answer of the API shows the credentials of a connection or the secret of a plugin", async () => {
    const { account } = await connect("secretive", { version: "2.0.0", pushdown: false });
    const accounts = JSON.stringify(
      await client.get("account", { where: { id: account.id }, include: [{ model: "Plugin" }] }),
    );
    assert.not.match(accounts, "a-password");
    assert.not.match(accounts, '"secret"');
    for (const where of [{ token: "a-password" }, { code: null }])
      assert.is((await refused(client.get("account", { where }))).status, 400);
    assert.is((await refused(client.get("plugin", { where: { secret: "x" } }))).status, 400);
  });

  test("a connection whose credentials are rejected is created with a warning, and is invalid", async () => {
    const plugin = await openLegacyPlugin({
      version: "2.0.0",
      pushdown: false,
      datasets: [trips],
      authorize: { key: "ada", token: "right" },
    });
    opened.push(plugin);
    await client.create("plugin", {
      slug: "guarded",
      name: { en: "Guarded" },
      base_url: plugin.url,
      authorize: "host/key/token",
    });
    const values = { provider: "guarded", name: "x", identifier: "ada", token: "wrong-token" };
    const why =
      /^the credentials were refused: Wrong user name or password.*guarded.*; the connection is stored, but its calls fail until this is solved$/;
    const made = await client.create<Warned>("account", values);
    assert.match(made.warnings?.[0] ?? "", why);
    assert.is(made.invalid, true);
    const checked = await client.validate<Warned>("account", values);
    assert.equal([checked.valid, checked.warnings], [false, [checked.message]]);
    const right = await client.create<Warned>("account", { ...values, token: "right" });
    assert.equal([right.warnings, right.invalid], [undefined, false]);
  });

  // The quick layer tests each kind of failure with one of the two calls that can fail.
  for (const [what, first, answer, why] of [
    ["is down", "none", (to: ServerResponse) => to.destroy(), /closed the connection/],
    [
      "answers 403",
      "token",
      (to: ServerResponse) => to.writeHead(403).end("who are you"),
      /who are you/,
    ],
    [
      "answers 500",
      "none",
      (to: ServerResponse) => to.writeHead(500).end("no database"),
      /no database/,
    ],
    ["answers HTML", "token", (to: ServerResponse) => to.end("<html>hello</html>"), /an HTML page/],
  ] as const)
    test(`creating or validating a connection of a plugin that ${what} returns a warning`, async () => {
      for (const authorize of rounds({ quick: [first], deep: ["none", "token"] as const })) {
        const plugin = await openLegacyPlugin({
          version: "3.0.0",
          pushdown: false,
          datasets: [trips],
        });
        opened.push(plugin);
        const slug = `warns-${authorize}-${what.replaceAll(" ", "-")}`;
        await client.create("plugin", {
          slug,
          name: { en: slug },
          base_url: plugin.url,
          authorize,
        });
        const values = { provider: slug, name: "x", token: "canary-secret" };
        const calls = {
          create: () => client.create<Warned>("account", values),
          validate: () => client.validate<Warned>("account", values),
        };
        for (const [action, call] of Object.entries(calls)) {
          // An answer of /authorize with status 200 means success, whatever its body. A page is therefore noticed only
          // with another status.
          const isPage = what === "answers HTML" && authorize === "token";
          const status = isPage ? 502 : 200;
          plugin.answerNext(
            authorize === "none" ? "/datasets" : "/authorize",
            (to) => void answer(isPage ? to.writeHead(status) : to),
          );
          const { warnings = [], ...rest } = await call();
          assert.is(warnings.length, 1, `${action} ${authorize}`);
          assert.match(warnings[0] ?? "", why);
          assert.not.match(JSON.stringify([warnings, rest.message]), "canary");
        }
        assert.is((await client.get("account", { where: { provider: slug } })).count, 1);
      }
    });

  test("creating a connection whose plugin the egress guard refuses returns a warning", async () => {
    const made = await client.create<Warned>("plugin", {
      slug: "refused",
      name: { en: "Refused" },
      base_url: "http://plugin.invalid:1",
    });
    assert.match(
      made.warnings?.[0] ?? "",
      /^the plugin cannot be reached yet: .*plugin\.invalid:1 is not/,
    );
    const { warnings } = await client.create<Warned>("account", { provider: "refused", name: "x" });
    assert.match(
      warnings?.[0] ?? "",
      /plugin\.invalid:1 is not a public address.*MANIFOLD_EGRESS_ALLOW/,
    );
  });

  test("testing a plugin that cannot be called returns the reason, and the plugin's report keeps the reason", async () => {
    const made = await client.create<Warned>("plugin", {
      slug: "unreachable",
      name: { en: "Unreachable" },
      base_url: "http://127.0.0.1:1",
    });
    const tested = await client.test<{ state: string; problem: string | null }>("plugin", {
      id: made.id,
    });
    assert.is(tested.state, "waiting");
    assert.match(tested.problem ?? "", /^the plugin could not be called: .*refused the connection/);
    const report = async () =>
      (
        await client.get<{ rows: { check_report: { problem?: string } | null }[] }>("plugin", {
          where: { id: made.id },
        })
      ).rows[0]?.check_report?.problem;
    await eventually(async () => (await report()) !== undefined, "the check is recorded");
    assert.is(await report(), tested.problem);
  });

  test("deleting a plugin that connections need fails, and the error names the connections", async () => {
    const made = await client.create<Warned>("plugin", {
      slug: "needed",
      name: { en: "Needed" },
      base_url: "http://127.0.0.1:1",
    });
    const ids: string[] = [];
    const expectRefusal = async (message: RegExp) => {
      const failure = await refused(client.delete("plugin", made.id));
      assert.is(failure.status, 409);
      assert.match(failure.message, message);
    };
    for (const name of ["Sales", { nl: "Kosten" }, undefined])
      ids.push(
        (await client.create<Warned>("account", { provider: "needed", ...(name && { name }) })).id,
      );
    await expectRefusal(
      /3 connections cannot work without this plugin: "Sales" \S{36}, "Kosten" \S{36}, \S{36}; delete them first/,
    );
    for (const id of ids.slice(1)) await client.delete("account", id);
    await expectRefusal(
      /1 connection cannot work without this plugin: "Sales" \S{36}; delete it first/,
    );
    await client.delete("account", ids[0]!);
    await client.delete("plugin", made.id);
  });

  test("a plugin with `authorize: none` can have connections, whatever its /authorize returns", async () => {
    const plugin = await openLegacyPlugin({ version: "2.0.0", pushdown: false, datasets: [trips] });
    opened.push(plugin);
    plugin.answerNext("/authorize", (response) => response.writeHead(500).end("no"));
    await client.create("plugin", {
      slug: "open",
      name: { en: "Open" },
      base_url: plugin.url,
      authorize: "none",
    });
    await client.create("account", { provider: "open", name: "x" });
    assert.not.ok(plugin.requests.some(({ path }) => path === "/authorize"));
  });

  test("creating, reading, changing or validating a record returns a warning for each flag that has no effect", async () => {
    const values = {
      slug: "announcing",
      name: { en: "Announcing" },
      base_url: "https://plugin.example.org",
      protocol_version: "3.0.0",
      pushdown: true,
      supports_distinctcount: true,
      supports_join: true,
    };
    const joins =
      /^supports_join is not used: the request format of protocol 3\.0\.0 for joins is not public/;
    const made = await client.create<{ id: string; warnings: string[] }>("plugin", values);
    const [unreachable = "", ...kept] = made.warnings;
    assert.match(unreachable, "the plugin cannot be reached yet");
    assert.is(kept.length, 2);
    assert.match(kept[0] ?? "", /^supports_distinctcount is not used: the host asks plugins/);
    assert.match(kept[1] ?? "", joins);
    const read = async (attributes?: readonly string[]) => {
      const find = { where: { id: made.id }, ...(attributes && { attributes }) };
      const { rows } = await client.get<{ rows: { warnings?: string[] }[] }>("plugin", find);
      return rows[0]?.warnings;
    };
    assert.equal(await read(), kept);
    assert.is(await read(["slug", "supports_join"]), undefined);
    const { warnings } = await client.update<{ warnings: string[] }>("plugin", made.id, {
      pushdown: false,
    });
    assert.match(warnings.join(), "pushdown is false");
    assert.equal(await read(), warnings);
    const checked = await client.validate<{ warnings: string[] }>("plugin", values);
    assert.match(checked.warnings.at(-1) ?? "", joins);
    const none = await client.update("plugin", made.id, {
      supports_join: false,
      supports_distinctcount: false,
    });
    assert.is(none["warnings"], undefined);
    assert.is(await read(), undefined);
  });

  const faults: readonly (readonly [string, (response: ServerResponse) => void, number])[] = [
    [
      "answers HTML",
      (response) => response.setHeader("Content-Type", "text/html").end("<html>down</html>"),
      502,
    ],
    ["answers half a JSON", (response) => response.end('[["Ghent", 3'), 502],
    ["answers rows of a wrong width", (response) => response.end('[["Ghent"]]'), 502],
    [
      "answers a string for a number",
      (response) => response.end('[["Ghent", "many", null, null]]'),
      502,
    ],
    [
      "redirects",
      (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
      502,
    ],
    ["fails with a text", (response) => response.writeHead(500).end("the database is down"), 502],
    ["never answers", () => {}, 504],
    [
      "drips without end",
      (response) => {
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
      504,
    ],
    [
      "sends more than the cap",
      (response) => {
        const chunk = Buffer.alloc(2 ** 20, 0x20);
        const pump = () => {
          while (!response.destroyed && response.write(chunk));
          response.once("drain", pump);
        };
        pump();
      },
      502,
    ],
    ["closes the connection", (response) => void response.destroy(), 502],
  ];

  test("a plugin that breaks in any way causes a 5xx with its name, and the host keeps running", async () => {
    const { plugin, column, sendQuery } = await connect("broken", {
      version: "2.0.0",
      pushdown: false,
    });
    for (const [what, answer, status] of faults) {
      plugin.answerNext("/query", answer);
      const failure = await refused(sendQuery({ measures: [column("km")] }));
      assert.match(failure.message, /broken/, what);
      assert.is(failure.status, status, `${what}: ${failure.message}`);
      assert.not.match(failure.message, /a-password/, what);
    }
    const fresh = await connect("healthy", { version: "2.0.0", pushdown: false });
    assert.equal(await fresh.sendQuery({ measures: [fresh.column("km")] }), [[18.5]]);
  });

  test("an unavailable plugin causes a 502 with the plugin's name", async () => {
    const { plugin, column, sendQuery } = await connect("gone", {
      version: "3.0.0",
      pushdown: true,
    });
    await plugin.close();
    const failure = await refused(sendQuery({ measures: [column("km")] }));
    assert.is(failure.status, 502);
    assert.match(failure.message, /gone/);
  });

  test("a query to a plugin at a forbidden address fails before anything is sent", async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end("[]")).on(
      "connection",
      () => connections++,
    );
    server.listen(0, "127.0.0.2");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const failure = await refused(
      client.create("plugin", {
        slug: "inside",
        name: { en: "Inside" },
        base_url: `http://127.0.0.2:${port}`,
      }),
    );
    server.close();
    assert.match(failure.message, /MANIFOLD_EGRESS_ALLOW/);
    assert.is(connections, 0);
  });

  test("the error for an unknown provider or dataset contains its name, and an unknown account causes a 404", async () => {
    const { find } = await connect("listed", { version: "2.0.0", pushdown: false });
    const unknown = await refused(client.create("account", { provider: "nowhere", name: "x" }));
    assert.is(unknown.status, 400);
    assert.match(unknown.message, /nowhere/);
    const missing = await refused(
      client.create("dataprovider", { ...find, datasets: ["public.boats"] }),
    );
    assert.ok(missing.status >= 400 && missing.status < 500);
    assert.match(missing.message, /public\.boats.*public\.trips/);
    const foreign = await refused(
      client.get("dataprovider", { ...find, account_id: "4cf2e0a5-7e20-4a84-9a0e-7f5bd8ab8b2f" }),
    );
    assert.is(foreign.status, 404);
  });
});
