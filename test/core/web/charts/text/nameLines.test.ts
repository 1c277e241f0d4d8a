import * as assert from "uvu/assert";
import { nameLines } from "../../../../../core/web/charts/text/nameLines.ts";
import { suite } from "../../../../support/suite.ts";

const font = { size: 12, weight: 600 } as const;

suite("core/web/charts/text/nameLines", (test) => {
  test("a name is broken between words if all of it then fits", () => {
    assert.equal(nameLines("Chicago O’Hare", 60, 2, font), ["Chicago", "O’Hare"]);
    assert.equal(nameLines("Chicago O’Hare", 200, 2, font), ["Chicago O’Hare"]);
  });

  test("a name that does not fit even if broken becomes one line with an ellipsis", () => {
    assert.equal(nameLines("Chicago O’Hare", 60, 1, font), ["Chicago…"]);
  });

  test("a name is omitted if fewer than four of its characters fit", () => {
    assert.equal(nameLines("Chicago O’Hare", 28, 2, font), []);
    assert.equal(nameLines("ORD", 30, 1, font), ["ORD"]);
    assert.equal(nameLines("ORD", 30, 0, font), []);
  });
});
