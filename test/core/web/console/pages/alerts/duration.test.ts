import * as assert from "uvu/assert";
import {
  readDuration,
  writeDuration,
} from "../../../../../../core/web/console/pages/alerts/duration.ts";
import { words } from "../../../../../../core/web/console/pages/alerts/words.ts";
import { words as german } from "../../../../../../core/web/console/pages/alerts/words/de.ts";
import { words as english } from "../../../../../../core/web/console/pages/alerts/words/en.ts";
import { suite } from "../../../../../support/suite.ts";

suite("core/web/console/pages/alerts/duration", (test) => {
  test.after(() => void Object.assign(words, english));

  test("a duration in the reader's language comes back in the form of the API", () => {
    Object.assign(words, german);
    const durations = [
      { unit: "minute", quantity: 1 },
      { unit: "hour", quantity: 2 },
      { unit: "month", quantity: 3 },
    ];
    assert.equal(durations.map(writeDuration), ["1 Minute", "2 Stunden", "3 Monate"]);
    assert.equal(durations.map(writeDuration).map(readDuration), [
      "1 minute",
      "2 hours",
      "3 months",
    ]);
  });

  test("text that is not a duration of the language reaches the host unchanged", () => {
    Object.assign(words, german);
    for (const text of ["10 minutes", "soon", "", "-1 Stunde"])
      assert.is(readDuration(` ${text} `), text);
  });
});
