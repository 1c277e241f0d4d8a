// This file costs more than three seconds, because grants are settings of a host, which starts three times.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host, type HostOptions } from "../../../../core/host.ts";
import { openTestDatabase } from "../../../support/catalog.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { layer, rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly text: string;
}

const csv = "town,km\nGhent,3\n";

suite("core/host with folders and addresses granted to organizations", (test) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "manifold-grants-")));
  const [all, own] = [join(root, "all"), join(root, "own")];
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let host: Host;
  let owner: Client;
  let [stranger, named] = [] as unknown as [Client, Client];
  let namedId: string;
  /** Number of requests that each port has received. */
  const arrived = new Map<number, number>();
  const servers: Server[] = [];
  let [openPort, ownPort, closedPort] = [0, 0, 0];

  const listen = async (): Promise<number> => {
    const server = createServer((_request, response) => {
      arrived.set(port, (arrived.get(port) ?? 0) + 1);
      response.setHeader("Content-Type", "text/csv").end(csv);
    });
    server.on("connection", () => arrived.set(port, (arrived.get(port) ?? 0) + 1));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    servers.push(server);
    return port;
  };
  const start = async (options: HostOptions): Promise<Host> =>
    openHost({
      ...testOptions,
      dataDir: join(root, "data"),
      databaseUrl: database.databaseUrl,
      signUp: true,
      failuresPerMinute: 0,
      ...options,
    });
  const again = (client: { readonly pair: Json }) =>
    createClient({
      url: host.url,
      key: String(client.pair["key"]),
      token: String(client.pair["token"]),
    });
  const signUp = async (name: string) => {
    const answer = await fetch(`${host.url}/0.1.0/user`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        properties: { email: `${name}@example.org`, name },
      }),
    });
    return { pair: (await answer.json()) as Json };
  };
  const granted = () => ({
    fileFolders: [all, `${own}=${namedId}`],
    egressAllow: [`127.0.0.1:${openPort}`, `127.0.0.1:${ownPort}=${namedId}`],
  });

  let pairs: Record<"owner" | "stranger" | "named", { readonly pair: Json }>;
  test.before(async () => {
    for (const folder of [all, own]) {
      mkdirSync(folder);
      writeFileSync(join(folder, "towns.csv"), csv);
      const made = new DatabaseSync(join(folder, "shop.sqlite"));
      made.exec("create table towns (name text); insert into towns values ('Ghent')");
      made.close();
    }
    [openPort, ownPort, closedPort] = [await listen(), await listen(), await listen()];
    const last = servers.pop();
    await new Promise((resolve) => last?.close(resolve));
    database = await openTestDatabase();
    host = await start({});
    pairs = {
      owner: { pair: { ...host.madeCredentials } },
      stranger: await signUp("eve"),
      named: await signUp("nan"),
    };
    const organizations = await again(pairs.named).get("organization");
    namedId = String(organizations.rows[0]?.["id"]);
    await restart(granted());
  });
  test.after(async () => {
    await host.close();
    for (const server of servers) server.close();
    await database.close();
    rmSync(root, { recursive: true, force: true });
  });
  async function restart(options: HostOptions): Promise<void> {
    await host.close();
    host = await start(options);
    [owner, stranger, named] = [again(pairs.owner), again(pairs.stranger), again(pairs.named)];
  }

  const answerOf = (promise: Promise<unknown>): Promise<Answer> =>
    promise.then(
      (value) => ({ status: 200, text: JSON.stringify(value) }),
      (failure: { status?: number; message?: string }) => ({
        status: Number(failure.status),
        text: String(failure.message),
      }),
    );
  let count = 0;
  /** Creates an account and lists the datasets that it can reach. */
  const list = async (client: Client, values: Json): Promise<Answer> =>
    answerOf(
      (async () => {
        const { provider } = values;
        const name = `a${(count += 1)}`;
        const made = await client.create<{ id: string }>("account", { name, ...values });
        return client.get("dataprovider", { provider, account_id: made.id } as never);
      })(),
    );
  const plugin = async (client: Client, port: number): Promise<Answer> =>
    answerOf(
      (async () => {
        const slug = `p${(count += 1)}`;
        await client.create("plugin", {
          slug,
          name: { en: slug },
          base_url: `http://127.0.0.1:${port}`,
          authorize: "host/key/token",
        });
        return client.create("account", { provider: slug, name: slug, host: "x", token: "t" });
      })(),
    );
  const channel = async (client: Client, type: string, port: number): Promise<Answer> =>
    answerOf(
      (async () => {
        const config = { url: `http://127.0.0.1:${port}/hook` };
        const made = await client.create<{ id: string }>("channel", { type, config });
        const { results } = await client.test<{ results: Json[] }>("channel", { id: made.id });
        if (results[0]?.["problem"] === null) return results;
        throw Object.assign(new Error(JSON.stringify(results)), { status: 422 });
      })(),
    );
  const issuer = async (client: Client, port: number): Promise<Answer> =>
    answerOf(
      (async () => {
        const made = await client.create<{ id: string }>("ssoconfig", {
          name: "Corp",
          type: "openid",
          active: false,
          config: { issuer: `http://127.0.0.1:${port}`, client_id: "m", client_secret: "s" },
        });
        const tested: Json = await client.test("ssoconfig", { id: made.id });
        throw Object.assign(new Error(JSON.stringify(tested["problems"])), { status: 422 });
      })(),
    );
  const accountOf = (provider: string, port: number, more: Json = {}): Json => ({
    provider,
    host: "127.0.0.1",
    port: String(port),
    scope: "sales",
    identifier: "ada",
    token: "t",
    ...more,
  });
  const apiWith = (more: Json = {}) =>
    JSON.stringify({ ...more, datasets: { towns: { path: "/towns", columns: { km: "number" } } } });

  /** Returns every way to try to reach a private target. Each way can try an existing or a missing target. */
  const ways = (folder: string, port: number) =>
    [
      [
        "an SQLite file",
        (c: Client, is: boolean) =>
          list(c, { provider: "sqlite", host: is ? "shop.sqlite" : "gone.sqlite" }),
      ],
      [
        "an SQLite file by its path",
        (c: Client, is: boolean) =>
          list(c, { provider: "sqlite", host: join(folder, is ? "shop.sqlite" : "gone.sqlite") }),
      ],
      [
        "a DuckDB file",
        (c: Client, is: boolean) =>
          list(c, { provider: "duckdb", host: is ? "towns.csv" : "gone.csv" }),
      ],
      [
        "a file",
        (c: Client, is: boolean) =>
          list(c, { provider: "files", host: is ? "towns.csv" : "gone.csv" }),
      ],
      [
        "a file by its path",
        (c: Client, is: boolean) =>
          list(c, { provider: "files", host: join(folder, is ? "towns.csv" : "gone.csv") }),
      ],
      [
        "a folder",
        (c: Client, is: boolean) => list(c, { provider: "files", host: is ? "." : "gone" }),
      ],
      [
        "a description of an API in a file",
        (c: Client, is: boolean) =>
          list(c, {
            provider: "rest",
            host: "https://api.example.org",
            properties: { api: is ? "towns.csv" : "gone.csv" },
          }),
      ],
      [
        "a file by URL",
        (c: Client, is: boolean) =>
          list(c, { provider: "files", host: `http://127.0.0.1:${is ? port : closedPort}/a.csv` }),
      ],
      [
        "a file by a short form of an address",
        (c: Client, is: boolean) =>
          list(c, { provider: "files", host: `http://127.1:${is ? port : closedPort}/a.csv` }),
      ],
      [
        "S3",
        (c: Client, is: boolean) =>
          list(c, {
            provider: "files",
            host: "s3://bucket/a",
            properties: { endpoint: `http://127.0.0.1:${is ? port : closedPort}` },
          }),
      ],
      [
        "an API",
        (c: Client, is: boolean) =>
          list(c, {
            provider: "rest",
            host: `http://127.0.0.1:${is ? port : closedPort}`,
            properties: { api: apiWith() },
          }),
      ],
      [
        "where an API issues tokens",
        (c: Client, is: boolean) =>
          list(c, {
            provider: "rest",
            host: "http://127.0.0.1:1",
            identifier: "ada",
            token: "t",
            properties: {
              api: apiWith({
                authentication: {
                  type: "oauth2",
                  tokenUrl: `http://127.0.0.1:${is ? port : closedPort}/token`,
                },
              }),
            },
          }),
      ],
      ...["postgresql", "mysql", "mariadb", "clickhouse"].map(
        (provider) =>
          [
            provider,
            (c: Client, is: boolean) => list(c, accountOf(provider, is ? port : closedPort)),
          ] as const,
      ),
      ["a plugin", (c: Client, is: boolean) => plugin(c, is ? port : closedPort)],
      ...["webhook", "slack", "teams"].map(
        (type) =>
          [
            `a channel of type ${type}`,
            (c: Client, is: boolean) => channel(c, type, is ? port : closedPort),
          ] as const,
      ),
      ["an issuer", (c: Client, is: boolean) => issuer(c, is ? port : closedPort)],
    ] as const;

  for (const [place, [what]] of ways(all, 0).entries())
    test(`an organization that signed up itself can neither reach ${what} nor learn whether it exists`, async () => {
      const before = [...arrived];
      const entries = [
        [all, openPort],
        [own, ownPort],
      ] as const;
      // Whether an entry applies to the caller is decided by the same rule for every way to reach the target.
      for (const [folder, port] of rounds({ quick: [entries[place % 2]!], deep: [...entries] })) {
        const [, attempt] = ways(folder, port)[place]!;
        const [there, missing] = [await attempt(stranger, true), await attempt(stranger, false)];
        const plain = ({ status, text }: Answer) =>
          `${status} ${text.replaceAll(/\d{4,5}\b/g, "PORT").replaceAll(/gone|shop|towns|\bp\d+/g, "NAME")}`;
        assert.is(plain(there), plain(missing));
        assert.ok(there.status >= 400 && there.status < 500, plain(there));
        assert.not.match(there.text, /refused the connection|ECONNREFUSED|returned status/);
      }
      assert.equal([...arrived], before, "no connection was made");
    });

  test("the operator's organization can use entries without ids, but no other organization's entries", async () => {
    const reached = async (client: Client, folder: string, port: number) => {
      const answers: string[] = [];
      for (const [what, attempt] of waysOf(client, folder, port))
        if ((await attempt()).status === 200) answers.push(what);
      return answers;
    };
    const waysOf = (client: Client, folder: string, port: number) => {
      const inQuick = [
        ["sqlite", () => list(client, { provider: "sqlite", host: join(folder, "shop.sqlite") })],
        ["webhook", () => channel(client, "webhook", port)],
      ] as const;
      // One rule decides for all files, and one for all addresses.
      return rounds<readonly (readonly [string, () => Promise<Answer>])[]>({
        quick: inQuick,
        deep: [
          ...inQuick,
          ["files", () => list(client, { provider: "files", host: join(folder, "towns.csv") })],
          [
            "url",
            () => list(client, { provider: "files", host: `http://127.0.0.1:${port}/a.csv` }),
          ],
        ],
      });
    };
    const everything = waysOf(owner, all, openPort).map(([what]) => what);
    assert.equal(await reached(owner, all, openPort), everything);
    assert.equal(await reached(owner, own, ownPort), []);
    assert.equal(await reached(named, own, ownPort), everything);
    assert.equal(await reached(named, all, openPort), []);
    assert.equal(await reached(stranger, all, openPort), []);
  });

  test("the API neither shows nor changes whether an organization has signed up itself", async () => {
    const { rows } = await stranger.get("organization");
    const id = String(rows[0]?.["id"]);
    assert.not.match(JSON.stringify(rows), "signed_up");
    await answerOf(stranger.update("organization", id, { signed_up: false } as never));
    const sought = await answerOf(stranger.get("organization", { where: { signed_up: true } }));
    assert.is(sought.status, 400);
    const again = await list(stranger, { provider: "files", host: "towns.csv" });
    assert.is(again.status, 422);
  });

  test("removing an organization's entry from the settings blocks its accounts, plugins and channels at the next start", async () => {
    // A file by URL is read by a process with DuckDB, which costs much more than a message.
    const stored =
      layer === "deep" &&
      (await named.create<{ id: string }>("account", {
        provider: "files",
        name: "stored",
        host: `http://127.0.0.1:${ownPort}/a.csv`,
      }));
    const config = { url: `http://127.0.0.1:${ownPort}/hook` };
    const hook = await named.create<{ id: string }>("channel", { type: "webhook", config });
    const problemOfHook = async () => {
      const { results } = await named.test<{ results: Json[] }>("channel", { id: hook.id });
      return results[0]?.["problem"];
    };
    const local = await named.create<{ id: string }>("account", {
      provider: "sqlite",
      name: "local",
      host: "shop.sqlite",
    });
    const made = await named.create<{ data: { id: string; columns: Json[] }[] }>("dataprovider", {
      provider: "sqlite",
      account_id: local.id,
      datasets: ["towns"],
    });
    const [dataset] = made.data;
    const columns = await named.get("column", { where: { securable_id: dataset!.id } });
    const query = {
      dimensions: [{ dataset_id: dataset!.id, column_id: columns.rows[0]?.["id"] }],
    };
    const sendQuery = () => answerOf(named.get("data", query as never));
    const lists = (provider: string, account_id: string) =>
      answerOf(named.get("dataprovider", { provider, account_id } as never));
    assert.match((await sendQuery()).text, "Ghent");
    assert.is(await problemOfHook(), null);
    if (stored) assert.is((await lists("files", stored.id)).status, 200);
    await restart({ fileFolders: [all, own], egressAllow: [`127.0.0.1:${ownPort}`] });
    const before = arrived.get(ownPort);
    for (const answer of [
      await sendQuery(),
      await lists("sqlite", local.id),
      ...(stored ? [await lists("files", stored.id)] : []),
    ]) {
      assert.is(answer.status, 422, answer.text);
      assert.match(answer.text, /MANIFOLD_(EGRESS_ALLOW|FILE_FOLDERS)/);
    }
    assert.match(String(await problemOfHook()), /not (a public|an allowed) address/);
    assert.is(arrived.get(ownPort), before);
    // A third start would only show again what the first query has shown.
    if (layer === "quick") return;
    await restart(granted());
    assert.match((await sendQuery()).text, "Ghent");
  });
});
