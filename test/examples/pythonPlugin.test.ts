import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../core/authoring/index.ts";
import { noteMissing } from "../support/layer.ts";
import { suite } from "../support/suite.ts";

const file = join(import.meta.dirname, "../../examples/python-plugin/plugin.py");
const secret = "python-secret-11";
const hasPython = spawnSync("python3", ["--version"]).status === 0;

suite("examples/python-plugin", (test) => {
  if (!hasPython) {
    noteMissing("python3, for examples/python-plugin");
    return;
  }
  let child: ChildProcess;
  let url: string;
  test.before(async () => {
    child = spawn("python3", [file], {
      env: { PATH: process.env["PATH"], SECRET: secret },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(createInterface(child.stdout!), "line");
    url = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
  });
  test.after(async () => {
    const ended = once(child, "exit");
    if (child.kill("SIGTERM")) await ended;
  });

  test("a plugin in Python passes the kit, with its promises proved and all others refused", async () => {
    const lines: string[] = [];
    const status = await runPluginCommand(
      ["check", url, "--seed", "1", "--queries", "150", "--report", "json"],
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
