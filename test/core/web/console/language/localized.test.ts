import * as assert from "uvu/assert";
import {
  localized,
  readerLanguage,
  textOf,
} from "../../../../../core/web/console/language/index.ts";
import { readSources } from "../../../../support/importGraph.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/language/localized", (test) => {
  test("a new text belongs to the reader's language, in which it is shown again", () => {
    assert.equal(localized("Ghent"), { [readerLanguage]: "Ghent" });
    assert.is(textOf(localized("Ghent")), "Ghent");
  });

  test("the console stores no text as English that may be in another language", () => {
    const stored = [...readSources(["core/web/console"])].flatMap(([file, text]) =>
      /(?:name|title|label|description): \{ en[ :]/.test(text) ? [file] : [],
    );
    // The name of a new plugin is its slug.
    assert.equal(stored, ["core/web/console/pages/plugins/registerPlugin.ts"]);
  });
});
