import { basename, dirname } from "node:path";
import * as assert from "uvu/assert";
import { llmsFullText, llmsText } from "../../docs/.vitepress/llms.ts";
import { groups, pages, textOf, titleOf } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";

suite("documentation/llms", (test) => {
  test("llms.txt matches the current pages; `npm run llms` updates it", () => {
    assert.is(textOf("llms.txt"), llmsText());
  });

  test("every page of the documentation is in one group of the site, in llms.txt and in llms-full.txt", () => {
    const grouped = groups.flatMap(({ paths }) => paths);
    assert.equal(grouped.toSorted(), pages);
    const [list, full] = [llmsText(), llmsFullText()];
    for (const page of pages) {
      assert.match(list, `](${page})`);
      assert.ok(full.includes(textOf(page).trim()), page);
    }
  });

  test("the index of decisions lists each decision once by its title", () => {
    const linked = [...textOf("docs/decisions/index.md").matchAll(/^- \[(.+)\]\(([^)]+)\)$/gm)].map(
      ([, title, path]) => `${path}: ${title}`,
    );
    const decisions = pages
      .filter((page) => dirname(page) === "docs/decisions" && !page.endsWith("/index.md"))
      .map((page) => `${basename(page)}: ${titleOf(page)}`);
    assert.equal(linked.toSorted(), decisions.toSorted());
  });
});
