import * as assert from "uvu/assert";
import { withText } from "../../../../../core/web/console/language/withText.ts";
import { readerLocale } from "../../../../../core/web/console/language/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/language/withText", (test) => {
  test("changing a localized text replaces only the reader's language", () => {
    assert.equal(withText({ en: "Ghent", fr: "Gand" }, "Gent"), { fr: "Gand", en: "Gent" });
    const [language = ""] = readerLocale.split("-");
    assert.equal(withText({ [language]: "a", xx: "b" }, "c"), { [language]: "c", xx: "b" });
    assert.equal(withText({ [readerLocale]: "a", [language]: "b" }, "c")?.[readerLocale], "c");
    assert.equal(withText("old", "new"), { en: "new" });
  });

  test("the first text is stored in the reader's language, and removing the last text stores null", () => {
    assert.equal(withText(null, "a"), { en: "a" });
    assert.equal(withText(undefined, ""), null);
    assert.equal(withText({ en: "a" }, ""), null);
    assert.equal(withText({ en: "a", fr: "b" }, ""), { fr: "b" });
  });
});
