import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../../../core/operating/authoring/index.ts";
import { serve, type Served } from "../../../../plugins/sdk/index.ts";
import { plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { openLegacyPlugin } from "../../../support/legacyPlugin.ts";
import { suite } from "../../../support/suite.ts";

const secret = "the-secret-of-the-plugin-5b1";

async function run(...args: string[]) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const status = await runPluginCommand(args, {
    environment: { PLUGIN_SECRET: secret, PLUGIN_TOKEN: "the-token-77aa" },
    write: (line) => lines.push(line),
    note: (line) => notes.push(line),
  });
  return { status, text: lines.join("\n"), notes: notes.join("\n") };
}

suite("core/operating/authoring/runPluginCommand", (test) => {
  let liar: Served;
  let dir: string;
  test.before(async () => {
    dir = mkdtempSync(join(tmpdir(), "manifold-check-"));
    liar = await serve(plantedPlugin("SQL negatives"), { secret, onError: () => {} });
  });
  test.after(async () => {
    await liar.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test("plugin check starts, checks and stops the plugin of a folder, and returns status 0", async () => {
    const folder = join(import.meta.dirname, "../../../../examples/minimal-plugin");
    const { status, text, notes } = await run("check", folder, "--queries", "5");
    assert.is(status, 0, notes);
    assert.match(text, "airports (7 rows)");
    assert.match(text, /proved \(\d+\): rows, wire\.protocol, wire\.errors, wire\.secrets/);
  });

  for (const version of ["1.0.0", "1.1.0", "2.0.0", "3.0.0"] as const) {
    const declare = version === "3.0.0" ? test : test.deep;
    declare(
      `findings for a plugin of ${version} contain a curl command of that version with the same wrong answer`,
      async () => {
        const rows = Array.from({ length: 12 }, (_, row) => [row % 5 === 4 ? null : row % 4]);
        const columns = [{ id: "n", type: "numeric" }];
        const datasets = [{ id: "rows", name: "Rows", columns, rows }];
        const legacy = { version, pushdown: true, datasets, secret, ignoresFilters: true };
        const plugin = await openLegacyPlugin(legacy);
        try {
          const flags = ["--protocol", version, "--pushdown", "--seed", "1", "--queries", "60"];
          const { status, text } = await run("check", plugin.url, ...flags);
          assert.is(status, 1);
          const [command = "", body = ""] =
            /WRONG {2}filters\.operators\.is null\.numeric[^]*?--data '([^']*)'/.exec(text) ?? [];
          assert.match(command, `curl -s -X POST '${plugin.url}/query'`);
          assert.not.match(command, "X-Manifold-Protocol");
          const { columns: requested, filters, filters_all, options } = JSON.parse(body);
          const isNull = { column_id: "n", expression: "is null" };
          assert.equal(filters, [isNull]);
          const every = version === "1.0.0" ? undefined : [{ ...isNull, dataset_id: "rows" }];
          assert.equal(filters_all, every);
          assert.is(requested[0].column_id, "n");
          assert.equal(options, { pushdown: false });
          const headers = { "Content-Type": "application/json", "X-Secret": secret };
          const again = await fetch(`${plugin.url}/query`, { method: "POST", headers, body });
          assert.is(
            ((await again.json()) as unknown[]).length,
            12,
            "all rows, although two are null",
          );
        } finally {
          await plugin.close();
        }
      },
    );
  }

  test("checking a faulty plugin returns status 1 and prints the fault and a curl command without the secret", async () => {
    const badge = join(dir, "badge.svg");
    const table = join(dir, "table.md");
    const args = ["--seed", "1", "--queries", "20", "--badge", badge, "--table", table];
    const { status, text } = await run("check", liar.url, ...args);
    assert.is(status, 1);
    assert.match(
      text,
      /WRONG {2}filters\.operators\.!=\.\w+: it drops null under negative operators/,
    );
    assert.match(text, `curl -s -X POST '${liar.url}/query'`);
    assert.match(text, '-H "X-Secret: $PLUGIN_SECRET"');
    assert.match(text, '-H "X-Property-token: $PLUGIN_TOKEN"');
    assert.not.match(text, secret);
    assert.not.match(text, "the-token-77aa");
    assert.match(readFileSync(badge, "utf8"), /^<svg .*>failed</);
    assert.match(readFileSync(table, "utf8"), /\| filters `!=` \| wrong: /);
  });

  test.deep(
    "findings for the plugin of a folder contain a command that starts it at the address in the curl commands",
    async () => {
      const folder = join(dir, "wrong");
      mkdirSync(folder);
      writeFileSync(
        join(folder, "package.json"),
        JSON.stringify({ type: "module", main: "wrong.js", dependencies: {} }),
      );
      mkdirSync(join(folder, "node_modules"), { recursive: true });
      symlinkSync(join(import.meta.dirname, "../../../.."), join(folder, "node_modules/manifold"));
      writeFileSync(
        join(folder, "wrong.js"),
        `import { definePlugin } from "manifold/plugin";
      export default definePlugin({
        datasets: [{ id: "rows", columns: [{ id: "n", type: "numeric" }] }],
        rows: () => [["no number"]],
      });`,
      );
      const { status, text } = await run("check", folder, "--queries", "5", "--seed", "1");
      assert.is(status, 1);
      const [, port] = /curl -s -X POST 'http:\/\/127\.0\.0\.1:(\d+)\/query'/.exec(text) ?? [];
      assert.match(text, `npx manifold plugin dev ${folder} --port ${port}`);
      assert.match(text, "no suitable rows or columns for: rows");
      assert.not.match(text, secret);
    },
  );

  for (const [form, shape] of [
    ["json", /^\{\n {2}"target": \{/],
    ["html", /^<!doctype html>\n/],
    ["junit", /^<\?xml .*\n<testsuite .* failures="[1-9]/],
  ] as const)
    (form === "json" ? test : test.deep)(
      `plugin check writes the report as ${form} to a file, without secrets`,
      async () => {
        const output = join(dir, form);
        const args = ["--report", form, "--output", output, "--queries", "20", "--seed", "1"];
        const { status, text, notes } = await run("check", liar.url, ...args);
        assert.is(status, 1);
        assert.is(text, "");
        assert.match(notes, "FAILED");
        const written = readFileSync(output, "utf8");
        assert.match(written, shape);
        assert.not.match(written, secret);
      },
    );

  test("plugin check returns status 2 and the reason if the plugin cannot be checked", async () => {
    writeFileSync(join(dir, "plugin.js"), "export default 5;\n");
    for (const [args, why] of [
      [["check"], /takes one URL or one folder/],
      [["check", "http://127.0.0.1:1"], /127\.0\.0\.1:1 refuses connections|could not|refused/],
      [["check", liar.url, "--secret", "wrong"], /refuses the secret/],
      [["check", join(dir, "none")], /must be an http or https URL, or a folder/],
      [["check", dir], /no plugin as its default export/],
      [
        ["check", liar.url, "--report", "pdf"],
        /--report must be text, html, json or junit, not "pdf"/,
      ],
      [["check", liar.url, "--seed", "x"], /--seed must be a whole number/],
      [["check", liar.url, "--protocol", "4.0.0"], /--protocol must be one of 1\.0\.0/],
      [["check", liar.url, "--property", "secret-word"], /^manifold: --property must be ID=VALUE$/],
      [["prove"], /plugin must be followed by new, dev, check or bench, not "prove"/],
    ] as const) {
      const { status, notes } = await run(...args);
      assert.is(status, 2, args.join(" "));
      assert.match(notes, why);
    }
  });
});
