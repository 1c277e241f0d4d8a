import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type Config, type ConnectorImports, readConfig } from "../../../../core/base/config.ts";
import { openConnections } from "../../../../core/sources/connections/index.ts";
import type { Connections, Principal } from "../../../../core/base/contracts/index.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { createFakeConnector } from "../../../support/fakeConnector.ts";
import { createMemoryRecords, type MemoryRecords } from "../../../support/memoryRecords.ts";
import { failureOf, refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const principal: Principal = {
  authorizationId: "a1",
  authorizationType: "api",
  userId: "u1",
  organizationId: "o1",
  organizationRole: "owner",
  name: "Ada",
  email: "ada@example.org",
};
const signal = () => new AbortController().signal;

const store = {
  capabilities: { write: true, temporary: true },
  datasets: async () => [],
  query: async () => ({ rowCount: 0, columns: [] }),
  write: async () => ({ rowCount: 0, version: "1" }),
};
const inProcess = { plugins: new Map([["strata", store]]), close: async () => {} };

const source = `
export const slug = "firebird";
export const properties = [{ id: "host", label: "Host", type: "text", required: true }];
export const open = async () => ({
  capabilities: {},
  datasets: async () => [{ id: "d", name: { en: "D" }, columns: [{ id: "c", name: {}, type: "numeric" }] }],
  query: async () => ({ rowCount: 0, columns: [] }),
});
`;

/** A package whose errors come from another copy of the library for authors, which npm may have installed. */
const otherCopy = `
const mark = Symbol.for("@manifold-analytics/plugin/PluginError");
export class PluginError extends Error {
  name = "PluginError";
  constructor(code, details) {
    super(code);
    Object.assign(this, { code, details, status: 403 });
  }
}
Object.defineProperty(PluginError.prototype, mark, { value: true });
`;

suite("core/sources/connections/loadConnectorPackages", (test) => {
  let folder: string;
  let records: MemoryRecords;
  const opened: Connections[] = [];
  test.before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-connectors-")));
  });
  test.beforeEach(() => {
    records = createMemoryRecords();
  });
  test.afterEach(async () => {
    for (const connections of opened.splice(0)) await connections.close();
  });
  test.after(() => rmSync(folder, { recursive: true }));

  /** Installs a package with one module, and returns its entry of MANIFOLD_CONNECTORS. */
  const install = (name: string, text: string, manifest: object = {}, place = folder) => {
    const own = join(place, "node_modules", name);
    mkdirSync(own, { recursive: true });
    const described = {
      name,
      version: "1.0.0",
      type: "module",
      exports: "./index.js",
      ...manifest,
    };
    writeFileSync(join(own, "package.json"), JSON.stringify(described));
    writeFileSync(join(own, "index.js"), text);
    return `npm:${name}`;
  };
  const open = async (
    connectors: readonly string[],
    connectorImports: ConnectorImports = {},
    settings: Partial<Config> = {},
  ) => {
    const connections = await openConnections({
      config: readConfig({ connectors, pluginTimeoutMs: 5000, ...settings }, {}),
      connectorImports,
      packageFolders: [folder, join(folder, "host")],
      records,
      plugins: inProcess,
    });
    opened.push(connections);
    return connections;
  };
  const refusedStart = async (...given: Parameters<typeof open>): Promise<string> => {
    const failure = await open(...given).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(failure, Error);
    return failure instanceof Error ? failure.message : "";
  };
  const slugs = async (connections: Connections) =>
    (await connections.providers(principal)).map(({ provider }) => provider);

  test("a package is loaded from the folder of the process, and accounts use it like a connector of the host", async () => {
    const entry = install("@acme/manifold-firebird", source);
    const connections = await open([entry]);
    assert.equal(await slugs(connections), ["firebird"]);
    const [provider] = await connections.providers(principal, "firebird");
    assert.is(provider?.kind, "connector");
    assert.equal(await connections.connectorProperties("firebird"), [
      { id: "host", label: "Host", type: "text", required: true },
    ]);
    const account = { provider: "firebird", host: "db.example.org" };
    const connection = await connections.candidate(account, principal);
    assert.is(connection.name, "firebird");
    assert.is(connection.isTrusted, true);
    assert.is((await connection.datasets({ signal: signal() }))[0]?.id, "d");
  });

  test("a package that exists only in the host's folder is found there", async () => {
    const entry = install("only-there", source, {}, join(folder, "host"));
    assert.equal(await slugs(await open([entry])), ["firebird"]);
  });

  test("an entry can set the slug of a package, and the entry `all` includes every connector of the host", async () => {
    const entry = `fb=${install("@acme/manifold-firebird", source)}`;
    assert.equal(await slugs(await open(["postgresql", entry])), ["fb", "postgresql"]);
    assert.equal(await slugs(await open(["all", entry])), [
      "clickhouse",
      "fb",
      "files",
      "mariadb",
      "mysql",
      "postgresql",
      "rest",
    ]);
  });

  test("a CommonJS package can export its connector", async () => {
    const text = `module.exports = Object.assign({}, { slug: "old", properties: [], open: async () => ({}) });`;
    const manifest = { type: "commonjs", exports: undefined, main: "index.js" };
    assert.equal(await slugs(await open([install("common", text, manifest)])), ["old"]);
  });

  test("a program can pass its own connectors to openHost", async () => {
    const fake = createFakeConnector();
    const connections = await open(["mysql"], { firebird: async () => fake.module });
    assert.equal(await slugs(connections), ["firebird", "mysql"]);
    await connections.candidate({ provider: "firebird", host: "x" }, principal);
    assert.is(fake.opened.length, 1);
    await connections.close();
    assert.is(fake.closeCount, 1);
  });

  test("a connector for files needs a folder, and the host of its accounts may be a path", async () => {
    const entry = install("sheets", `${source}\nexport const files = "only";`);
    assert.match(
      await refusedStart([entry]),
      /sheets \(firebird\) opens files; set .* MANIFOLD_FILE_FOLDERS/,
    );
    const connections = await open([entry], {}, { fileFolders: [folder] });
    await connections.refuseCandidate({ provider: "firebird", host: "127.0.0.1" }, principal);
    const other = await open([install("servers", source)]);
    const failure = await failureOf(
      other.refuseCandidate({ provider: "firebird", host: "127.0.0.1" }, principal),
    );
    assert.match(failure.message, /is not a public address/);
  });

  for (const [what, entries, message] of [
    [
      "a package that is not installed",
      ["npm:@acme/none"],
      /@acme\/none is not installed in .* or .*; run npm install @acme\/none/,
    ],
    [
      "a version in an entry",
      ["npm:@acme/x@1.2.3"],
      /must name an installed package without a version or path/,
    ],
    [
      "a path in an entry",
      ["x=npm:./x.js"],
      /must name an installed package without a version or path/,
    ],
    ["an empty name", ["npm:"], /must name an installed package/],
    ["none next to a package", ["none", "npm:good"], /contains none, which must be its only entry/],
    ["an unknown connector", ["oracle"], /"oracle", which is not a connector; .*slug=npm:package/],
    [
      "an invalid slug",
      ["Fire Bird=npm:good"],
      /slug "Fire Bird", which must have 1 to 50 lowercase letters/,
    ],
    [
      "the slug of a plugin of the host",
      ["strata=npm:good"],
      /must not be one of all, none, strata/,
    ],
    [
      "the slug of a connector of the host",
      ["mysql=npm:good"],
      /has the slug mysql, which a connector of the host has too; choose a slug, as in my-mysql=npm:good/,
    ],
    [
      "two packages with one slug",
      ["npm:good", "npm:same"],
      /same has the slug firebird, which MANIFOLD_CONNECTORS: good has too/,
    ],
    [
      "a package without a slug",
      ["npm:nameless"],
      /nameless does not export a slug; choose a slug, as in firebird=npm:nameless/,
    ],
    [
      "a package without open",
      ["npm:closed"],
      /closed must export open.*it exports properties, slug/,
    ],
    ["a package that exports nothing", ["npm:empty"], /empty must export open.*it exports nothing/],
    [
      "a package that throws at import",
      ["npm:throws"],
      /throws cannot be imported: no licence found/,
    ],
    [
      "a package whose dependency is missing",
      ["npm:lacks"],
      /lacks cannot be imported: Cannot find package 'node-firebird-none'/,
    ],
    ["a package with a syntax error", ["npm:broken"], /broken cannot be imported: /],
    [
      "another version of the protocol",
      ["npm:newer"],
      /newer speaks the protocol "manifold-2", but a connector of this host must speak manifold-1/,
    ],
    [
      "a property of an unknown type",
      ["npm:odd"],
      /odd: properties\[1\] must have an id, a label, and a type \(text,/,
    ],
    [
      "a repeated property",
      ["npm:twice"],
      /twice: the ids of properties must be distinct, but HOST occurs twice/,
    ],
    [
      "an unknown kind of files",
      ["npm:filed"],
      /filed exports files "always", which must be "only" or "also"/,
    ],
  ] as const)
    test(`the host does not start with ${what}`, async () => {
      install("good", source);
      install("same", source);
      install("nameless", source.replace(/export const slug.*/, ""));
      install(
        "closed",
        source.replace("const open", "const opens").replace("export const opens", "const opens"),
      );
      install("empty", "");
      install("throws", `throw new Error("no licence found");`);
      install("lacks", `import "node-firebird-none";\n${source}`);
      install("broken", "export const = 1;");
      install("newer", `${source}\nexport const protocolVersion = "manifold-2";`);
      install("odd", source.replace("}];", `}, { id: "x", label: "X", type: "date" }];`));
      install("twice", source.replace("}];", `}, { id: "HOST", label: "X", type: "text" }];`));
      install("filed", `${source}\nexport const files = "always";`);
      assert.match(await refusedStart(entries), message);
    });

  test("the host refuses to start if an import fails or if two sources use the same slug", async () => {
    const { module } = createFakeConnector();
    const at = async (imports: object, entries: readonly string[] = ["none"]) =>
      refusedStart(entries, imports as ConnectorImports);
    assert.match(
      await at({ x: async () => Promise.reject(new Error("gone")) }),
      /connectors\.x of openHost cannot be imported: gone/,
    );
    assert.match(
      await at({ x: "npm:x" }),
      /connectors\.x of openHost must be a function that imports a connector/,
    );
    assert.match(
      await at({ x: async () => undefined }),
      /connectors\.x of openHost must be a module, not undefined/,
    );
    assert.match(
      await at({ rest: async () => module }),
      /has the slug rest, which a connector of the host has too; choose another member name in connectors/,
    );
    install("good", source);
    assert.match(
      await at({ firebird: async () => module }, ["npm:good"]),
      /connectors\.firebird of openHost has the slug firebird, which MANIFOLD_CONNECTORS: good has too/,
    );
  });

  test("an account cannot be created if its connector cannot be opened or opens something that is not a plugin", async () => {
    const failing = { properties: [], open: async () => Promise.reject(new Error("secret")) };
    const refusing = {
      properties: [],
      open: async () => {
        throw new PluginError("PLUGIN_UNREADABLE", ["the licence has expired"]);
      },
    };
    const wrong = { properties: [], open: async () => ({ datasets: 1 }) };
    const connections = await open(["none"], {
      failing: async () => failing,
      refusing: async () => refusing,
      wrong: async () => wrong,
    });
    const failureWith = async (provider: string) =>
      failureOf(connections.candidate({ provider }, principal));
    assert.match(
      (await failureWith("failing")).message,
      /an unexpected error \(connection failing\)/,
    );
    assert.match(
      (await failureWith("refusing")).message,
      /the licence has expired \(connection refusing\)/,
    );
    assert.match(
      (await failureWith("wrong")).message,
      /open of the connector wrong must return a plugin with capabilities, datasets and query/,
    );
    assert.is(
      (await refusal(connections.candidate({ provider: "gone" }, principal))).code,
      "MEMBER_INVALID",
    );
  });

  test("errors of another copy of the library keep their code and details", async () => {
    install(
      "copied",
      `${otherCopy}${source
        .replace(
          "datasets: async () => [",
          `authorize: async () => { throw new PluginError("PLUGIN_FORBIDDEN", ["wrong password"]); },
      query: async () => { throw new PluginError("PLUGIN_FROM_2031", ["canary"]); },
      datasets: async () => [`,
        )
        .replace("query: async () => ({ rowCount: 0, columns: [] }),", "")}`,
    );
    const connections = await open(["npm:copied"]);
    const connection = await connections.candidate({ provider: "firebird" }, principal);
    const failure = await failureOf(connection.authorize({ signal: signal() }));
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.match(failure.message, /wrong password \(connection firebird\)/);
    const query = {
      id: "d",
      columns: [{ column_id: "c" }],
      filters: [],
      options: { pushdown: false },
    };
    const unknown = await failureOf(
      connection.query(query, { id: "d", columns: [] }, { signal: signal() }),
    );
    assert.is(unknown.code, "PLUGIN_BUG");
    assert.not.match(unknown.message, "canary");
  });
});
