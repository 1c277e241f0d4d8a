import * as assert from "uvu/assert";
import { interactivity, readItem } from "../../../../../core/web/charts/index.ts";
import { fileTypesOf } from "../../../../../core/web/embed/menu/fileTypes.ts";
import { suite } from "../../../../support/suite.ts";

const read = (options: unknown, localeId = "en") =>
  interactivity(readItem({ type: "bar-chart", options: { interactivity: options } }), localeId);

suite("core/web/charts/item/interactivity", (test) => {
  test("links lead only to web pages, in the reader's language", () => {
    const url = { en: "https://example.org/en", nl: "https://example.org/nl" };
    assert.is(read({ urlConfig: { url } }, "nl").link?.url, "https://example.org/nl");
    assert.is(read({ urlConfig: { url, target: "_self" } }).link?.target, "_self");
    assert.is(read({ urlConfig: { url, target: "other" } }).link?.target, "_blank");
    const hostile = [
      "javascript:alert(1)",
      " \tjava\nscript:alert(1)",
      "data:text/html,x",
      "//example.org",
      "",
      7,
      null,
    ];
    for (const each of hostile)
      assert.is(read({ urlConfig: { url: { en: each } } }).link, undefined, String(each));
  });

  test("an item offers only the types of files that its options name", () => {
    const item = { isDashboard: false, isStored: true, hasRows: true };
    const offered = (exportTypes: unknown) => {
      const { exportTypes: named } = read({ exportTypes });
      return fileTypesOf({ ...item, ...(named && { named }) });
    };
    assert.equal(offered(["csv-raw"]), ["csv"]);
    assert.equal(offered(["png", "xlsx"]), ["pdf", "png", "svg", "xlsx"]);
    assert.equal(offered([]), []);
    assert.equal(offered(undefined), fileTypesOf(item));
  });
});
