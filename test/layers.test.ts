import { builtinModules } from "node:module";
import * as assert from "uvu/assert";
import { falseDoors } from "./support/falseDoors.ts";
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

interface Layer {
  /** Folders of ours whose files this one may import, itself aside. */
  readonly ours: readonly string[];
  /** Folders of ours that it may import through their `index.ts` only. */
  readonly doors?: readonly string[];
  readonly packages: readonly string[];
}

/** Who may import whom: the table of the architecture. */
const layers: Readonly<Record<string, Layer>> = {
  engine: { ours: [], packages: ["piscina", "apache-arrow", "hyparquet"] },
  "plugins/protocol": { ours: [], packages: ["typebox"] },
  "plugins/meanings": { ours: [], doors: ["plugins/protocol"], packages: [] },
  "plugins/sdk": { ours: [], doors: ["plugins/protocol"], packages: ["koa", "@koa/router"] },
  "plugins/sql": { ours: [], doors: ["plugins/protocol"], packages: [] },
  "plugins/rows/serving": { ours: [], packages: [] },
  "plugins/rows": {
    ours: [],
    doors: ["plugins/protocol", "plugins/sql", "plugins/rows/serving"],
    packages: ["apache-arrow", "hyparquet", "saxes", "yauzl"],
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
    doors: ["plugins/protocol", "plugins/sql", "plugins/rows", "plugins/rows/serving"],
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
      "d3-format",
      "d3-hierarchy",
      "d3-interpolate",
      "d3-scale",
      "d3-shape",
      "d3-time-format",
      "@resvg/resvg-js",
      "bidi-js",
      "fontkit",
      "fflate",
      "fzstd",
      "hyparquet",
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
      "manifold",
      "hyparquet",
      "pg",
      "@electric-sql/pglite",
      "@clickhouse/client",
      "@duckdb/node-api",
      "mysql2",
      "rolldown",
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
 * The floors of the core, lowest first: each may import those before it, and no other. Folders, and files of the ground
 * floor.
 */
const coreFloors = [
  "charts",
  "calls",
  "client.ts",
  "console",
  "assets",
  "json",
  "process",
  "errors.ts",
  "operations",
  "config.ts",
  "contracts",
  "catalog",
  "audit",
  "quotas",
  "factors",
  "outbox",
  "expressions",
  "queries",
  "access",
  "account",
  "signOn",
  "resources",
  "connections",
  "data",
  "exports",
  "synchronization",
  "acceleration",
  "jobs",
  "operator",
  "secrets",
  "backup",
  "move",
  "doctor",
  "assistant",
  "middleware",
  "openapi",
  "server",
  "handlers.ts",
  "app.ts",
  "openSignIn.ts",
  "operatorQuestions.ts",
  "host.ts",
  "index.ts",
  "transfer",
  "runAuditCommand.ts",
  "runJobsCommand.ts",
  "runOwnerCommand.ts",
  "runQuotaCommand.ts",
  "authoring",
  "isolation",
  "command.ts",
  "main.ts",
];

const layerOf = (file: string): string | undefined =>
  Object.keys(layers).find((folder) => file === folder || file.startsWith(`${folder}/`));

/** Says why an import breaks the table; undefined when it does not. */
function breach(each: Import): string | undefined {
  const { file, specifier } = each;
  const layer = layerOf(file);
  if (!layer) return `${file} is in no folder of the table`;
  const allowed = layers[layer]!;
  const target = targetOf(each);
  if (target === undefined) {
    const name = packageOf(each);
    if (name === undefined || allowed.packages.includes(name)) return undefined;
    return builtinModules.includes(name)
      ? `${file} imports ${specifier} without node:`
      : `${file} imports the package ${name}`;
  }
  const targetLayer = layerOf(target);
  if (targetLayer === layer) {
    if (layer === "connectors" && file.split("/")[1] !== target.split("/")[1])
      return `${file} imports another connector, ${target}`;
    return layer === "core" ? (pastDoor(file, target) ?? upward(file, target)) : undefined;
  }
  if (targetLayer && allowed.doors?.includes(targetLayer) && target === `${targetLayer}/index.ts`)
    return undefined;
  return `${file} imports ${target}`;
}

/** A folder of the core, or a file of its ground floor. */
const floorOf = (file: string): string => file.split("/")[1] ?? "";

/** Between folders of the core only doors are imported. */
function pastDoor(file: string, target: string): string | undefined {
  const to = floorOf(target);
  if (floorOf(file) === to || to.endsWith(".ts") || target === `core/${to}/index.ts`)
    return undefined;
  return `${file} goes past the door of core/${to} to ${target}`;
}

/** A floor of the core imports lower ones only. */
function upward(file: string, target: string): string | undefined {
  const [from, to] = [floorOf(file), floorOf(target)];
  if (from === to || coreFloors.indexOf(to) < coreFloors.indexOf(from)) return undefined;
  return `${file} imports upward: core/${to} is above core/${from}`;
}

/** All circles between files, and between what each folder holds, by where they are. */
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

  test("the table sees the sources and their imports", () => {
    assert.ok(sources.size > 30, `${sources.size} files`);
    assert.ok(imports.length > sources.size);
    const floors = new Set(
      [...sources.keys()].filter((file) => layerOf(file) === "core").map(floorOf),
    );
    assert.equal([...floors].toSorted(), coreFloors.toSorted());
  });

  test("an import of another layer, past a door, or of a higher floor is found", () => {
    const found = (file: string, specifier: string) => breach({ file, specifier }) ?? "";
    assert.match(found("engine/x.ts", "koa"), "package koa");
    assert.match(found("engine/x.ts", "fs"), "without node:");
    assert.match(found("core/x.ts", "../engine/index.ts"), "engine");
    assert.match(found("plugins/strata/x.ts", "../../engine/types.ts"), "engine/types.ts");
    assert.match(found("core/data/x.ts", "../queries/question.ts"), "past the door");
    assert.match(found("core/queries/x.ts", "../access/index.ts"), "imports upward");
    assert.match(found("core/errors.ts", "./contracts/index.ts"), "imports upward");
    assert.is(found("core/access/x.ts", "../queries/index.ts"), "");
  });

  test("every import is one that the architecture allows", () => {
    assert.equal(
      imports.map(breach).filter((found) => found !== undefined),
      [],
    );
  });

  test("a circle between files is found, type-only imports included", () => {
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

  test("a circle between folders is found where their files form none", () => {
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

  test("no files and no folders import each other in a circle", () => {
    assert.equal(circlesIn(imports), []);
  });

  test("an import that a door does not name is found, and a name that nothing imports", () => {
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
    assert.match(more.join(), "core/one/index.ts must say");
    assert.match(more.join(), "// May import: core/errors; knex, koa.");
    const less = falseDoors(new Map([...files, ["core/one/a.ts", 'import "knex";\n']]));
    assert.match(less.join(), "// May import: knex.");
  });

  test("every folder of the first level has a door, which says on two lines what is here and what it imports", () => {
    const rooms = coreFloors
      .filter((floor) => !floor.endsWith(".ts"))
      .map((room) => `core/${room}`);
    const doors = ["engine", "plugins/protocol", "plugins/sdk", "plugins/strata", ...rooms];
    for (const door of doors)
      assert.match(sources.get(`${door}/index.ts`) ?? "", /^\/\/ \S.*\n\/\/ May import: /, door);
    assert.equal(falseDoors(sources), []);
  });

  test("test files take uvu through the project's own suite", () => {
    const allowed = ["test/support/suite.ts", "test/run/fileProcess.ts"];
    const direct = importsOf(readSources(["test"])).filter(
      ({ file, specifier }) => specifier === "uvu" && !allowed.includes(file),
    );
    assert.equal(direct, []);
  });
});
