import * as assert from "uvu/assert";
import { readParagraphs } from "../../../../../core/web/charts/kinds/readParagraphs.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/charts/kinds/readParagraphs", (test) => {
  test("headings, paragraphs and list items are read from markup without their tags", () => {
    assert.equal(
      readParagraphs("<h2>A &amp; B</h2><p>one <b>two</b><br>three</p><ul><li>x</li></ul>"),
      [
        { heading: 2, shown: "A & B" },
        { heading: 0, shown: "one two" },
        { heading: 0, shown: "three" },
        { heading: 0, shown: "• x" },
      ],
    );
  });

  test("scripts and styles are removed from markup, and characters that form no tag stay text", () => {
    const shown = (markup: string) => readParagraphs(markup).map((each) => each.shown);
    assert.equal(shown("<p>a<script>alert(1)</script>b<style>p{}</style></p>"), ["ab"]);
    assert.equal(shown("1 < 2 and 3 > 2"), ["1 < 2 and 3 > 2"]);
    assert.equal(shown("<p onclick=x>a\u202eb"), ["ab"]);
    assert.equal(shown("<".repeat(100_000)).length, 1);
    assert.equal(shown("<p"), []);
  });
});
