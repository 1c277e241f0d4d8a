import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
interface Column {
  readonly id: string;
  readonly source_name: string;
}

suite("core/identity/access: embed tokens over HTTP", (test) => {
  let host: Host;
  let owner: Client;
  let dataset: string;
  let columnOf: Readonly<Record<string, string>>;

  test.before(async () => {
    host = await openTestHost({
      callsPerSecond: 1,
      callBurst: 40,
      failuresPerMinute: 5,
    });
    const { key = "", token = "" } = host.madeCredentials ?? {};
    owner = createClient({ url: host.url, key, token });
    const { rows } = await owner.create<{ rows: { id: string; columns: Column[] }[] }>("data", {
      type: "create",
      data: [
        ["north", "Ghent", 1],
        ["north", "Lille", 2],
        ["south", "Ghent", 4],
      ],
      options: { header: ["tenant", "city", "km"], name: { en: "Trips" } },
    });
    dataset = String(rows[0]?.id);
    columnOf = Object.fromEntries(
      (rows[0]?.columns ?? []).map((each) => [each.source_name, each.id]),
    );
  });
  test.after(async () => {
    await host.close();
  });

  const filter = () => ({
    clause: "where" as const,
    origin: "global" as const,
    securable_id: dataset,
    column_id: String(columnOf["tenant"]),
    expression: "? in ?",
    value: {
      parameter: "metadata.tenant",
      type: "array[hierarchy]" as const,
      value: [],
    },
  });
  const mint = async (more: Json = {}): Promise<Client> => {
    const { id, token } = await owner.create("authorization", {
      type: "embed",
      username: "u-417",
      name: "Ada",
      email: "ada@example.org",
      suborganization: "north",
      role: "designer",
      expiry: "24 hours",
      access: {
        datasets: [
          {
            id: dataset,
            rights: "use",
          },
        ],
      },
      filters: [filter()],
      hidden_columns: [String(columnOf["tenant"])],
      ...more,
    });
    return createClient({ url: host.url, key: String(id), token: String(token) });
  };
  const reference = (name: string) => ({ dataset_id: dataset, column_id: columnOf[name] });
  const sumOf = async (client: Client): Promise<unknown> =>
    (await client.get<{ data: unknown[][] }>("data", { measures: [reference("km")] })).data[0]?.[0];

  test("embed tokens of two tenants, and an embed token without a tenant, see only their own rows", async () => {
    const north = await mint({ parameter_overrides: { tenant: ["north"] } });
    const south = await mint({ username: "u-2", parameter_overrides: { tenant: ["south"] } });
    const none = await mint({ username: "u-3" });
    const sums = await Promise.all([north, south, none, owner].map(sumOf));
    assert.equal(sums, [3, 4, null, 7]);
    const hidden = await refused(north.get("data", { dimensions: [reference("tenant")] }));
    assert.is(hidden.code, "QUERY_UNKNOWN_COLUMN");
    const include = [{ model: "Column", order: [["order", "asc"]] }];
    const { rows } = await north.get("securable", { include });
    assert.equal(
      rows.map((row) => (row["columns"] as Column[]).map(({ source_name }) => source_name)),
      [["city", "km"]],
    );
  });

  test("an embed token cannot push data, change records or issue tokens", async () => {
    const client = await mint({
      role: "owner",
      access: { datasets: [{ id: dataset, rights: "own" }] },
    });
    const tries = [
      client.create("data", { type: "replace", securable_id: dataset, data: [] }),
      client.update("securable", dataset, { name: { en: "Mine" } }),
      client.delete("securable", dataset),
      client.create("authorization", { type: "api" }),
      client.get("account"),
      client.get("organization"),
      client.get("auditevent"),
    ];
    for (const refusal of await Promise.all(tries.map(refused)))
      assert.equal([refusal.status, refusal.code], [403, "FORBIDDEN"]);
  });

  test("a deleted embed token fails at the next call", async () => {
    const made = await owner.create("authorization", {
      type: "embed",
      username: "u-9",
      access: { datasets: [{ id: dataset }] },
    });
    const client = createClient({
      url: host.url,
      key: String(made["id"]),
      token: String(made["token"]),
    });
    assert.is(await sumOf(client), 7);
    await owner.delete("authorization", String(made["id"]));
    assert.is((await refused(client.get("data"))).status, 401);
  });

  test("pushing, issuing a token and deleting a token are audited with their request ids", async () => {
    const { rows } = await owner.get("auditevent", { order: [["created_at", "asc"]] });
    const seen = rows.map(({ action, resource }) => `${String(action)} ${String(resource)}`);
    for (const each of [
      "create data",
      "create authorization",
      "create user",
      "delete authorization",
    ])
      assert.ok(seen.includes(each), each);
    assert.ok(rows.every((row) => typeof row["request_id"] === "string"));
  });

  test("an embed token that sends too many calls gets 429, and other tokens are not affected", async () => {
    const client = await mint({ parameter_overrides: { tenant: ["north"] } });
    const answers = await Promise.allSettled(Array.from({ length: 60 }, () => client.get("theme")));
    const count = answers.filter(({ status }) => status === "fulfilled").length;
    assert.ok(count >= 40 && count < 60, `${count} got through`);
    assert.is((await refused(client.get("theme"))).code, "CALLS_TOO_MANY");
    assert.ok(await mint({ username: "u-5" }));
  });

  test("wrong key pairs block their address for a while", async () => {
    const wrong = createClient({ url: host.url, key: "x", token: "y" });
    const statuses = [];
    for (let call = 0; call < 8; call++) statuses.push((await refused(wrong.get("user"))).status);
    assert.is(statuses[0], 401);
    assert.is(statuses.at(-1), 429);
  });
});
