import { readFile } from "node:fs/promises";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { connectorNames, readmeOf, readmeWithTable } from "./capabilityTable.ts";

suite("connectors/*/README.md", (test) => {
  test("each table of capabilities is what the connector declares", async () => {
    for (const name of await connectorNames())
      assert.is(
        await readFile(readmeOf(name), "utf8"),
        await readmeWithTable(name),
        `${name}: run node --conditions=manifold-source test/connectors/writeCapabilityTables.ts`,
      );
  });
});
