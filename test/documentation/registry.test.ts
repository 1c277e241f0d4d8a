import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Schema from "typebox/schema";
import * as assert from "uvu/assert";
import { openAssets } from "../../core/http/assets/index.ts";
import {
  readRegistry,
  type RegistryEntry,
  registryFolder,
} from "../../core/http/assets/readRegistry.ts";
import { packageVersion } from "../../core/base/index.ts";
import { pages, root } from "../../docs/.vitepress/pages.ts";
import { connectorNames } from "../connectors/capabilityTable.ts";
import { noteMissing } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";
import { missingPrograms, openRegistered } from "./registry/openRegistered.ts";
import { readReport } from "./registry/readReport.ts";

const schema = JSON.parse(readFileSync(new URL("registry.schema.json", registryFolder), "utf8"));
const check = Schema.Compile(schema);
const faultsOf = (value: unknown): readonly string[] => {
  const [, errors] = check.Errors(value);
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
};

suite("documentation/registry", (test) => {
  const entries = readRegistry();
  const own = entries.filter(({ path }) => path !== undefined);

  test("every file of the list of plugins has the schema's members, and its slug is the file's name", () => {
    const files = readdirSync(registryFolder).filter((name) => name.endsWith(".json"));
    assert.equal(
      entries.map(({ slug }) => `${slug}.json`).toSorted(),
      files.filter((name) => name !== "registry.schema.json").toSorted(),
    );
    for (const file of files.filter((name) => name !== "registry.schema.json")) {
      const entry: RegistryEntry = JSON.parse(readFileSync(new URL(file, registryFolder), "utf8"));
      assert.equal(faultsOf(entry), [], file);
      assert.is(`${entry.slug}.json`, file);
    }
  });

  test("two plugins of the list never share a slug, a name or a package", () => {
    for (const member of ["slug", "name", "package"] as const) {
      const values = entries.flatMap((entry) => entry[member]?.toLowerCase() ?? []);
      assert.is(new Set(values).size, values.length, member);
    }
  });

  test("the schema of the list refuses invalid slugs, addresses, licences, summaries and unknown members", () => {
    const [good] = entries;
    assert.ok(good);
    const { path: _, ...rest } = good;
    const published = { ...rest, package: "@acme/trips", repository: "https://code.example.org/x" };
    assert.equal(faultsOf(published), []);
    for (const change of [
      { slug: "Trips" },
      { slug: "../trips" },
      { kind: "database" },
      { description: "No full stop at the end of it" },
      { description: "Short." },
      { license: "UNLICENSED" },
      { license: "" },
      { homepage: "http://insecure.example.org" },
      { homepage: "javascript:alert(1)" },
      { homepage: "../secrets.md" },
      { repository: "git@example.org:x.git" },
      { maintainer: {} },
      { protocol_version: "4.0.0" },
      { report: { ...good.report, summary: "FAILED: 3 proved, 1 wrong" } },
      { report: { ...good.report, proved: [] } },
      { report: { ...good.report, checked_at: "yesterday" } },
      { logo: "https://example.org/logo.png" },
      { stars: 5 },
      { path: "../connectors/sqlite" },
    ])
      assert.ok(faultsOf({ ...published, ...change }).length > 0, JSON.stringify(change));
    assert.ok(faultsOf(rest).length > 0, "neither a path, a package nor a repository");
  });

  test("an entry's summary states the entry's number of proved claims", () => {
    for (const { slug, report } of entries)
      assert.match(report.summary, `passed: ${report.proved.length} proved, 0 wrong`, slug);
  });

  test("the pages, folders and logos that an entry names exist", () => {
    for (const { homepage, path, logo, slug } of entries) {
      if (!homepage.startsWith("https://"))
        assert.ok(pages.includes(homepage), `${slug}: ${homepage}`);
      if (path !== undefined) assert.ok(existsSync(join(root, path)), `${slug}: ${path}`);
      if (logo === undefined) continue;
      const picture = new URL(logo, registryFolder);
      assert.ok(statSync(picture).size <= 8192, logo);
      assert.not.match(readFileSync(picture, "utf8"), /<script|<foreignObject|\bon\w+=|href=/i);
    }
  });

  test("the list contains every connector of the host and every example plugin", async () => {
    const folders = own.map(({ path }) => path);
    for (const name of await connectorNames())
      assert.ok(folders.includes(`connectors/${name}`), name);
    for (const path of ["firebird", "minimal-plugin", "python-plugin", "sql-connector"])
      assert.ok(folders.includes(`examples/${path}`), path);
  });

  test("the entry on the page about publishing has the schema's members", () => {
    const [block] = blocksFor("docs/PUBLISH_A_PLUGIN.md", "publishing").filter(
      ({ language }) => language === "json",
    );
    assert.equal(faultsOf(JSON.parse(block?.text ?? "")), []);
  });

  test("a host serves the list as /assets/plugins.json", async () => {
    const file = await openAssets().file("assets/plugins.json");
    assert.equal(JSON.parse(new TextDecoder().decode(file?.bytes)), entries);
  });

  for (const { slug, report } of own) {
    const missing = missingPrograms[slug];
    if (missing !== undefined) {
      noteMissing(missing);
      continue;
    }
    test.deep(`the conformance kit proves the claims in the list's entry for ${slug}`, async () => {
      assert.ok(slug in openRegistered, slug);
      assert.is(report.version, packageVersion());
      const again =
        "run node --conditions=manifold-source test/documentation/registry/writeReports.ts";
      assert.equal((await readReport(slug)).proved, report.proved, again);
    });
  }
});
