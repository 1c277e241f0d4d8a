import * as assert from "uvu/assert";
import { isUsualColumn, usualValue } from "../../../../plugins/rows/formats/usualValue.ts";
import { splitDate } from "../../../../plugins/rows/readDate.ts";
import { splitNumber } from "../../../../plugins/protocol/index.ts";
import { readNumber } from "../../../../plugins/rows/readNumber.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const parts = [
  "0",
  "1",
  "9",
  "12",
  "2024",
  "02",
  "29",
  "31",
  "-",
  ".",
  ":",
  "T",
  " ",
  "Z",
  "/",
  ",",
];
const words = [
  "item",
  "March",
  "Mon",
  "Monday",
  "lundi",
  "Märzbier",
  "EUR",
  "Euros",
  "euro",
  "Uhr",
  "décembre",
  "x",
  "é",
];

suite("plugins/rows/formats/usualValue", (test) => {
  test("agrees with the readers of numbers and dates", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      const pieces = [...parts, ...words];
      for (let round = 0; round < rounds({ quick: 5000, deep: 500_000 }); round++) {
        const isDate = random.chance(0.3);
        const text = isDate
          ? `2024-0${random.below(10)}-${random.below(4)}${random.below(10)}${random.pick(["", "T09:30", " 09:30:15", " 23:59:60", "T09:30:15.25Z", "T1", "Z"])}`
          : Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join("");
        const usual = usualValue(text);
        if (usual === undefined) continue;
        const date = splitDate(text);
        const number = readNumber(text, { thousands: "comma" });
        if (usual === "number") assert.type(number, "number", text);
        else if (usual === "words") assert.is(splitNumber(text) ?? date, undefined, text);
        else {
          assert.is(date?.kind, "iso", text);
          assert.is(date?.isTimed, usual === "instant", text);
          assert.type(date?.at(undefined, undefined), "number", text);
          assert.type(number, "undefined", text);
        }
      }
    });
  });

  test("decides common numbers, dates and words, and nothing that may be an identifier or the name of a month", () => {
    const found = ["7", "-12.50", "2024-02-29", "2024-02-29 10:00Z", "item 5"].map(usualValue);
    assert.equal(found, ["number", "number", "day", "instant", "words"]);
    for (const text of ["007", "1234567890123456", "2023-02-29", "March 5, 2024", "abc", "1e3", ""])
      assert.is(usualValue(text), undefined, text);
    assert.ok(isUsualColumn({ thousands: "comma" }));
    assert.not.ok(isUsualColumn({ decimalComma: true }));
  });
});
