import * as assert from "uvu/assert";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import {
  settingDefinitions,
  settingProperties,
} from "../../../../plugins/rows/formats/settingDefinitions.ts";
import { readSettings } from "../../../../plugins/rows/formats/settings.ts";
import { suite } from "../../../support/suite.ts";

suite("plugins/rows/formats/settings", (test) => {
  test("settings as strings equal settings as JSON values", () => {
    const columns = { zip: "text", day: { type: "date", format: "%d.%m.%y" } };
    const texts = {
      separator: "semicolon",
      encoding: "latin1",
      header: "false",
      skip_rows: "3",
      sheet: "Data",
      range: "a4:$F$200",
      decimal: "comma",
      thousands: "point",
      nulls: "NA, -",
      dates: "DMY",
      time_zone: "europe/paris",
      sample: "whole",
      columns: JSON.stringify(columns),
    };
    const values = {
      ...texts,
      separator: ";",
      encoding: "windows-1252",
      header: false,
      skip_rows: 3,
      range: "A4:F200",
      nulls: ["NA", "-"],
      columns,
    };
    const read = readSettings({ properties: texts });
    assert.equal(read, readSettings({ properties: values }));
    assert.equal(Object.keys(texts).toSorted(), Object.keys(settingDefinitions).toSorted());
    assert.equal(read.range, { firstRow: 3, lastRow: 199, firstColumn: 0, lastColumn: 5 });
    assert.equal(read.types.get("day"), {
      type: "datetime",
      subtype: "date",
      forms: { format: "%d.%m.%y" },
    });
  });

  test("absent, empty and null settings have their defaults, and other properties are ignored", () => {
    const usual = readSettings({ properties: {} });
    const empty = Object.fromEntries(Object.keys(settingDefinitions).map((name) => [name, ""]));
    assert.equal(readSettings({ properties: empty }), usual);
    assert.equal(readSettings({ properties: { separator: null, region: "eu" } }), usual);
    assert.is(usual.hasHeader, true);
    assert.is(usual.detectsDates, true);
  });

  test("an invalid setting is refused, and the error names the setting and the allowed values", () => {
    const cases: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [
        { separator: "ab" },
        /separator must be comma, semicolon, tab, pipe, or one character.*not "ab"/,
      ],
      [{ separator: '"' }, /separator must be/],
      [{ separator: 5 }, /separator must be a string, not 5/],
      [{ encoding: "klingon" }, /encoding must be a label of the Encoding Standard.*not "klingon"/],
      [{ header: "yes" }, /header must be true or false, not "yes"/],
      [{ skip_rows: -1 }, /skip_rows must be a whole number from 0 to 10,000, not -1/],
      [{ skip_rows: "1.5" }, /skip_rows must be a whole number/],
      [{ range: "F4:A1" }, /range must be the first and the last cell.*not "F4:A1"/],
      [{ decimal: "dot" }, /decimal must be one of point, comma, not "dot"/],
      [{ thousands: "comma", decimal: "comma" }, /thousands must differ from the decimal sign/],
      [{ thousands: "point" }, /thousands must differ.*set decimal to comma/],
      [{ nulls: [1] }, /nulls must be strings/],
      [{ dates: "DYM" }, /dates must be one of ISO, YMD, DMY, MDY/],
      [{ time_zone: "Mars/Phobos" }, /time_zone must be the IANA name/],
      [{ sample: "all" }, /sample must be one of start, whole/],
      [{ columns: "[]" }, /columns must be a JSON object/],
      [{ columns: "{" }, /columns must be a JSON object/],
      [
        { columns: { a: "int" } },
        /type of "a" in columns must be one of text, number, date.*not "int"/,
      ],
      [{ columns: { a: { typ: "date" } } }, /unknown member for "a": "typ"/],
      [
        { columns: { a: { type: "number", format: "%Y" } } },
        /"a" in columns must not have a format/,
      ],
      [
        { columns: { a: { type: "date", format: "%d" } } },
        /format of "a" in columns.*no directive for the year/,
      ],
    ];
    for (const [properties, message] of cases)
      assert.throws(
        () => readSettings({ properties }),
        (thrown: unknown) =>
          thrown instanceof PluginError &&
          thrown.code === "PLUGIN_INVALID" &&
          message.test(thrown.message),
        JSON.stringify(properties),
      );
  });

  test("no setting makes the owner of an account enter its secret again", () => {
    assert.ok(settingProperties.every(({ destination }) => destination === false));
  });
});
