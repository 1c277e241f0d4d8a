import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../../core/operating/authoring/index.ts";
import {
  aggregations,
  type Dataset,
  dataTypes,
  levels,
  operatorDefinitions,
  pluginErrors,
} from "../../../plugins/protocol/index.ts";
import { awkwardType, randomAwkwardTable } from "../../support/awkward.ts";
import { noteMissing } from "../../support/layer.ts";
import { openPythonPlugin } from "../../support/pythonPlugin.ts";
import { createRandom, type Random, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { fillTelling } from "../conformance/tellingRows.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const library = join(root, "plugins/python");
const environment = {
  ...process.env,
  PYTHONPATH: join(library, "src"),
  // Python keeps the compiled modules of the library here.
  PYTHONPYCACHEPREFIX: join(root, "node_modules/.cache/manifold-python"),
  PYTHONDONTWRITEBYTECODE: "",
  NODE_OPTIONS: "",
};
/** The library supports Python 3.9 and newer. */
const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const mypyVersion = "2.4.0";

const tables = `
import json
from manifold_plugin import AGGREGATIONS, DATA_TYPES, ERRORS, LEVELS, OPERATORS
print(json.dumps([AGGREGATIONS, DATA_TYPES, ERRORS, LEVELS, OPERATORS]))
`;

suite("plugins/python", (test) => {
  if (!hasPython) {
    noteMissing("python3 of version 3.9 or newer, for plugins/python");
    return;
  }

  test("the unit tests of the Python library pass, without warnings", async () => {
    const args = ["-W", "error", "-m", "unittest", "discover", "-s", import.meta.dirname];
    const { stderr } = await run("python3", args, { env: environment });
    assert.match(stderr, /^Ran \d\d+ tests[^]*\nOK\n$/m);
  });

  test("the Python library has the protocol's operators, levels, aggregations, types and errors", async () => {
    const { stdout } = await run("python3", ["-c", tables], { env: environment });
    const numbers = Object.entries(operatorDefinitions).map(([name, { values }]) => [name, values]);
    assert.equal(JSON.parse(stdout), [
      aggregations,
      dataTypes,
      pluginErrors,
      levels,
      Object.fromEntries(numbers),
    ]);
  });

  test("the Python package has the version and licence of the other packages", () => {
    const described = readFileSync(join(library, "pyproject.toml"), "utf8");
    const { version, license } = JSON.parse(
      readFileSync(join(root, "plugins/package.json"), "utf8"),
    );
    assert.match(described, `\nversion = "${version}"\n`);
    assert.match(described, `\nlicense = { text = "${license}" }\n`);
    assert.match(described, "\ndependencies = []\n");
  });

  test.deep("mypy finds no error in the Python library in strict mode", async () => {
    const mypy = await findMypy();
    if (mypy === undefined) return noteMissing(`mypy ${mypyVersion}, which pip could not install`);
    const { stdout } = await run(mypy, ["--no-incremental"], { cwd: library });
    assert.match(stdout, "Success: no issues found");
  });

  test.deep(
    "the kit proves every claim of a plugin over SQLite that is written with the Python library",
    async () => {
      const secret = "python-secret-12";
      const folder = mkdtempSync(join(tmpdir(), "manifold-python-"));
      const file = join(folder, "tables.json");
      const random = createRandom();
      writeFileSync(file, JSON.stringify([...tellingTables(), ...awkwardTables(random)]));
      const plugin = await openPythonPlugin(secret, [
        join(import.meta.dirname, "sqlite_plugin.py"),
        file,
      ]);
      try {
        await withSeed(random, async () => {
          const lines: string[] = [];
          const status = await runPluginCommand(
            ["check", plugin.url, "--seed", "7", "--queries", "2000", "--report", "json"],
            {
              environment: { PLUGIN_SECRET: secret },
              write: (line) => lines.push(line),
              note: (line) => lines.push(line),
            },
          );
          assert.is(status, 0, lines.join("\n"));
          const report: {
            readonly claims: readonly { readonly claim: string; readonly verdict: string }[];
          } = JSON.parse(lines.join("\n"));
          const proved = report.claims
            .filter(({ verdict }) => verdict === "proved")
            .map(({ claim }) => claim);
          for (const claim of [
            "projection",
            "filters.nested",
            "filters.levels",
            "filters.operators.not in.hierarchy",
            "filters.superset.like.hierarchy",
            "grouping.aggregations.average",
            "grouping.aggregations.distinctcount",
            "grouping.levels.week",
            "grouping.levels.quarter",
            "levelsAnywhere",
            "having",
            "order",
            "limit",
            "wire.errors",
            "wire.secrets",
            "wire.limits",
            "wire.concurrency",
            "wire.hangUp",
          ])
            assert.ok(proved.includes(claim), `${claim} is not among ${proved.join(", ")}`);
          const others = report.claims.filter(
            ({ verdict }) => !["proved", "refused", "not asked"].includes(verdict),
          );
          assert.equal(others, []);
        });
      } finally {
        await plugin.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

/** Returns rows for which each known deviation leads to a different answer. */
function tellingTables(): readonly unknown[] {
  const filled: unknown[] = [];
  const fill = (id: string, columns: Dataset["columns"], rows: readonly unknown[]) =>
    filled.push({ id, columns, rows });
  fillTelling({ fill } as unknown as Parameters<typeof fillTelling>[0]);
  return filled;
}

/** Returns rows of values that databases treat differently. */
function awkwardTables(random: Random): readonly unknown[] {
  const limits = { nul: true, nan: false, years: [1000, 9999] } as const;
  return [14, 60].map((rowCount) => {
    const { name, columns, rows } = randomAwkwardTable(random, limits, rowCount);
    const types = columns.map(awkwardType);
    return {
      id: name,
      columns: columns.map(({ id }, at) => ({ id, type: types[at] })),
      rows: rows.map((row) =>
        row.map((cell, at) => (cell !== null && types[at] === "numeric" ? Number(cell) : cell)),
      ),
    };
  });
}

/** Returns the path of mypy. The first call installs mypy. Undefined if pip cannot install it. */
async function findMypy(): Promise<string | undefined> {
  const folder = join(root, `node_modules/.cache/manifold-mypy-${mypyVersion}`);
  const program = join(folder, "bin/mypy");
  if (existsSync(program)) return program;
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  try {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin/pip"), ["install", "--quiet", `mypy==${mypyVersion}`]);
    return program;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
