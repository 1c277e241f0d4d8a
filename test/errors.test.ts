import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { apiErrors, ApiError } from "../core/base/errors.ts";
import { engineErrors, EngineError } from "../engine/index.ts";
import { pluginErrors, PluginError } from "../plugins/protocol/index.ts";
import { suite } from "./support/suite.ts";

const root = join(import.meta.dirname, "..");
const tables = ["core", "engine", "plugins/protocol"].map((folder) =>
  join(root, folder, "errors.ts"),
);

function sourcesOf(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .filter(({ parentPath }) => !parentPath.includes("node_modules"))
    .filter((entry) => !tables.includes(join(entry.parentPath, entry.name)))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

suite("errors", (test) => {
  const codes = [
    ...Object.keys(apiErrors),
    ...Object.keys(engineErrors),
    ...Object.keys(pluginErrors),
  ];

  test("every error code is in exactly one table", () => {
    assert.is(new Set(codes).size, codes.length);
  });

  test("error codes consist of capital letters and underscores", () => {
    for (const code of codes) assert.match(code, /^[A-Z]+(_[A-Z0-9]+)*$/);
  });

  test("the client types include every status in the table of errors", () => {
    const known = [
      400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 501, 502, 503, 504, 507,
    ];
    for (const [code, [status]] of [...Object.entries(apiErrors), ...Object.entries(pluginErrors)])
      assert.ok(known.includes(status), `${code}: ${status}`);
  });

  test("every error code is used somewhere in the sources", () => {
    const thrown = ["core", "engine", "plugins"].map(sourcesOf).join("\n");
    const unused = codes.filter(
      (code) => !thrown.includes(`"${code}"`) && !thrown.includes(`${code}:`),
    );
    assert.equal(unused, []);
  });

  test("docs/PLUGINS.md lists exactly the error codes of plugins, with their status", () => {
    const page = readFileSync(join(root, "docs/PLUGINS.md"), "utf8");
    const documented = [...page.matchAll(/^\| `?(PLUGIN_[A-Z_]+)`? \| (\d{3}) \|/gm)].map(
      ([, code, status]) => [code, Number(status)],
    );
    assert.equal(
      documented.toSorted(),
      Object.entries(pluginErrors)
        .map(([code, [status]]) => [code, status])
        .toSorted(),
    );
  });

  test("an error's details replace the placeholders in its message, even if the details contain dollar signs", () => {
    assert.match(
      new ApiError("RECORD_NOT_FOUND", ["securable", "$&"]).message,
      "there is no securable $&,",
    );
    assert.match(
      new PluginError("PLUGIN_UNKNOWN_COLUMN", ["trips", "$1"]).message,
      "the dataset trips has no column $1",
    );
    assert.is(new EngineError("TABLE_UNKNOWN", ["$$"]).message, "there is no table $$");
  });
});
