import * as assert from "uvu/assert";
import { parseApplied, PluginError } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/parseApplied", (test) => {
  test("a list of distinct filter indexes is read in order", () => {
    assert.equal(parseApplied([2, 0], 3, "applied"), [2, 0]);
    assert.equal(parseApplied([], 0, "applied"), []);
  });

  const wrong: readonly (readonly [value: unknown, message: RegExp])[] = [
    [{ 0: 0 }, /applied_filters must be an array/],
    [null, /applied_filters must be an array/],
    ["0", /applied_filters must be an array/],
    [[0, 2], /applied_filters\[1\] must be an index of the query's 2 filters/],
    [[-1], /applied_filters\[0\] must be an index .*, not -1/],
    [[1, 0, 1], /applied_filters\[2\] repeats 1/],
    [["0"], /applied_filters\[0\] must be the index of a filter/],
    [[0.5], /applied_filters\[0\] must be the index of a filter/],
    [[null], /applied_filters\[0\] must be the index of a filter/],
    [[Number.NaN], /applied_filters\[0\] must be the index of a filter/],
    [[true], /applied_filters\[0\] must be the index of a filter/],
    [[[0]], /applied_filters\[0\] must be the index of a filter/],
  ];
  for (const [value, message] of wrong)
    test(`the list of applied filters ${JSON.stringify(value)} fails with a PLUGIN_BAD_ANSWER error that names the entry`, () => {
      try {
        parseApplied(value, 2, "applied_filters");
      } catch (failure) {
        assert.instance(failure, PluginError);
        assert.is((failure as PluginError).code, "PLUGIN_BAD_ANSWER");
        assert.match((failure as PluginError).message, message);
        return;
      }
      assert.unreachable();
    });
});
