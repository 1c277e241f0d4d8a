import * as assert from "uvu/assert";
import { EngineError, engineErrors, type EngineErrorCode } from "../../../engine/index.ts";
import { pluginErrors } from "../../../plugins/protocol/index.ts";
import { pluginCodes, toPluginError } from "../../../plugins/strata/errors.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/strata/errors", (test) => {
  test("exactly the engine's error codes are mapped to error codes of the protocol", () => {
    assert.equal(Object.keys(pluginCodes).sort(), Object.keys(engineErrors).sort());
    for (const code of Object.values(pluginCodes)) assert.ok(code in pluginErrors, code);
  });

  test("an engine error that becomes an error of the protocol keeps its message and cause", () => {
    for (const code of Object.keys(engineErrors) as EngineErrorCode[]) {
      const cause = new EngineError(code, ["first", "second", "third", "fourth"]);
      const error = toPluginError(cause);
      assert.is(error.code, pluginCodes[code]);
      assert.is(error.cause, cause);
      assert.not.match(error.message, "undefined");
    }
  });

  test("the error for a repeated join key does not show the key", () => {
    const error = toPluginError(new EngineError("JOIN_AMBIGUOUS", ["sku", "products", "secret"]));
    assert.match(error.message, /column sku of the dataset products/);
    assert.not.match(error.message, "secret");
  });

  test("an unknown error becomes an error of the protocol without its message", () => {
    const error = toPluginError(new Error("secret"));
    assert.is(error.code, "PLUGIN_BUG");
    assert.not.match(error.message, "secret");
  });
});
