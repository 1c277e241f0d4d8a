import { spawnSync } from "node:child_process";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../core/operating/authoring/index.ts";
import { noteMissing } from "../support/layer.ts";
import { openPythonPlugin, type PythonPlugin } from "../support/pythonPlugin.ts";
import { suite } from "../support/suite.ts";

const secret = "python-secret-11";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

suite("examples/python-plugin", (test) => {
  if (!hasPython) {
    noteMissing("python3, for examples/python-plugin");
    return;
  }
  let plugin: PythonPlugin;
  test.before(async () => {
    plugin = await openPythonPlugin(secret);
  });
  test.after(() => plugin.close());

  test("the Python plugin passes the conformance kit, which proves its claims and that it refuses everything else", async () => {
    const lines: string[] = [];
    const status = await runPluginCommand(
      ["check", plugin.url, "--seed", "1", "--queries", "150", "--report", "json"],
      {
        environment: { PLUGIN_SECRET: secret },
        write: (line) => lines.push(line),
        note: (line) => lines.push(line),
      },
    );
    assert.is(status, 0, lines.join("\n"));
    const report = JSON.parse(lines.join("\n"));
    const verdictOf = (path: string) =>
      report.claims.find(({ claim }: { claim: string }) => claim === path)?.verdict;
    for (const path of ["projection", "wire.errors", "wire.secrets", "wire.limits", "wire.hangUp"])
      assert.is(verdictOf(path), "proved", path);
    assert.is(verdictOf("filters.operators.like.hierarchy"), "refused");
    assert.is(verdictOf("order"), "refused");
  });
});
