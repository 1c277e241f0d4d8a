import { readFile } from "node:fs/promises";
import * as assert from "uvu/assert";
import { settings } from "../../core/base/config.ts";
import { createConnectors } from "../../core/sources/connections/connectors.ts";
import type { Connector } from "../../plugins/protocol/index.ts";
import { suite } from "../support/suite.ts";
import { connectorNames, pageOf } from "./capabilityTable.ts";

const doorOf = (name: string) => new URL(`../../connectors/${name}/index.ts`, import.meta.url);

suite("connectors", (test) => {
  test("every connector can be the provider of an account", async () => {
    const loaded = new Set<string>();
    const connectors = createConnectors({
      config: { connectors: [], pluginTimeoutMs: 1000, pluginAnswerMb: 1 },
      hasFolders: true,
      addressFor: () => async () => "",
      async load(path) {
        loaded.add(path.split("/").at(-1) ?? "");
        return { open: async () => ({}), properties: [] };
      },
    });
    const slugs = connectors.slugsFor({ key: "", hosts: [], origins: [], folders: ["/"] });
    for (const slug of slugs) await connectors.properties(slug);
    assert.equal([...loaded].toSorted(), (await connectorNames()).toSorted());
    for (const slug of slugs)
      assert.match(
        settings.connectors.meaning,
        new RegExp(`\\b${slug}\\b`),
        "the setting lists the connector",
      );
  });

  test("each connector's README or page names every property of its accounts", async () => {
    for (const name of await connectorNames()) {
      const { properties } = (await import(doorOf(name).href)) as Connector;
      const files = [new URL("README.md", doorOf(name)), pageOf(name)];
      const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
      for (const { id } of properties)
        assert.match(text, new RegExp(`\\b${id}\\b`), `${name}: ${id}`);
    }
  });
});
