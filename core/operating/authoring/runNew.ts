import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { namesOf } from "../../../plugins/protocol/index.ts";
import { packageVersion } from "../../base/index.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { oneArgument } from "./oneArgument.ts";
import { packageSource } from "./packageSource.ts";
import { leastNode } from "./templates/nodeTemplate.ts";
import { type PluginKind, projectFiles, toolVersions } from "./templates/projectTemplate.ts";
import { recordedPage, restTemplate } from "./templates/restTemplate.ts";
import { rowsTemplate } from "./templates/rowsTemplate.ts";
import { serveTemplate } from "./templates/serveTemplate.ts";
import { sqlTemplate } from "./templates/sqlTemplate.ts";

interface PluginFiles {
  readonly plugin: string;
  /** Other files that the plugin reads when it runs, by path. */
  readonly extra?: Readonly<Record<string, string>>;
}

const kinds: Readonly<Record<PluginKind, PluginFiles>> = {
  rows: { plugin: rowsTemplate },
  rest: { plugin: restTemplate, extra: { "recorded.json": recordedPage } },
  sql: { plugin: sqlTemplate },
};

const flags = {
  kind: { type: "string" },
  name: { type: "string" },
  folder: { type: "string" },
} as const;

/**
 * Runs `manifold plugin new`. It writes a project that installs, passes its tests, builds and packs without changes.
 * @throws {Error} for an invalid name or kind, and for a folder that exists
 */
export async function runNew(args: readonly string[], io: PluginCommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const given = oneArgument(positionals, "plugin new requires one name");
  checkName(given);
  const name = values.name ?? given;
  checkName(name);
  const kind = kindOf(values.kind ?? "rows");
  const shortName = withoutScope(name);
  const folder = resolve(values.folder ?? withoutScope(given));
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  const { plugin, extra = {} } = kinds[kind];
  const source = packageSource();
  const files = {
    ...projectFiles({
      name,
      shortName,
      kind,
      range: `^${packageVersion()}`,
      spec: source.spec,
      extraFiles: Object.keys(extra),
    }),
    "src/plugin.ts": plugin,
    "src/serve.ts": serveTemplate,
    ...extra,
  };
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  io.write(`${name} is a plugin of kind ${kind}: ${Object.keys(files).join(", ")}`);
  if (source.path !== undefined && !existsSync(source.path))
    io.write(`  npm run build          first, in the clone: it creates ${source.path}`);
  for (const step of [
    `cd ${relative(process.cwd(), folder)}`,
    "npm install",
    "npm test               runs the conformance kit",
    "npm run dev            serves the plugin, and starts it again after every change",
  ])
    io.write(`  ${step}`);
  io.write(
    `The project's commands need Node ${leastNode}. With an older Node, they use the one that this command has installed; DEVELOPING.md describes them.`,
  );
  io.write(
    `In this folder, the command also prints each query, and registers the plugin at a host:`,
  );
  io.write(`  npx @manifold-analytics/host plugin dev ${relative(process.cwd(), folder)}`);
  return 0;
}

const withoutScope = (name: string): string => name.replace(/^@[^/]+\//, "");

/**
 * Names that a project cannot have, because it installs packages with these names. npm refuses a package that depends
 * on its own name.
 */
const takenNames = new Set(Object.keys(toolVersions));

function checkName(name: string): void {
  const given = JSON.stringify(name);
  const short = withoutScope(name);
  if (!/^(@[a-z0-9][a-z0-9_-]{0,49}\/)?[a-z0-9][a-z0-9_-]{0,49}$/.test(name))
    throw new Error(
      `the name of a plugin must have 1 to 50 lowercase letters, digits, - or _, and begin with a letter or digit, not ${given}; a scope such as @acme/ may come first`,
    );
  if (isBuiltin(short) || short === "node_modules" || takenNames.has(name))
    throw new Error(
      `npm does not accept the name ${given} here; choose another, such as my-${short}`,
    );
  if (name.startsWith("@manifold-analytics/"))
    throw new Error(
      `the scope of ${given} belongs to Manifold's own packages; use your own scope, or none`,
    );
}

function kindOf(given: string): PluginKind {
  const names = namesOf(kinds);
  const found = names.find((kind) => kind === given);
  if (found === undefined)
    throw new Error(`--kind must be ${names.join(", ")}, not ${JSON.stringify(given)}`);
  return found;
}
