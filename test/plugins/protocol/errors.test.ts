import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import {
  PluginError,
  type PluginErrorCode,
  pluginErrors,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/errors", (test) => {
  test("docs/PLUGINS.md lists exactly the error codes of the table, with their statuses", () => {
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

  test("the message of every error code has no placeholder left once its details are inserted", () => {
    for (const code of Object.keys(pluginErrors) as PluginErrorCode[])
      assert.not.match(new PluginError(code, ["a", "b"]).message, /%s|undefined/);
  });
});
