import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { createRepeatReport } from "./repeatReport.ts";

const good = {
  totalCount: 2,
  passedCount: 2,
  skippedCount: 0,
  durationMs: 1,
  processorMs: 1,
  deepTitles: [],
  missing: [],
  output: "",
};
const bad = {
  ...good,
  passedCount: 1,
  output: '   FAIL  a suite  "one is two"\n    expected 2, not 1\n',
};

suite("test/run/repeatReport", (test) => {
  const open = (files: readonly string[], roundCount: number) => {
    let text = "";
    const report = createRepeatReport({
      layer: "quick",
      files,
      roundCount,
      write: (written) => void (text += written),
    });
    return { report, text: () => text };
  };

  test("a test that fails repeatedly is listed once, with a command and the seeds of its rounds", () => {
    const { report, text } = open(["a.test.ts", "b.test.ts"], 3);
    for (const seed of ["7", "8", "9"]) {
      report.add({ ...(seed === "8" ? good : bad), file: "a.test.ts" }, seed);
      report.add({ ...good, file: "b.test.ts" }, seed);
    }
    assert.is(report.end(), false);
    assert.match(
      text(),
      "\na.test.ts: one is two\n   2 of 3 runs failed: SEED=7, 9\n   SEED=7 TITLE='one is two' npm test -- a\n",
    );
    assert.match(text(), "expected 2, not 1");
    assert.match(text(), "2 files, 6 runs, 12 tests: 2 runs failed in 1 test\n");
    assert.not.match(text(), "Left out");
  });

  test("the report shows the seed that a failed test printed instead of the seed of its round", () => {
    const { report, text } = open(["a.test.ts"], 1);
    report.add({ ...bad, output: `${bad.output}    SEED=17: wrong\n`, file: "a.test.ts" }, "7");
    report.end();
    assert.match(text(), "runs failed: SEED=17\n");
  });

  test("test runs that did not start before the time limit are listed, and do not count as failures", () => {
    const { report, text } = open(["a.test.ts", "b.test.ts"], 2);
    for (const seed of ["7", "8"]) report.add({ ...good, file: "a.test.ts" }, seed);
    report.add({ ...good, file: "b.test.ts" }, "7");
    assert.is(report.end(), true);
    assert.match(text(), "Not run because time ran out:\n  1 of 2 runs of b.test.ts\n");
  });

  test("a failure outside a test counts as a failure of its file", () => {
    const { report, text } = open(["a.test.ts"], 1);
    const output = "   FAIL  the process of this file exited (SIGKILL)\n";
    report.add({ ...good, passedCount: 0, output, file: "a.test.ts" }, "7");
    assert.is(report.end(), false);
    assert.match(text(), "a.test.ts: outside a test\n");
  });
});
