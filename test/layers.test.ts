import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { falseDoors } from "./support/falseDoors.ts";
import { falseRooms } from "./support/falseRooms.ts";
import {
  circlesOf,
  fileArrows,
  importsOf,
  packageOf,
  readSources,
  roomArrows,
  targetOf,
  type Import,
} from "./support/importGraph.ts";
import { suite } from "./support/suite.ts";

/** The modules of Python's standard library that the library for plugin authors imports. */
const pythonModules = new Set([
  "__future__",
  "dataclasses",
  "datetime",
  "decimal",
  "hashlib",
  "hmac",
  "http.server",
  "json",
  "math",
  "pathlib",
  "re",
  "signal",
  "socket",
  "sqlite3",
  "sys",
  "threading",
  "traceback",
  "typing",
  "unicodedata",
]);

interface Layer {
  /** Other folders whose files this folder may import. */
  readonly ours: readonly string[];
  /** Other folders that this folder may import only through their `index.ts`. */
  readonly doors?: readonly string[];
  readonly packages: readonly string[];
}

/** The imports that the architecture allows for each folder. */
const layers: Readonly<Record<string, Layer>> = {
  "engine/fair": { ours: [], packages: [] },
  engine: {
    ours: [],
    doors: ["engine/fair"],
    packages: ["piscina", "p-queue"],
  },
  "plugins/protocol": { ours: [], packages: ["typebox"] },
  "plugins/meanings": { ours: [], doors: ["plugins/protocol"], packages: [] },
  "plugins/sdk": { ours: [], doors: ["plugins/protocol"], packages: ["koa", "@koa/router"] },
  "plugins/sql": { ours: [], doors: ["plugins/protocol"], packages: [] },
  "plugins/rows/serving": { ours: [], packages: [] },
  "plugins/rows": {
    ours: [],
    doors: ["plugins/protocol", "plugins/sql", "plugins/rows/serving"],
    packages: ["apache-arrow", "flatbuffers", "hyparquet", "saxes", "yauzl"],
  },
  "plugins/conformance": {
    ours: [],
    doors: ["plugins/protocol", "plugins/meanings"],
    packages: [],
  },
  "plugins/strata": {
    ours: [],
    doors: ["plugins/protocol", "engine"],
    packages: [],
  },
  connectors: {
    ours: [],
    doors: [
      "plugins/protocol",
      "plugins/sql",
      "plugins/rows",
      "plugins/rows/formats",
      "plugins/rows/serving",
    ],
    packages: [
      "pg",
      "mysql2",
      "@clickhouse/client",
      "@duckdb/node-api",
      "got",
      "aws4fetch",
      "typebox",
    ],
  },
  core: {
    ours: [],
    doors: ["plugins/protocol", "plugins/meanings", "plugins/conformance"],
    packages: [
      "@fastify/busboy",
      "koa",
      "@koa/router",
      "typebox",
      "knex",
      "pg",
      "got",
      "p-queue",
      "apache-arrow",
      "pino",
      "pg-boss",
      "pg-copy-streams",
      "aws4fetch",
      "nodemailer",
      "openid-client",
      "scimmy",
      "otpauth",
      "@simplewebauthn/server",
      "@zxcvbn-ts/language-common",
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
      "topojson-client",
      "topojson-specification",
      "@resvg/resvg-js",
      "bidi-js",
      "content-disposition",
      "fontkit",
      "hyparquet-writer",
      "pdfkit",
      "yazl",
      "@modelcontextprotocol/server",
      "rolldown",
      "lit",
      "uqr",
      "prom-client",
      "@opentelemetry/api",
    ],
  },
  examples: {
    ours: [],
    packages: [
      "@manifold-analytics/host",
      "@manifold-analytics/plugin",
      "@manifold-analytics/client",
      "@manifold-analytics/embed",
      "hyparquet",
      "pg",
      "@electric-sql/pglite",
      "node-firebird",
      "@clickhouse/client",
      "@duckdb/node-api",
      "mysql2",
      "rolldown",
      "express",
      "next",
      "react",
      "react-dom",
      "vue",
      "@angular/core",
      "@angular/compiler",
      "@angular/platform-browser",
    ],
  },
};

/**
 * The districts of the core, lowest first, followed by the files that assemble them. Each entry may import only earlier
 * entries.
 */
const coreDistricts = [
  "web",
  "base",
  "catalog",
  "queries",
  "identity",
  "resources",
  "sources",
  "exports",
  "jobs",
  "assistant",
  "http",
  "operating",
  "ownerLink.ts",
  "start.ts",
  "openAct.ts",
  "openStorage.ts",
  "openIdentity.ts",
  "openWork.ts",
  "openHttp.ts",
  "host.ts",
  "index.ts",
  "cli",
];

/**
 * Folders outside the core that one district may import through their doors. For example, the host and the store follow
 * the same rules to share threads fairly, and these rules do not depend on a store.
 */
const districtDoors: Readonly<Record<string, readonly string[]>> = {
  base: ["engine/fair"],
  // Uploads are read by the readers of files, whose parsers run in processes.
  sources: ["plugins/rows/formats"],
};

/** The only file that may import the plugins of this process. */
const pluginLoader = "core/sources/connections/loadModule.ts";
const isOwnPlugin = (target: string) =>
  /^(connectors\/\w+|plugins\/strata)\/index\.ts$/.test(target);

const layerOf = (file: string): string | undefined =>
  Object.keys(layers).find((folder) => file === folder || file.startsWith(`${folder}/`));

/** Returns an explanation if the table of layers does not allow an import; otherwise undefined. */
function breach(each: Import): string | undefined {
  const { file, specifier } = each;
  const layer = layerOf(file);
  if (!layer) return `${file} is not in a folder of the table`;
  const allowed = layers[layer]!;
  const target = targetOf(each);
  if (target === undefined) {
    const name = packageOf(each);
    if (name === undefined || allowed.packages.includes(name)) return undefined;
    return builtinModules.includes(name)
      ? `${file} imports ${specifier} without the prefix node:`
      : `${file} imports the package ${name}`;
  }
  const targetLayer = layerOf(target);
  if (targetLayer === layer) {
    if (layer === "connectors" && file.split("/")[1] !== target.split("/")[1])
      return `${file} imports another connector, ${target}`;
    if (layer !== "core") return undefined;
    return pastDoor(file, target) ?? upward(file, target) ?? betweenWebRooms(file, target);
  }
  const doors = [
    ...(allowed.doors ?? []),
    ...((layer === "core" && districtDoors[districtOf(file)]) || []),
  ];
  if (doors.some((door) => target === `${door}/index.ts`)) return undefined;
  if (file === pluginLoader && isOwnPlugin(target)) return undefined;
  return `${file} imports ${target}`;
}

/** Returns the district of the core that contains a file. For a file next to the districts, returns its name. */
const districtOf = (file: string): string => file.split("/")[1] ?? "";

/** Browser folders that the host may import: charts for exports, and the client for commands. */
const webDoors = ["core/web/charts/index.ts", "core/web/client/index.ts"];

/**
 * Matches the doors of commands. A command is loaded only when it is called, but the district's door would load all
 * commands.
 */
const commandDoor = /^core\/operating\/\w+\/index\.ts$/;

/** Returns an explanation if an import between districts bypasses the door, otherwise undefined. */
function pastDoor(file: string, target: string): string | undefined {
  const to = districtOf(target);
  if (districtOf(file) === to || to.endsWith(".ts")) return undefined;
  if (to === "web" ? webDoors.includes(target) : target === `core/${to}/index.ts`) return undefined;
  if (file.startsWith("core/cli/") && commandDoor.test(target)) return undefined;
  return `${file} bypasses the door of core/${to} by importing ${target}`;
}

/** The browser folders that each browser folder may import. */
const webImports: Readonly<Record<string, readonly string[]>> = {
  charts: [],
  client: [],
  embed: ["charts", "client"],
  console: ["charts", "client", "embed"],
};
const webRooms = Object.keys(webImports);

/**
 * Returns an explanation if an import between browser folders is not allowed or bypasses a door, otherwise undefined.
 */
function betweenWebRooms(file: string, target: string): string | undefined {
  const [from = "", to = ""] = [file, target].map((path) => path.split("/")[2]);
  if (districtOf(file) !== "web" || from === to) return undefined;
  if (!webImports[from]?.includes(to)) return `${file}: ${from} imports ${to}`;
  if (target === `core/web/${to}/index.ts`) return undefined;
  return `${file} bypasses the door of core/web/${to} by importing ${target}`;
}

/** Returns an explanation if an import leads from a lower to a higher district, otherwise undefined. */
function upward(file: string, target: string): string | undefined {
  const [from, to] = [districtOf(file), districtOf(target)];
  if (from === to || coreDistricts.indexOf(to) < coreDistricts.indexOf(from)) return undefined;
  return `${file} imports upward: core/${to} is above core/${from}`;
}

/**
 * Returns the import cycles between files, and those between the entries of each folder. Each cycle is returned with
 * its folder.
 */
function circlesIn(imports: readonly Import[]): (readonly [place: string, circle: string[]])[] {
  const rooms = [...roomArrows(imports)].flatMap(([folder, arrows]) =>
    circlesOf(arrows).map((circle) => [folder, circle] as const),
  );
  return [...circlesOf(fileArrows(imports)).map((circle) => ["files", circle] as const), ...rooms];
}

const planted = (...files: readonly (readonly [file: string, text: string])[]) => new Map(files);

suite("layers", (test) => {
  const folders = Object.keys(layers).map((layer) => layer.split("/")[0]!);
  const sources = readSources([...new Set(folders)]);
  const imports = importsOf(sources);

  test("the list of districts names exactly the folders and files in core", () => {
    assert.ok(sources.size > 30, `${sources.size} files`);
    assert.ok(imports.length > sources.size);
    const found = new Set(
      [...sources.keys()].filter((file) => layerOf(file) === "core").map(districtOf),
    );
    assert.equal([...found].toSorted(), coreDistricts.toSorted());
  });

  test("the check of imports detects a wrong layer, an import past a folder's index.ts and an import of a higher district", () => {
    const found = (file: string, specifier: string) => breach({ file, specifier }) ?? "";
    assert.match(found("engine/x.ts", "koa"), "package koa");
    assert.match(found("engine/x.ts", "fs"), "without the prefix node:");
    assert.match(found("core/x.ts", "../engine/index.ts"), "engine");
    assert.match(found("core/base/x.ts", "../../engine/index.ts"), "engine");
    assert.match(found("core/base/x.ts", "../../engine/fair/fairShares.ts"), "engine/fair");
    assert.match(found("core/queries/x.ts", "../../engine/fair/index.ts"), "engine/fair");
    assert.match(found("engine/fair/x.ts", "../types.ts"), "engine/types.ts");
    assert.match(found("engine/x.ts", "./fair/fairShares.ts"), "engine/fair/fairShares.ts");
    assert.match(found("plugins/strata/x.ts", "../../engine/types.ts"), "engine/types.ts");
    assert.match(found("core/sources/x.ts", "../queries/parse/index.ts"), "bypasses the door");
    assert.match(found("core/queries/x.ts", "../identity/index.ts"), "imports upward");
    assert.match(found("core/base/errors.ts", "../catalog/index.ts"), "imports upward");
    assert.match(found("core/jobs/x.ts", "../web/console/index.ts"), "bypasses the door");
    assert.match(found("core/jobs/x.ts", "../operating/backup/index.ts"), "bypasses the door");
    assert.match(found("core/web/charts/x.ts", "../client/index.ts"), "charts imports client");
    assert.match(found("core/web/console/x.ts", "../charts/item/index.ts"), "bypasses the door");
    assert.match(found("core/web/client/x.ts", "../../base/index.ts"), "imports upward");
    assert.match(found("core/sources/x.ts", "../../plugins/strata/index.ts"), "plugins/strata");
    assert.match(found(pluginLoader, "../../../plugins/strata/toPlan.ts"), "plugins/strata");
    assert.is(found(pluginLoader, "../../../plugins/strata/index.ts"), "");
    assert.is(found("core/base/x.ts", "../../engine/fair/index.ts"), "");
    assert.is(found("core/cli/x.ts", "../operating/backup/index.ts"), "");
    assert.is(found("core/identity/x.ts", "../queries/index.ts"), "");
    assert.is(found("core/web/embed/x.ts", "../charts/index.ts"), "");
    assert.is(found("core/exports/x.ts", "../web/charts/index.ts"), "");
  });

  test("every import respects the table of layers", () => {
    assert.equal(
      imports.map(breach).filter((found) => found !== undefined),
      [],
    );
  });

  test("the check detects import cycles between files, even if the files import only types", () => {
    const circular = importsOf(
      planted(
        ["core/a.ts", 'import { b } from "./b.ts";\n'],
        ["core/b.ts", 'export { c } from "./c.ts";\n'],
        ["core/c.ts", 'import type { A } from "./a.ts";\n'],
        ["core/d.ts", 'import { a } from "./a.ts";\n'],
      ),
    );
    assert.equal(circlesOf(fileArrows(circular)), [["core/a.ts", "core/b.ts", "core/c.ts"]]);
  });

  test("the check detects an import cycle between folders even if no files form a cycle", () => {
    const circular = importsOf(
      planted(
        ["core/one/rooms/a.ts", 'import { b } from "../other/b.ts";\n'],
        ["core/one/other/b.ts", ""],
        ["core/one/other/c.ts", 'import type { D } from "../rooms/deep/d.ts";\n'],
      ),
    );
    assert.equal(circlesOf(fileArrows(circular)), []);
    assert.equal(circlesIn(circular), [["core/one", ["core/one/other", "core/one/rooms"]]]);
  });

  test("files and folders form no import cycles", () => {
    assert.equal(circlesIn(imports), []);
  });

  test("the check of index.ts files detects undeclared imports and unused declarations", () => {
    const line = "// A planted folder.\n// May import: core/errors; knex.\n";
    const files = planted(
      ["core/index.ts", "// All.\n// May import: core/one.\n"],
      ["core/errors.ts", ""],
      ["core/host.ts", 'import "./one/index.ts";\n'],
      ["core/one/index.ts", line],
      ["core/one/a.ts", 'import { e } from "../errors.ts";\nimport type { Knex } from "knex";\n'],
    );
    assert.equal(falseDoors(files), []);
    const more = falseDoors(new Map([...files, ["core/one/b.ts", 'import "koa";\n']]));
    assert.match(more.join(), "core/one/index.ts must list");
    assert.match(more.join(), "// May import: core/errors; knex, koa.");
    const less = falseDoors(new Map([...files, ["core/one/a.ts", 'import "knex";\n']]));
    assert.match(less.join(), "// May import: knex.");
  });

  test("every district has an index.ts that describes the district and lists its imports", () => {
    const doors = ["engine", "engine/fair", "plugins/protocol", "plugins/sdk", "plugins/strata"];
    for (const district of coreDistricts)
      if (district === "web") doors.push(...webRooms.map((room) => `core/web/${room}`));
      else if (!district.endsWith(".ts") && district !== "cli") doors.push(`core/${district}`);
    for (const door of doors)
      assert.match(sources.get(`${door}/index.ts`) ?? "", /^\/\/ \S.*\n\/\/ May import: /, door);
    assert.equal(falseDoors(sources), []);
  });

  test("each district's README lists every folder, in the order of imports if the README says so", () => {
    const districts = coreDistricts.filter((name) => !name.endsWith(".ts"));
    assert.equal(
      districts.flatMap((district) => falseRooms(`core/${district}`, imports)),
      [],
    );
    const upward = { file: "core/base/errors.ts", specifier: "./config.ts" };
    assert.match(falseRooms("core/base", [upward]).join(), "not above errors.ts");
    assert.match(falseRooms("core/resources/kernel", []).join(), "has no README.md");
  });

  test("the library for plugin authors in Python imports only the standard library and itself", () => {
    const folder = join(import.meta.dirname, "../plugins/python/src/manifold_plugin");
    const files = globSync("**/*.py", { cwd: folder });
    assert.ok(files.length > 10, String(files.length));
    const others = files.flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), "utf8").matchAll(/^\s*(?:from|import) ([\w.]+)/gm),
        ([, name = ""]) => `${file}: ${name}`,
      ).filter((found) => {
        const [, name = ""] = found.split(": ");
        return !name.startsWith(".") && !pythonModules.has(name);
      }),
    );
    // The door shows its own use in a comment.
    assert.equal(others, ["__init__.py: manifold_plugin"]);
  });

  test("test files declare tests only with the project's own suite function", () => {
    const allowed = ["test/support/suite.ts", "test/run/fileProcess.ts"];
    const direct = importsOf(readSources(["test"])).filter(
      ({ file, specifier }) => specifier === "uvu" && !allowed.includes(file),
    );
    assert.equal(direct, []);
  });
});
