import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { suite } from "./support/suite.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

interface Layer {
  /** Folders of ours whose files this one may import, itself aside. */
  readonly ours: readonly string[];
  /** Folders of ours that it may import through their `index.ts` only. */
  readonly doors?: readonly string[];
  readonly packages: readonly string[];
}

/** Who may import whom: the table of the architecture. */
const layers: Readonly<Record<string, Layer>> = {
  engine: { ours: [], packages: ["piscina", "apache-arrow", "hyparquet", "assemblyscript"] },
  "plugins/protocol": { ours: [], packages: ["typebox"] },
  "plugins/sdk": { ours: [], doors: ["plugins/protocol"], packages: ["koa", "@koa/router"] },
  "plugins/conformance": { ours: [], doors: ["plugins/protocol", "plugins/sdk"], packages: [] },
  "plugins/strata": {
    ours: [],
    doors: ["plugins/protocol", "plugins/sdk", "engine"],
    packages: [],
  },
  connectors: {
    ours: [],
    doors: ["plugins/protocol", "plugins/sdk"],
    packages: ["knex", "pg", "got"],
  },
  core: {
    ours: [],
    doors: ["plugins/protocol"],
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
      "request-filtering-agent",
    ],
  },
  examples: { ours: [], packages: ["manifold", "hyparquet"] },
};

/** Folders of the core that have a door of their own. */
const coreDoors = [
  "access",
  "audit",
  "catalog",
  "connections",
  "contracts",
  "data",
  "expressions",
  "middleware",
  "openapi",
  "outbox",
  "queries",
  "resources",
  "transfer",
];

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function imports(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const pattern =
    /^(?:import|export)\s+(?:type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    specifier: match[1] ?? match[2] ?? "",
  }));
}

const layerOf = (file: string): string | undefined =>
  Object.keys(layers).find((folder) => file === folder || file.startsWith(`${folder}/`));

/** Why an import breaks the table; undefined when it does not. */
function breach({ file, specifier }: Import): string | undefined {
  const layer = layerOf(file);
  if (!layer) return `${file} is in no folder of the table`;
  const allowed = layers[layer]!;
  if (!specifier.startsWith(".")) {
    const name = specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
    if (specifier.startsWith("node:") || allowed.packages.includes(name)) return undefined;
    return builtinModules.includes(name)
      ? `${file} imports ${specifier} without node:`
      : `${file} imports the package ${name}`;
  }
  const target = relative(root, resolve(root, dirname(file), specifier))
    .split(sep)
    .join("/");
  const targetLayer = layerOf(target);
  if (targetLayer === layer) {
    if (layer === "connectors" && file.split("/")[1] !== target.split("/")[1])
      return `${file} imports another connector, ${target}`;
    return layer === "core" ? behindDoor(file, target) : undefined;
  }
  if (targetLayer && allowed.doors?.includes(targetLayer) && target === `${targetLayer}/index.ts`)
    return undefined;
  return `${file} imports ${target}`;
}

/** Between folders of the core only doors are imported. */
function behindDoor(file: string, target: string): string | undefined {
  const folderOf = (path: string) => path.slice("core/".length).split("/")[0]!;
  const from = folderOf(file);
  const to = folderOf(target);
  if (from === to || !coreDoors.includes(to) || target.endsWith("/index.ts")) return undefined;
  return `${file} goes past the door of core/${to} to ${target}`;
}

suite("layers", (test) => {
  const files = Object.keys(layers)
    .map((layer) => layer.split("/")[0]!)
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .flatMap((folder) => {
      try {
        return sources(folder);
      } catch (failure) {
        if ((failure as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw failure;
      }
    });

  test("the table sees the sources and their imports", () => {
    assert.ok(files.length > 30, `${files.length} files`);
    assert.ok(files.flatMap(imports).length > files.length);
  });

  test("a breach is found", () => {
    assert.match(breach({ file: "engine/x.ts", specifier: "koa" }) ?? "", "package koa");
    assert.match(breach({ file: "core/x.ts", specifier: "../engine/index.ts" }) ?? "", "engine");
    assert.match(
      breach({
        file: "plugins/strata/x.ts",
        specifier: "../../engine/types.ts",
      }) ?? "",
      "engine/types.ts",
    );
  });

  test("every import is one that the architecture allows", () => {
    const breaches = files
      .flatMap(imports)
      .map(breach)
      .filter((found) => found !== undefined);
    assert.equal(breaches, []);
  });

  test("every folder has a door, and the door says what is here and what it may import", () => {
    const doors = [
      "engine",
      "plugins/protocol",
      "plugins/sdk",
      "plugins/strata",
      ...coreDoors.map((door) => `core/${door}`),
    ];
    for (const door of doors) {
      const [first, second] = readFileSync(join(root, door, "index.ts"), "utf8").split("\n");
      assert.match(first ?? "", /^\/\/ \S/, `${door}/index.ts, line 1`);
      assert.match(second ?? "", /^\/\/ May import/, `${door}/index.ts, line 2`);
    }
  });

  test("test files take uvu through the project's own suite", () => {
    const direct = sources("test").filter(
      (file) =>
        // The suite itself, and what runs what suites declare.
        !["test/support/suite.ts", "test/run/fileProcess.ts"].includes(file) &&
        imports(file).some(({ specifier }) => specifier === "uvu"),
    );
    assert.equal(direct, []);
  });
});
