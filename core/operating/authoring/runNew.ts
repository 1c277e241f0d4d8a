import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packageVersion } from "../../base/index.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { recordedPage, restTemplate } from "./templates/restTemplate.ts";
import { rowsTemplate } from "./templates/rowsTemplate.ts";
import { serveTemplate } from "./templates/serveTemplate.ts";
import { sqlTemplate } from "./templates/sqlTemplate.ts";
import { oneArgument } from "./oneArgument.ts";

const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rows: { "plugin.ts": rowsTemplate + serveTemplate },
  rest: { "plugin.ts": restTemplate + serveTemplate, "recorded.json": recordedPage },
  sql: { "plugin.ts": sqlTemplate + serveTemplate },
};

/**
 * Runs `manifold plugin new`. It writes a folder with a plugin that passes the check without changes.
 * @throws {Error} for an invalid name or kind, and for a folder that exists
 */
export async function runNew(args: readonly string[], io: PluginCommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { kind: { type: "string" } },
    allowPositionals: true,
  });
  const name = oneArgument(positionals, "plugin new takes one name");
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(name))
    throw new Error(
      `the name of a plugin must have 1 to 50 lowercase letters, digits, - or _, and begin with a letter or digit, unlike ${JSON.stringify(name)}`,
    );
  const { kind = "rows" } = values;
  const files = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!files)
    throw new Error(`--kind must be ${Object.keys(kinds).join(", ")}, not ${JSON.stringify(kind)}`);
  const folder = resolve(name);
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  await mkdir(folder);
  const all = { "package.json": manifest(name), "README.md": readme(name), ...files };
  for (const [file, text] of Object.entries(all)) await writeFile(join(folder, file), text);
  io.write(`${name} is a plugin of kind ${kind}: ${Object.keys(all).join(", ")}`);
  for (const step of [
    ...(findsLibrary(folder) ? [] : [`(cd ${name} && npm install)`]),
    `npx manifold plugin check ${name}`,
    `npx manifold plugin dev ${name}`,
  ])
    io.write(`  ${step}`);
  return 0;
}

/** Returns whether the package is installed in the folder or in a folder above it. */
function findsLibrary(folder: string): boolean {
  for (let at = folder; ; at = join(at, "..")) {
    if (existsSync(join(at, "node_modules/manifold/package.json"))) return true;
    if (at === join(at, "..")) return false;
  }
}

function manifest(name: string): string {
  const scripts = {
    start: "node plugin.ts",
    check: "manifold plugin check .",
    dev: "manifold plugin dev .",
  };
  const members = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    main: "plugin.ts",
    scripts,
    dependencies: { manifold: `^${packageVersion()}` },
    engines: { node: ">=26" },
  };
  return `${JSON.stringify(members, undefined, 2)}\n`;
}

function readme(name: string): string {
  return `# ${name}

| command | what it does |
|---|---|
| \`npx manifold plugin check .\` | tests what the plugin claims |
| \`npx manifold plugin dev .\` | serves it, reloads it on every change, and prints each query |
| \`npx manifold plugin bench .\` | measures its response times |
| \`PORT=7070 SECRET=… node plugin.ts\` | serves it |
`;
}
