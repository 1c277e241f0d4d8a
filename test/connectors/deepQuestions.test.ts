import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { deepQuestions } from "./deepQuestions.ts";

suite("test/connectors/deepQuestions", (test) => {
  test("the deep layer compares 20,000 random queries on seven kinds of source with the store", () => {
    const counts = Object.values(deepQuestions);
    assert.is(counts.length, 8);
    assert.ok(counts.reduce((sum, count) => sum + count, 0) >= 20_000);
  });
});
