import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { root, textOf } from "../../docs/.vitepress/pages.ts";
import { twoCustomersApps } from "../examples/twoCustomersApps.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";

/** The tutorials. `test/examples` follows their steps. */
const tutorials = ["docs/tutorials/EXPRESS_APP.md", "docs/tutorials/NEXT_APP.md"];

suite("documentation/twoCustomers", (test) => {
  test("each example app with two customers has a tutorial", () => {
    assert.equal(
      Object.values(twoCustomersApps).map(({ page }) => page),
      tutorials,
    );
  });

  test("the files of the examples that do not depend on a framework are equal", () => {
    const textOfFile = (example: string, name: string) =>
      readFileSync(join(root, example, "src", name), "utf8");
    const { express, next } = twoCustomersApps;
    const shared = readdirSync(join(root, next.example, "src")).filter((name) =>
      existsSync(join(root, express.example, "src", name)),
    );
    assert.ok(shared.length > 10, String(shared.length));
    for (const name of shared)
      assert.is(textOfFile(next.example, name), textOfFile(express.example, name), name);
  });

  for (const { page, example: folder } of Object.values(twoCustomersApps)) {
    test(`the code in ${page} is the code of ${folder}`, () => {
      const blocks = blocksFor(page, "twoCustomers").filter(({ language }) => language !== "sh");
      assert.ok(blocks.length > 4, String(blocks.length));
      for (const { text } of blocks) {
        const [, path = ""] = /^\/\/ (\S+)\n/.exec(text) ?? [];
        assert.is(`${text}\n`, readFileSync(join(root, folder, path), "utf8"), path);
      }
    });

    test(`${page} names only files that ${folder} has`, () => {
      const named = Array.from(textOf(page).matchAll(/`((?:src|app|public)\/[^`]+)`/g));
      assert.ok(named.length > 2);
      for (const [, path = ""] of named) assert.ok(existsSync(join(root, folder, path)), path);
    });
  }
});
