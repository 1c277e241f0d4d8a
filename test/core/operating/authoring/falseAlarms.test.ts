import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openTarget, type Target } from "../../../../core/operating/authoring/openTarget.ts";
import { runNew } from "../../../../core/operating/authoring/runNew.ts";
import { checkPlugin, findingsOf } from "../../../../plugins/conformance/index.ts";
import { columnOfCells } from "../../../../plugins/protocol/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import { checkByKit } from "../../../connectors/checkByKit.ts";
import { awkwardCell, awkwardType } from "../../../support/awkward.ts";
import { noteMissing } from "../../../support/layer.ts";
import { openPythonPlugin } from "../../../support/pythonPlugin.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const root = join(import.meta.dirname, "../../../..");
/**
 * Number of seeds per plugin. The tests in test/connectors set the numbers for connectors and for numbered protocol
 * versions.
 */
const seedCount = 50;
const queryCount = 20;
/**
 * Number of seeds for the checks of wire bytes and of unclaimed capabilities. It is low, because these checks make few
 * random choices.
 */
const wholeSeeds = 2;
const settings = { credentials: { properties: {} }, pushdown: false, supportsDistinctcount: false };

suite("core/operating/authoring: honest plugins", (test) => {
  let dir: string;
  const here = process.cwd();
  test.before(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "manifold-honest-")));
    mkdirSync(join(dir, "node_modules/@manifold-analytics"), { recursive: true });
    symlinkSync(join(root, "plugins"), join(dir, "node_modules/@manifold-analytics/plugin"));
    process.chdir(dir);
  });
  test.after(() => {
    process.chdir(here);
    rmSync(dir, { recursive: true, force: true });
  });

  /** Checks a plugin with many seeds, and fails on any finding, because the plugin is honest. */
  async function checkOften(target: Target): Promise<void> {
    const seeds = createRandom();
    let totalCount = 0;
    await withSeed(seeds, async () => {
      for (let round = 0; round < seedCount; round++) {
        const seed = seeds.below(2 ** 31);
        const report = await checkPlugin({
          plugin: target.plugin,
          credentials: target.credentials,
          seed,
          queryCount,
          checksUnclaimed: round < wholeSeeds,
          ...(round < wholeSeeds && { wire: target.wire }),
        });
        const found = findingsOf(report).map((finding) => JSON.stringify(finding));
        assert.is(found.length, 0, `seed ${seed}: ${found.join("\n")}`);
        totalCount += report.queryCount;
      }
    });
    assert.ok(totalCount >= seedCount, `${totalCount} queries`);
  }

  async function checkFolder(folder: string): Promise<void> {
    const target = await openTarget(folder, settings);
    try {
      await checkOften(target);
    } finally {
      await target.close();
    }
  }

  for (const kind of ["rows", "sql", "rest"])
    test.deep(
      `checking a new plugin of kind ${kind} with ${seedCount} seeds finds no fault`,
      async () => {
        await runNew([`honest-${kind}`, "--kind", kind], {
          environment: {},
          write: () => {},
          note: () => {},
        });
        await checkFolder(join(dir, `honest-${kind}`));
      },
    );

  test.deep(`checking the minimal plugin with ${seedCount} seeds finds no fault`, () =>
    checkFolder(join(root, "examples/minimal-plugin")),
  );

  test.deep(`checking the Python plugin with ${seedCount} seeds finds no fault`, async () => {
    if (spawnSync("python3", ["--version"]).status !== 0)
      return noteMissing("python3, for examples/python-plugin");
    const secret = "python-secret-29";
    const python = await openPythonPlugin(secret);
    try {
      const target = await openTarget(python.url, { ...settings, secret });
      try {
        await checkOften(target);
      } finally {
        await target.close();
      }
    } finally {
      await python.close();
    }
  });

  test.deep(`checking the store with ${seedCount} seeds finds no fault`, async () => {
    const strata = await openStrata({
      dir: join(dir, "store"),
      workers: 1,
      memoryBytes: 2 ** 28,
      warmUp: false,
    });
    const credentials = { properties: {} };
    const call = { credentials, signal: new AbortController().signal };
    let tableCount = 0;
    const seeds = createRandom();
    try {
      await withSeed(seeds, async () => {
        const count = await checkByKit(
          {
            plugin: strata,
            credentials,
            limits: { years: [1000, 9999] },
            async fill({ columns, rows }) {
              const id = `table ${++tableCount}`;
              const stored = columns.map((column) => ({
                id: `source.${column.id}`,
                type: awkwardType(column),
              }));
              await strata.write!({ ...call, write: { action: "create", id, columns: stored } });
              const vectors = columns.map((column, index) =>
                columnOfCells(
                  stored[index]!,
                  rows.map((row) => awkwardCell(row[index] ?? null, column)),
                ),
              );
              const batch = { rowCount: rows.length, columns: vectors };
              const columnIds = stored.map((column) => column.id);
              await strata.write!({
                ...call,
                write: { action: "append", id, rows: { columnIds, batch } },
              });
              return id;
            },
          },
          seeds,
        );
        assert.ok(count >= seedCount, `${count} queries`);
      });
    } finally {
      await strata.close?.();
    }
  });
});
