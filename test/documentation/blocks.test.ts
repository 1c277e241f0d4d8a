import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseSync } from "oxc-parser";
import Type from "typebox";
import { Value } from "typebox/value";
import * as assert from "uvu/assert";
import { commands } from "../../core/cli/commands.ts";
import { uploadUsage } from "../../core/cli/runUploadCommand.ts";
import { backupUsage } from "../../core/operating/backup/index.ts";
import { transferUsage } from "../../core/operating/transfer/index.ts";
import { flagOf } from "../../core/base/config.ts";
import { readDescription } from "../../connectors/rest/description.ts";
import { actions } from "../../core/base/contracts/index.ts";
import { operationOf } from "../../core/http/openapi/operationOf.ts";
import { componentSchemas } from "../../core/http/openapi/componentSchemas.ts";
import { Column } from "../../plugins/protocol/index.ts";
import { declarations } from "../../core/resources/index.ts";
import { parseProvider } from "../../core/identity/signOn/provider.ts";
import { pages, root, textOf } from "../../docs/.vitepress/pages.ts";
import { openClickhouseDatabase } from "../support/clickhouseDatabase.ts";
import { needsMariadb } from "../support/mariadbDatabase.ts";
import { suite } from "../support/suite.ts";
import { webhookEvent } from "../support/webhookEvent.ts";
import { withCompiled } from "./compileBlock.ts";
import { placeOf, readBlocks, type Block } from "./readBlocks.ts";
import { openShellWorld, type ShellWorld } from "./shellWorld.ts";

const run = promisify(execFile);
/** The schemas that other schemas of the description refer to. */
const named = Object.fromEntries(
  Object.entries(componentSchemas(declarations)).map(([name, schema]) => [
    `#/components/schemas/${name}`,
    schema,
  ]),
);
const serveUsage = [flagOf("dataDir")];
const uuid = "00000000-0000-4000-8000-000000000001";

/**
 * Reasons why blocks marked `not-run` are not run. Tests check only that bash can parse `sh` blocks, that `sh` blocks
 * name existing scripts, commands and flags, and that a server can parse `sql` blocks.
 */
const notRun: Readonly<Record<string, string>> = {
  "CONTRIBUTING.md sh": "minutes, and a host without end",
  "README.md sh": "minutes, and a host without end; test/examples runs the demo",
  "deploy/README.md sh":
    "docker and helm, which the tests do not have; test/deploy checks their flags, paths and values",
  "docs/ASSISTANT.md sh": "another's program; test/documentation/mcp reads its arguments",
  "docs/AT_HOME.md sh": "a version that is not published yet",
  "docs/PUBLISH_A_PLUGIN.md sh":
    "docker, cosign and the public registry; test/core/operating/authoring/newProject runs the container file's commands",
  "docs/README.md sh": "minutes, and a host without end; test/examples runs the demo",
  "docs/RUNNING.md sh": "downloads 74 MB; test/packages runs the command with the packed host",
  "docs/RUNNING.md sql":
    "the server of the tests refuses `create user`; test/connectors/clickhouse/store/grants does what it says",
  "docs/TRANSFER.md sh":
    "another host; test/core/operating/transfer/pullFolder pulls from a stand-in, and applies here",
  "docs/how-to/UPLOAD_FILES.md sh":
    "the installed command; test/core/cli/runUploadCommand runs it from the sources",
  "docs/tutorials/EMBED_A_DASHBOARD.md sh":
    "a server without end; test/documentation/tutorials runs the program",
  "docs/tutorials/EXPRESS_APP.md sh":
    "a host and an app without end; test/examples/expressApp follows the steps",
  "docs/tutorials/FIRST_CHART.md sh": "minutes, and a host without end",
  "docs/tutorials/FIRST_PLUGIN.md sh": "minutes; test/package packs the tree",
  "docs/tutorials/NEXT_APP.md sh":
    "a host and an app without end; test/examples/nextApp follows the steps",
  "examples/connectors/README.md sh": "servers; test/examples/connectors runs each program",
  "examples/embed/README.md sh": "a server without end; test/examples/embed opens its pages",
  "examples/firebird/README.md sh": "packages of Debian; test/examples/firebird needs them",
  "examples/three-sources/README.md sh": "test/examples/threeSources runs the same program",
};

/** Returns the JSON values of a block: a single value, or several values that each start on a new line. */
function valuesOf({ text }: Block): readonly Readonly<Record<string, unknown>>[] {
  const whole = text.replaceAll("…", uuid);
  try {
    return [JSON.parse(whole)];
  } catch {
    const starts = whole.split(/\n(?=\{)/);
    return starts.map((each) => JSON.parse(each));
  }
}

/** Checks of a JSON block, keyed by the first word after its language. */
const readers: Readonly<Record<string, (block: Block) => void>> = {
  call(block) {
    const [, name = "", actionName = ""] = block.marks;
    const action = actions.find((each) => each === actionName);
    const operation = action && operationOf(name, action, declarations);
    assert.ok(operation, `${placeOf(block)}: no action ${actionName} of ${name}`);
    for (const { action: _, resource: __, ...members } of valuesOf(block)) {
      const errors = Value.Errors(named, Type.Object(operation.members), members);
      assert.equal(
        errors.map(({ message, instancePath }) => `${instancePath} ${message}`),
        [],
        placeOf(block),
      );
    }
  },
  answer(block) {
    const [, name = "", actionName = ""] = block.marks;
    const action = actions.find((each) => each === actionName);
    const operation = action && operationOf(name, action, declarations);
    assert.ok(operation, placeOf(block));
    for (const row of valuesOf(block))
      assert.ok(Value.Check(operation.answer, { count: 1, rows: [row] }), placeOf(block));
  },
  properties(block) {
    const text = valuesOf(block).map((properties) => JSON.stringify({ properties }));
    readers["call"]?.({ ...block, text: text.join("\n") });
  },
  column(block) {
    for (const column of valuesOf(block)) assert.ok(Value.Check(Column, column), placeOf(block));
  },
  api: (block) => void readDescription(block.text),
  event: (block) => void webhookEvent(block.text),
  provider(block) {
    for (const config of valuesOf(block))
      parseProvider({ issuer: "https://login.example.com", client_id: "manifold", ...config });
  },
};

/** Returns the first line of each code block that is indented instead of fenced. */
function indentedIn(text: string): readonly number[] {
  const lines = text.replaceAll(/^( *)```.*?^\1```$/gms, (block) => block.replaceAll(/.+/g, "-"));
  return lines.split("\n").flatMap((line, index, all) => {
    const before = all.slice(0, index).findLast((each) => each !== "") ?? "";
    const isCode =
      /^ {4}\S/.test(line) && all[index - 1] === "" && !/^( |[-*] |\d+\. )/.test(before);
    return isCode ? [index + 1] : [];
  });
}

suite("documentation/blocks", (test) => {
  const blocks = readBlocks();
  const isRun = ({ marks }: Block) => !marks.includes("not-run");
  /** The names of this folder's tests. A code block names the test that runs it. */
  const runners = globSync("*.test.ts", { cwd: import.meta.dirname }).map((name) =>
    name.replace(/\.test\.ts$/, ""),
  );
  const hasRunner = ({ marks }: Block) => marks.some((mark) => runners.includes(mark));
  const of = (language: string) => blocks.filter((block) => block.language === language);

  test("every code block in the documentation names a known language or is plain text", () => {
    assert.ok(blocks.length > 40, String(blocks.length));
    const known = [
      "",
      "sh",
      "ts",
      "tsx",
      "js",
      "py",
      "python",
      "json",
      "yaml",
      "html",
      "css",
      "sql",
      "text",
    ];
    assert.equal(blocks.filter(({ language }) => !known.includes(language)).map(placeOf), []);
  });

  test("every code block in the documentation is fenced", () => {
    const indented = pages.flatMap((page) =>
      indentedIn(textOf(page)).map((line) => `${page}:${line}`),
    );
    assert.equal(indented, []);
    assert.equal(indentedIn("- a point\n\n  goes on\n\ntext\n\n    code\n"), [7]);
  });

  test("every code block that no test runs is listed with a reason", () => {
    const places = blocks
      .filter((block) => !isRun(block))
      .map(({ page, language }) => `${page} ${language}`);
    assert.equal([...new Set(places)], Object.keys(notRun));
  });

  test("the word after a code block's language names a JSON check or a test of the page, or is not-run", () => {
    assert.ok(blocks.filter(hasRunner).length > 6);
    for (const block of blocks.filter(({ marks }) => marks.length > 0)) {
      const [mark = ""] = block.marks;
      if (mark in readers || mark === "not-run") continue;
      assert.ok(runners.includes(mark), `${placeOf(block)}: no test ${mark} in test/documentation`);
      const source = readFileSync(join(import.meta.dirname, `${mark}.test.ts`), "utf8");
      const isNamed = [block.page, dirname(block.page)].some((path) =>
        source.includes(`"${path}"`),
      );
      assert.ok(isNamed, placeOf(block));
    }
  });

  test("the host accepts every JSON block in the documentation", () => {
    for (const block of of("json")) {
      if (!hasRunner(block)) {
        const read = readers[block.marks[0] ?? ""];
        assert.ok(read, `${placeOf(block)}: name its reader: ${Object.keys(readers).join(", ")}`);
        read(block);
      }
    }
  });

  test("every TypeScript block in the documentation parses", () => {
    for (const block of of("ts")) {
      const text = block.text.replaceAll(/, … ?([})])/g, ", ...rest $1");
      const { errors } = parseSync("block.ts", text);
      assert.equal(
        errors.map(({ message }) => message),
        [],
        placeOf(block),
      );
    }
  });

  test("every shell block in the documentation parses in bash", async () => {
    // The examples of the reference are many, and a generator writes them.
    const blocks = of("sh").filter(({ marks }) => !marks.includes("reference"));
    assert.ok(blocks.length > 0);
    // One shell parses all blocks, each as the body of a function that is never called. A shell per block would take
    // seconds.
    const script = [
      "at=0",
      "for each; do",
      `  eval "parsed() { :"$'\\n'"$each"$'\\n}' 2>&1 || echo "block $at"`,
      "  at=$((at + 1))",
      "done",
    ].join("\n");
    const parse = async (texts: readonly string[]) =>
      (await run("bash", ["-c", script, "bash", ...texts])).stdout;
    for (const wrong of ["if true; then echo a", "echo 'a", "echo )", "}", "cat <<END\na"])
      assert.match(await parse(["echo a", wrong, "echo b"]), /^block 1$/m, wrong);
    const stdout = await parse(blocks.map(({ text }) => text));
    const at = Number(/^block (\d+)$/m.exec(stdout)?.[1]);
    assert.is(stdout, "", stdout === "" ? "" : placeOf(blocks[at]!));
  });

  test("shell blocks that no test runs name existing scripts, commands and flags", () => {
    const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    const own = ["ci", "test", "start", "install", "pack", "run", "audit", "deprecate"];
    const usage = [...backupUsage, ...serveUsage, ...transferUsage, ...uploadUsage].join("\n");
    for (const block of of("sh").filter((each) => !isRun(each))) {
      for (const [, , script = ""] of block.text.matchAll(/\bnpm (run )?([\w:-]+)/g))
        assert.ok(
          script in scripts || own.includes(script),
          `${placeOf(block)}: npm run ${script}`,
        );
      for (const [line = "", command = ""] of block.text.matchAll(
        /^(?:npx )?manifold ([\w-]+).*$/gm,
      )) {
        assert.ok(command === "serve" || Object.hasOwn(commands, command), placeOf(block));
        for (const [flag] of line.replace(/#.*/, "").matchAll(/--[\w-]+/g))
          assert.match(usage, flag, placeOf(block));
      }
    }
  });

  test("HTML blocks in the documentation use only attributes that the component has", () => {
    const source = readFileSync(join(root, "docs/EMBEDDING.md"), "utf8");
    for (const { text } of of("html"))
      for (const [, attributes = ""] of text.matchAll(/<manifold-dashboard([^>]*)>/g))
        for (const [, name = ""] of attributes.matchAll(/ ([\w-]+)=/g))
          assert.match(source, `| \`${name}\``);
  });

  test.deep("the command in docs/VERSIONS.md writes a folder of the store", async () => {
    const [block] = of("sh").filter(({ page }) => page === "docs/VERSIONS.md");
    assert.ok(block);
    const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
    try {
      const [path = ""] = /test\/engine\/kept\/store-\d+\.json/.exec(block.text) ?? [];
      const kept = join(folder, "store.json");
      const withNode = `${dirname(process.execPath)}:${process.env["PATH"]}`;
      await run("bash", ["-eu", "-c", block.text.replace(path, kept)], {
        cwd: root,
        env: { ...process.env, PATH: withNode, NODE_OPTIONS: "" },
      });
      assert.ok(Object.keys(JSON.parse(readFileSync(kept, "utf8"))).length > 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.deep("ClickHouse parses every SQL block on the pages about ClickHouse", async () => {
    const database = await openClickhouseDatabase();
    try {
      const statements = of("sql").flatMap(({ text }) => text.split(/;\s*/).filter(Boolean));
      assert.is(statements.length, 7);
      for (const statement of statements)
        assert.match(await database.run(`explain ast ${statement}`), /\S/, statement);
      const wrong = database.run("explain ast create user manifold identified as 'x' grant");
      assert.match(await wrong.then(() => "read", String), "SYNTAX_ERROR");
    } finally {
      await database.close();
    }
  });

  let world: ShellWorld | undefined;
  const opened = async () => (world ??= await openShellWorld());
  test.after(async () => world?.close());

  const shellPages = [
    ...new Set(
      of("sh")
        .filter((block) => isRun(block) && !hasRunner(block) && block.page !== "docs/VERSIONS.md")
        .map(({ page }) => page),
    ),
  ];
  /** Returns whether the server that a page needs is available on this machine. */
  const hasServer = (page: string) =>
    page !== "connectors/mysql/README.md" || needsMariadb.missing === undefined;
  for (const page of shellPages.filter(hasServer))
    test.deep(`a host accepts the commands on ${page} in their order`, async () => {
      const { run: runShell } = await opened();
      const texts = of("sh").filter(
        (block) => block.page === page && isRun(block) && !hasRunner(block),
      );
      const printed = await runShell(texts.map(({ text }) => text));
      const answers = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.ok(answers.length > 0);
    });

  for (const block of of("ts").filter((each) => !hasRunner(each)))
    test.deep(
      `the TypeScript block at ${placeOf(block)} compiles in strict mode and runs`,
      async () => {
        const { url, key, token } = await opened();
        const replaced = { "http://127.0.0.1:4000": url };
        await withCompiled(block, { replaced }, async (file) => {
          const { stdout } = await run(process.execPath, ["--conditions=manifold-source", file], {
            env: { ...process.env, KEY: key, TOKEN: token },
          });
          assert.match(
            stdout,
            block.page === "core/web/charts/README.md" ? /^<svg .*Ghent/s : /\S/,
          );
        });
      },
    );
});
