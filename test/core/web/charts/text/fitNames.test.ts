import * as assert from "uvu/assert";
import { fitNames } from "../../../../../core/web/charts/text/fitNames.ts";
import { fitText } from "../../../../../core/web/charts/text/fitText.ts";
import { measureText } from "../../../../../core/web/charts/text/measureText.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";
import { between } from "../between.ts";

suite("core/web/charts/text/fitNames", (test) => {
  test("long names that differ only at their ends stay different", () => {
    const names = [
      "International Business Machines North",
      "International Business Machines South",
    ];
    const [north = "", south = ""] = fitNames(names, 140, 12);
    assert.match(north, /^Inter.*….*North$/);
    assert.match(south, /^Inter.*….*South$/);
  });

  test("other long names are cut at their ends, and equal names look equal", () => {
    const names = ["A long name of a city", "Another long name", "Another long name"];
    assert.equal(
      fitNames(names, 80, 12),
      names.map((name) => fitText(name, 80, 12)),
    );
  });

  test("shortened names are never wider than the available width", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < 200; round++) {
        const start = "WimlŁ漢é ".repeat(between(random, 1, 9));
        const width = between(random, 5, 200);
        for (const name of fitNames([`${start}a`, `${start}b`, `${start}👩‍👩‍👧`], width, 12))
          assert.ok(measureText(name, 12) <= width + 0.001, name);
      }
    });
  });
});
