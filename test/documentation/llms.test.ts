import * as assert from "uvu/assert";
import { llmsFullText, llmsText } from "../../docs/.vitepress/llms.ts";
import { groups, pages, textOf } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";

suite("documentation/llms", (test) => {
  test("llms.txt is what the pages say now: `npm run llms` writes it", () => {
    assert.is(textOf("llms.txt"), llmsText());
  });

  test("every page is in one group of the site, in llms.txt and in llms-full.txt", () => {
    const grouped = groups.flatMap(({ paths }) => paths);
    assert.equal(grouped.toSorted(), pages);
    const [list, full] = [llmsText(), llmsFullText()];
    for (const page of pages) {
      assert.match(list, `](${page})`);
      assert.ok(full.includes(textOf(page).trim()), page);
    }
  });
});
