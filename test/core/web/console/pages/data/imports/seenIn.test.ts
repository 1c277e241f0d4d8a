import * as assert from "uvu/assert";
import { seenIn } from "../../../../../../../core/web/console/pages/data/imports/seenIn.ts";
import { storedText } from "../../../../../../../core/web/console/pages/data/imports/storedText.ts";
import { suite } from "../../../../../../support/suite.ts";

suite("core/web/console/pages/data/imports: preview of columns and values", (test) => {
  const column = { name: "a", format: null, notes: [] };

  test("the values of a column are counted by kind, and its empty values are named", () => {
    const dates = { ...column, type: "datetime", subtype: "date" };
    assert.is(seenIn({ ...dates, seen: { values: 9_812, nulls: 3 } }), "9,812 dates, 3 empty");
    const form = "dates as day/month/year";
    assert.is(seenIn({ ...dates, seen: { values: 2, nulls: 0, form } }), `2 ${form}`);
    assert.is(seenIn({ ...dates, seen: { values: 1, nulls: 0, form } }), "1 date");
    const numbers = { ...column, type: "numeric", subtype: null };
    assert.is(seenIn({ ...numbers, seen: { values: 1, nulls: 0 } }), "1 number");
    const text = { ...column, type: "hierarchy", subtype: null };
    assert.is(seenIn({ ...text, seen: { values: 0, nulls: 2 } }), "no values, 2 empty");
    const mixed = { values: 3, nulls: 0, form: "numbers with a decimal comma", misfit_count: 1 };
    assert.is(seenIn({ ...text, seen: mixed }), "2 numbers with a decimal comma");
    assert.is(seenIn({ ...text, seen: {} }), "");
  });

  test("values are shown with all their digits, and instants with their zone", () => {
    assert.is(storedText(1234.56789012, "numeric"), "1,234.56789012");
    assert.is(storedText("2024-01-05T10:30:00.000Z", "datetime"), "2024-01-05 10:30:00 UTC");
    assert.is(storedText("2024-01-05", "datetime"), "2024-01-05");
    assert.is(storedText("T1Z", "hierarchy"), "T1Z");
    assert.is(storedText(null, "numeric"), "");
  });
});
