import { readFile } from "node:fs/promises";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { connectorNames, pageOf, pageWithTable } from "./capabilityTable.ts";

suite("docs/connectors", (test) => {
  test("the capability tables in the documentation list exactly what connectors declare", async () => {
    for (const name of await connectorNames())
      assert.is(
        await readFile(pageOf(name), "utf8"),
        await pageWithTable(name),
        `${name}: run node --conditions=manifold-source test/connectors/writeCapabilityTables.ts`,
      );
  });
});
