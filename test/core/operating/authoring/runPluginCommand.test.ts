import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../../../core/operating/authoring/index.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
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

/** Links the library for authors into a folder. */
function linkLibrary(folder: string): void {
  const scope = join(folder, "node_modules/@manifold-analytics");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(import.meta.dirname, "../../../../plugins"), join(scope, "plugin"));
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

  test("`plugin check` starts, checks and stops the plugin in a folder, and returns status 0", async () => {
    const folder = join(import.meta.dirname, "../../../../examples/minimal-plugin");
    const { status, text, notes } = await run("check", folder, "--queries", "1");
    assert.is(status, 0, notes);
    assert.match(text, "airports (7 rows)");
    assert.match(text, /proved \(\d+\): rows, wire\.protocol, wire\.errors, wire\.secrets/);
  });

  for (const version of ["1.0.0", "1.1.0", "2.0.0", "3.0.0"] as const) {
    const declare = version === "3.0.0" ? test : test.deep;
    declare(
      `findings for a plugin of ${version} contain a curl command that gets the same wrong answer in that version`,
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

  test("checking a faulty plugin returns status 1 and prints the fault with a curl command, without the secret", async () => {
    const badge = join(dir, "badge.svg");
    const table = join(dir, "table.md");
    const args = ["--seed", "1", "--queries", "20", "--badge", badge, "--table", table];
    const { status, text } = await run("check", liar.url, ...args);
    assert.is(status, 1);
    assert.match(text, /WRONG .*it drops rows with null under (!=|not in|negative operators)/);
    assert.match(text, /expected \d+ rows?, answered \d+ rows?; they first differ in row \d+/);
    assert.match(text, `curl -s -X POST '${liar.url}/query'`);
    assert.match(text, '-H "X-Secret: $PLUGIN_SECRET"');
    assert.match(text, '-H "X-Property-token: $PLUGIN_TOKEN"');
    assert.not.match(text, secret);
    assert.not.match(text, "the-token-77aa");
    assert.match(readFileSync(badge, "utf8"), /^<svg .*>failed \(\d+ faults?\)</);
    assert.match(readFileSync(table, "utf8"), /\| filters `!=` \| wrong: /);
  });

  test.deep(
    "findings for a plugin in a folder include the command that starts the plugin",
    async () => {
      const folder = join(dir, "wrong");
      mkdirSync(folder);
      writeFileSync(
        join(folder, "package.json"),
        JSON.stringify({ type: "module", main: "wrong.js", dependencies: {} }),
      );
      linkLibrary(folder);
      writeFileSync(
        join(folder, "wrong.js"),
        `import { definePlugin } from "@manifold-analytics/plugin";
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

  for (const [at, [what, file, source, place]] of (
    [
      [
        "an enum",
        "plugin.ts",
        "const a = 1;\nenum Color { red }\n",
        "2:1: SyntaxError: TypeScript enum",
      ],
      [
        "a parameter property",
        "plugin.ts",
        "export class A {\n  constructor(private readonly x: number) {}\n}\n",
        "2:32: SyntaxError: TypeScript parameter property",
      ],
      [
        "a syntax error in TypeScript",
        "plugin.ts",
        "const a: number[] = [1;\n",
        "1:23: SyntaxError: ",
      ],
      [
        "a syntax error in JavaScript",
        "plugin.js",
        "const a = 1;\nconst b = [1;\n",
        "2:13: SyntaxError: ",
      ],
      ["an error at import", "plugin.js", "\n  throw new TypeError('no');\n", "2:9: TypeError: no"],
      [
        "a wrong definition",
        "plugin.js",
        'import { definePlugin } from "@manifold-analytics/plugin";\nexport default definePlugin({ row: 1 });\n',
        "2:16: TypeError: definePlugin: row is not a member of a plugin; did you mean rows?",
      ],
    ] as const
  ).entries())
    (at === 0 ? test : test.deep)(
      `plugin check names the file, line and column of ${what}`,
      async () => {
        const folder = join(dir, `wrong-${at}`);
        mkdirSync(folder);
        linkLibrary(folder);
        writeFileSync(join(folder, "package.json"), '{"type":"module"}');
        writeFileSync(join(folder, file), source);
        const { status, notes } = await run("check", folder);
        assert.is(status, 2);
        assert.match(notes, `manifold: ${join(folder, file)}:${place}`);
      },
    );

  test("`plugin check` returns status 2 and names PLUGIN_TOKEN if the source refuses the credentials", async () => {
    const refusing = await serve(
      {
        ...plantedPlugin(),
        query: () =>
          Promise.reject(new PluginError("PLUGIN_FORBIDDEN", ["the API refuses the token"])),
      },
      { secret, onError: () => {} },
    );
    try {
      const { status, text, notes } = await run("check", refusing.url, "--queries", "5");
      assert.is(status, 2);
      assert.is(text, "");
      assert.match(notes, /the API refuses the token; set PLUGIN_TOKEN to the token, PLUGIN_KEY/);
    } finally {
      await refusing.close();
    }
  });

  test("a short secret raises no false alarm, and a note asks for a longer secret", async () => {
    const served = await serve(plantedPlugin(), { secret: "s", onError: () => {} });
    try {
      const args = ["check", served.url, "--secret", "s", "--queries", "1", "--seed", "1"];
      const { status, text } = await run(...args);
      assert.is(status, 0, text);
      assert.match(text, "the secret has fewer than 8 characters");
    } finally {
      await served.close();
    }
  });

  test("`plugin check` reports that an address serves web pages instead of a plugin", async () => {
    const server = createServer((_, response) => response.end("<!doctype html><p>Hello</p>"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const { status, notes } = await run("check", `http://127.0.0.1:${port}`);
      assert.is(status, 2);
      assert.match(
        notes,
        "answers /datasets with a web page; check that it is the base URL of a plugin",
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("`plugin check` returns status 2 and the reason if it cannot check the plugin", async () => {
    writeFileSync(join(dir, "plugin.js"), "export default 5;\n");
    for (const [args, why] of [
      [["check"], /requires one URL or one folder/],
      [["check", "http://127.0.0.1:1"], /127\.0\.0\.1:1 refuses connections|could not|refused/],
      [["check", liar.url, "--secret", "wrong"], /refuses the secret/],
      [["check", join(dir, "none")], /must be an http or https URL, or a folder/],
      [["check", dir], /must have a plugin as its default export/],
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
