import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseSync } from "oxc-parser";
import Type from "typebox";
import { Value } from "typebox/value";
import * as assert from "uvu/assert";
import { readDescription } from "../../connectors/rest/description.ts";
import { actions } from "../../core/contracts/index.ts";
import { operationOf } from "../../core/openapi/operationOf.ts";
import { declarations } from "../../core/resources/index.ts";
import { parseProvider } from "../../core/signOn/provider.ts";
import { root } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";
import { placeOf, readBlocks, type Block } from "./readBlocks.ts";
import { openShellWorld, type ShellWorld } from "./shellWorld.ts";

const run = promisify(execFile);
const uuid = "00000000-0000-4000-8000-000000000001";

/**
 * Blocks that say `not-run`: commands that take minutes or another's program, parts of a file, what another product
 * reads, and statements for a server that these tests do not have. Their syntax and names are checked all the same.
 */
const notRun = {
  "CONTRIBUTING.md sh": 1,
  "README.md sh": 1,
  "connectors/clickhouse/README.md sh": 1,
  "core/charts/README.md ts": 1,
  "core/console/embed/README.md ts": 1,
  "deploy/README.md sh": 1,
  "docs/ASSISTANT.md json": 1,
  "docs/ASSISTANT.md sh": 1,
  "docs/CONSOLE.md ts": 1,
  "docs/EMBEDDING.md html": 1,
  "docs/EMBEDDING.md ts": 1,
  "docs/RUNNING.md sh": 1,
  "docs/RUNNING.md sql": 1,
  "docs/VERSIONS.md sh": 1,
  "test/evaluation/README.md sh": 1,
};

/** A value of JSON, or one a line. */
function valuesOf({ text }: Block): readonly Readonly<Record<string, unknown>>[] {
  const whole = text.replaceAll("…", uuid);
  try {
    return [JSON.parse(whole)];
  } catch {
    const starts = whole.split(/\n(?=\{)/);
    return starts.map((each) => JSON.parse(each));
  }
}

/** Who reads a block of JSON, by its first mark. */
const readers: Readonly<Record<string, (block: Block) => void>> = {
  call(block) {
    const [, name = "", actionName = ""] = block.marks;
    const action = actions.find((each) => each === actionName);
    const operation = action && operationOf(name, action, declarations);
    assert.ok(operation, `${placeOf(block)}: no action ${actionName} of ${name}`);
    for (const { action: _, resource: __, ...members } of valuesOf(block)) {
      const errors = Value.Errors(Type.Object(operation.members), members);
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
  api: (block) => void readDescription(block.text),
  provider(block) {
    for (const config of valuesOf(block))
      parseProvider({ issuer: "https://login.example.com", client_id: "manifold", ...config });
  },
};

suite("documentation/blocks", (test) => {
  const blocks = readBlocks();
  const isRun = ({ marks }: Block) => !marks.includes("not-run");
  const of = (language: string) => blocks.filter((block) => block.language === language);

  test("every block names a language, or is text", () => {
    assert.ok(blocks.length > 40, String(blocks.length));
    const known = ["", "sh", "ts", "json", "html", "sql"];
    assert.equal(blocks.filter(({ language }) => !known.includes(language)).map(placeOf), []);
  });

  test("blocks that no test runs say so, and are these", () => {
    const counts: Record<string, number> = {};
    for (const { page, language } of blocks.filter((block) => !isRun(block)))
      counts[`${page} ${language}`] = (counts[`${page} ${language}`] ?? 0) + 1;
    assert.equal(counts, notRun);
  });

  test("a block of JSON is read by what reads it in the host", () => {
    for (const block of of("json")) {
      if (!isRun(block)) valuesOf(block);
      else {
        const read = readers[block.marks[0] ?? ""];
        assert.ok(read, `${placeOf(block)}: name its reader: ${Object.keys(readers).join(", ")}`);
        read(block);
      }
    }
  });

  test("a block of TypeScript parses", () => {
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

  test("commands that are not run exist: scripts of npm, and commands of manifold", () => {
    const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    const commands = readFileSync(join(root, "core/command.ts"), "utf8");
    const own = ["ci", "test", "start", "install", "pack", "run"];
    for (const block of of("sh").filter((each) => !isRun(each))) {
      for (const [, , script = ""] of block.text.matchAll(/\bnpm (run )?([\w:-]+)/g))
        assert.ok(
          script in scripts || own.includes(script),
          `${placeOf(block)}: npm run ${script}`,
        );
      for (const [, command = ""] of block.text.matchAll(/^manifold ([\w-]+)/gm))
        assert.match(commands, `"${command}"`, placeOf(block));
    }
  });

  let world: ShellWorld | undefined;
  const opened = async () => (world ??= await openShellWorld());
  test.after(async () => world?.close());

  const pages = [
    ...new Set(
      of("sh")
        .filter(isRun)
        .map(({ page }) => page),
    ),
  ];
  for (const page of pages)
    test.deep(`the commands of ${page} are done by a host, in their order`, async () => {
      const { run: runShell } = await opened();
      const texts = of("sh").filter((block) => block.page === page && isRun(block));
      const printed = await runShell(texts.map(({ text }) => text));
      const answers = printed
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.ok(answers.length > 0);
    });

  for (const block of of("ts").filter(isRun))
    test.deep(`the TypeScript of ${placeOf(block)} compiles under strict and runs`, async () => {
      const { url, key, token } = await opened();
      const folder = join(root, ".manifold", `documentation-${process.pid}`);
      mkdirSync(folder, { recursive: true });
      try {
        const file = join(folder, "block.ts");
        writeFileSync(file, block.text.replaceAll("http://127.0.0.1:4000", url));
        const config = { extends: "../../tsconfig.json", include: ["block.ts"], exclude: [] };
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, references: [] }));
        await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
        const { stdout } = await run(process.execPath, ["--conditions=manifold-source", file], {
          env: { ...process.env, KEY: key, TOKEN: token },
        });
        assert.match(stdout, /\S/);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
