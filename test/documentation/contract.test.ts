import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";
import { contractPage, writeContractPage } from "./contract/contractPage.ts";
import { differences } from "./contract/differences.ts";

const how = "node --conditions=manifold-source test/documentation/contract/writeContract.ts";

suite("documentation/contract", (test) => {
  test(`docs/CONTRACT.md lists each member that is only stored; update it with \`${how}\``, () => {
    assert.is(readFileSync(join(root, contractPage), "utf8"), writeContractPage());
  });

  test("every other difference from the contract has a reason", () => {
    for (const { what, here, reason } of differences)
      for (const text of [what, here, reason]) assert.ok(text.length > 8, what);
  });
});
