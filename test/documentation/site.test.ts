import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { addressOf, pages, root } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";

const run = promisify(execFile);

suite("documentation/site", (test) => {
  test.deep("the site is built of every page, and no link between pages is dead", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-site-"));
    try {
      const vitepress = join(root, "node_modules/.bin/vitepress");
      await run(vitepress, ["build", "docs", "--outDir", folder], { cwd: root });
      const missing = pages.filter(
        (page) => !existsSync(join(folder, addressOf(page).replace(/\.md$/, ".html"))),
      );
      assert.equal(missing, []);
      const start = readFileSync(join(folder, "index.html"), "utf8");
      assert.match(start, "/docs/ARCHITECTURE");
      assert.not.match(start, /href="[^"]*README/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
