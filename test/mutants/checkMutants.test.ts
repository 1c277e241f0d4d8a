import * as assert from "uvu/assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "../support/suite.ts";
import { checkMutants } from "./checkMutants.ts";
import type { Mutant } from "./mutant.ts";
import { openRecord, renderRecord } from "./record.ts";
import type { RunTests } from "./runTests.ts";

const mutantOf = (id: string): Mutant => ({
  id,
  area: "core",
  file: `core/${id}.ts`,
  kind: "guard",
  line: 1,
  start: 0,
  end: 1,
  original: "if (a) return;",
  replacement: ";",
  lineText: "if (a) return;",
  nth: 0,
});

const near = ["near"].map((name) => `${name}.test.ts`);
const all = ["near", "farOne", "farTwo", "broken"].map((name) => `${name}.test.ts`);

/**
 * Checks mutants with planted test files, which fail for some of the mutants. Records which files ran with which
 * mutants.
 */
async function check(
  ids: readonly string[],
  fails: Readonly<Record<string, readonly string[]>>,
  isWanted?: (mutant: Mutant) => boolean,
  formerKiller?: string,
) {
  const folder = mkdtempSync(join(tmpdir(), "manifold-record-"));
  const path = join(folder, "record.jsonl");
  let inTree: readonly string[] = [];
  const runs: string[] = [];
  const run: RunTests = async ({ files, onPassed }) => {
    for (const file of files) {
      runs.push(`${inTree.join("+")} ${file}`);
      const isBroken = file === "broken.test.ts";
      if (isBroken || fails[file]?.some((id) => inTree.includes(id)))
        return { file, title: "it fails" };
      onPassed?.(file);
    }
    return undefined;
  };
  const round = async () => {
    const record = openRecord(path);
    if (record.verdicts.size === 0)
      for (const id of ids)
        record.add({ mutant: mutantOf(id), ...(formerKiller !== undefined && { formerKiller }) });
    await checkMutants({
      scratch: { path: "", apply: (mutants) => (inTree = mutants.map(({ id }) => id)) },
      record,
      testFiles: { all, near: () => near },
      run,
      ...(isWanted && { isWanted }),
      say: () => undefined,
    });
    return record.verdicts;
  };
  try {
    const verdicts = await round();
    const first = runs.splice(0);
    await round();
    return { verdicts, runs: first, runsOfSecond: runs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

suite("test/mutants/checkMutants", (test) => {
  test("the first test file that fails kills a mutant that is alone in the tree, and no further file runs", async () => {
    const { verdicts, runs } = await check(["a"], { "near.test.ts": ["a"] });
    assert.equal(verdicts.get("a")?.killedBy, { file: "near.test.ts", title: "it fails" });
    assert.equal(runs, ["a near.test.ts", " near.test.ts"]);
  });

  test("if a test file fails with several mutants in the tree, halving them finds the mutant that it kills", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    const { verdicts } = await check(ids, { "farOne.test.ts": ["d"], "farTwo.test.ts": ["b"] });
    const killers = ids.map((id) => verdicts.get(id)?.killedBy?.file);
    assert.equal(killers, [undefined, "farTwo.test.ts", undefined, "farOne.test.ts", undefined]);
    assert.ok(ids.every((id) => verdicts.get(id)?.killedBy || verdicts.get(id)?.isWhole));
  });

  test("a test file that fails even without mutants kills no mutant", async () => {
    const { verdicts } = await check(["a"], {});
    assert.is(verdicts.get("a")?.killedBy, undefined);
    assert.is(verdicts.get("a")?.isWhole, true);
  });

  test("no tests run if the record of mutants is complete", async () => {
    const { runsOfSecond } = await check(["a", "b"], { "farOne.test.ts": ["b"] });
    assert.equal(runsOfSecond, []);
  });

  test("the test file that killed a mutant in another version runs first", async () => {
    const { runs } = await check(["a"], { "farTwo.test.ts": ["a"] }, undefined, "farTwo.test.ts");
    assert.equal(runs, ["a farTwo.test.ts", " farTwo.test.ts"]);
  });

  test("mutants outside the filter are not checked", async () => {
    const { verdicts } = await check(["a", "b"], {}, ({ id }) => id === "b");
    assert.is(verdicts.get("a")?.isWhole, undefined);
    assert.is(verdicts.get("b")?.isWhole, true);
  });

  test("the table of results counts killed, surviving and equivalent mutants, and lists the survivors", async () => {
    const { verdicts } = await check(["a", "b", "c"], { "near.test.ts": ["a"] });
    const judged = new Map(verdicts);
    const verdict = judged.get("c");
    if (verdict) judged.set("c", { ...verdict, equivalent: "its callers check" });
    const text = renderRecord({ verdicts: judged });
    assert.match(text, "| core | 3 | 1 | 1 | 1 | 0 | 50 % |\n| all | 3 | 1 | 1 | 1 | 0 | 50 % |\n");
    assert.match(text, "- b: `if (a) return;` → `;`\n- c:");
    assert.match(text, "equivalent: its callers check");
    assert.not.match(text, "- a:");
  });
});
