import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import {
  PluginError,
  type PluginErrorCode,
  pluginErrors,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/errors", (test) => {
  test("docs/PLUGINS.md lists exactly the error codes in the table, with their statuses", () => {
    const page = readFileSync(new URL("../../../docs/PLUGINS.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/^\| (PLUGIN_[A-Z_]+) \| (\d+) \|/gm)].map(
      ([, code, status]) => [code, Number(status)],
    );
    assert.equal(
      listed,
      Object.entries(pluginErrors).map(([code, [status]]) => [code, status]),
    );
  });

  test("the details of a plugin error are inserted into its message in order", () => {
    const failure = new PluginError("PLUGIN_UNKNOWN_COLUMN", ["$&", "c"]);
    assert.is(failure.message, "the dataset $& has no column c");
    assert.equal(
      [failure.code, failure.status, failure.details],
      ["PLUGIN_UNKNOWN_COLUMN", 422, ["$&", "c"]],
    );
  });

  test("a plugin error of another copy of the package is recognized, but no other value is", async () => {
    const copy = "../../../plugins/protocol/errors.ts?copy";
    const { PluginError: Other } = (await import(copy)) as { PluginError: typeof PluginError };
    assert.is.not(Other, PluginError);
    assert.ok(new Other("PLUGIN_BUSY", ["x"]) instanceof PluginError);
    assert.ok(new PluginError("PLUGIN_BUSY", ["x"]) instanceof Other);
    class Own extends PluginError {}
    assert.ok(new Own("PLUGIN_BUSY", ["x"]) instanceof PluginError);
    assert.not.ok(new PluginError("PLUGIN_BUSY", ["x"]) instanceof Own);
    for (const value of [new Error("x"), { name: "PluginError", code: "PLUGIN_BUSY" }, null])
      assert.not.ok((value as unknown) instanceof PluginError);
  });

  test("once its details are inserted, no error message contains a placeholder", () => {
    for (const code of Object.keys(pluginErrors) as PluginErrorCode[])
      assert.not.match(new PluginError(code, ["a", "b"]).message, /%s|undefined/);
  });
});
