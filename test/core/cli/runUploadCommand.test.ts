import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runUploadCommand } from "../../../core/cli/runUploadCommand.ts";
import { messageOf } from "../../../core/base/index.ts";
import type { Host } from "../../../core/host.ts";
import { joinSharedHost } from "../../support/joinSharedHost.ts";
import { suite } from "../../support/suite.ts";

suite("core/cli/runUploadCommand", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-upload-"));
  const path = join(folder, "trips.csv");
  let host: Host;
  test.before(async () => {
    host = await joinSharedHost();
    writeFileSync(path, "city;fare\nOslo;1,5\nBergen;2,5\n");
  });
  test.after(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let notes: string[] = [];
  const run = async (...args: readonly string[]) => {
    const { key, token } = host.madeCredentials!;
    const lines: string[] = [];
    notes = [];
    const environment = { MANIFOLD_URL: host.url, MANIFOLD_KEY: key, MANIFOLD_TOKEN: token };
    const status = await runUploadCommand(args, {
      environment,
      write: (line) => void lines.push(line),
      note: (line) => void notes.push(line),
    });
    return { status, lines, notes };
  };

  test("a file is created, appended and replaced with settings", async () => {
    const settings = ["--set", "separator=semicolon", "--set", "decimal=comma"];
    const { status, lines, notes } = await run(path, "--name", "Trips", ...settings);
    assert.is(status, 0);
    const [, id = "", count] = /^dataset (\S+) has (\d+) rows$/.exec(lines[0] ?? "") ?? [];
    assert.is(count, "2");
    assert.ok(notes.includes("stored 2 rows"), notes.join("\n"));
    assert.match((await run(path, "--append", id)).lines.join(), /has 4 rows/);
    assert.match((await run(path, "--replace", id)).lines.join(), /has 2 rows/);
  });

  test("a preview prints columns and rows", async () => {
    const { status, lines } = await run(path, "--preview", "--set", "decimal=comma");
    assert.is(status, 0);
    assert.equal(lines.slice(0, 3), [
      "city (hierarchy)\tfare (numeric)",
      "Oslo\t1.5",
      "Bergen\t2.5",
    ]);
  });

  test("a preview and a refused upload print the options that help", async () => {
    const tried = join(folder, "tried.csv");
    writeFileSync(tried, "day;fare\n1/2/2024;1\n3/4/2024;2\n5/6/2024;n/a\n");
    const { lines } = await run(tried, "--preview");
    const options = lines.filter((line) => line.startsWith("try: "));
    assert.equal(options, ["try: --set dates=DMY", "try: --set dates=MDY", "try: --set nulls=n/a"]);
    const refused = await run(tried, "--set", 'columns={"fare":"number"}').then(
      () => "",
      messageOf,
    );
    assert.match(refused, /line 4: "fare" must be a number/);
    assert.equal(notes.slice(-2), ["try: --set nulls=n/a", `try: --set 'columns={"fare":"text"}'`]);
  });

  test("wrong arguments are named", async () => {
    const cases = [
      [[], /needs the path of a file/],
      [[path, path], /one file/],
      [[join(folder, "missing.csv")], /missing.csv cannot be read/],
      [[path, "--append", "x"], /id of a dataset/],
      [[path, "--set", "separator"], /SETTING=VALUE/],
      [[path, "--set", "sep=;"], /sep.*is unknown/],
    ] as const;
    for (const [args, message] of cases)
      assert.match(await run(...args).then(() => "", messageOf), message);
  });
});
