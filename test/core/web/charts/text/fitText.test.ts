import * as assert from "uvu/assert";
import { cleanText } from "../../../../../core/web/charts/text/cleanText.ts";
import { fitText } from "../../../../../core/web/charts/text/fitText.ts";
import { measureText } from "../../../../../core/web/charts/text/measureText.ts";
import { wrapText } from "../../../../../core/web/charts/text/wrapText.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";
import { between } from "../between.ts";

suite("core/web/charts/text/fitText", (test) => {
  test("text that is shortened or wrapped is never wider than the available width", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const words = Array.from({ length: between(random, 1, 12) }, () =>
          "WimlŁ漢👩‍👩‍👧é".slice(0, between(random, 1, 12)).repeat(between(random, 1, 4)),
        );
        const shown = words.join(" ");
        const width = between(random, 10, 300);
        assert.ok(measureText(fitText(shown, width, 12), 12) <= width + 0.001);
        const lines = wrapText(shown, width, 3, 12);
        assert.ok(lines.length <= 3);
        for (const line of lines) assert.ok(measureText(line, 12) <= width + 0.001);
      }
    });
  });

  test("text fits into the width that was measured for it, despite rounding", () => {
    for (let hour = 0; hour < 1_000; hour++) {
      const shown = String(hour);
      for (const margin of [10, 14, 20.4])
        assert.is(fitText(shown, measureText(shown, 12) + margin - margin, 12), shown);
    }
  });

  test("text that fits is not shortened, and wrapped text keeps all words", () => {
    assert.is(fitText("short", 100, 12), "short");
    assert.equal(wrapText("one two three", 60, 3, 12), ["one two", "three"]);
  });

  test("control characters and bidirectional marks are removed, and a long string is cut without being read whole", () => {
    assert.is(cleanText("a\u202egnp.exe\u0000\nb"), "agnp.exe b");
    assert.is(cleanText("x".repeat(10_000_000)).length, 300);
    assert.ok(cleanText(`${"x".repeat(298)}👩👩👩`).isWellFormed());
  });
});
