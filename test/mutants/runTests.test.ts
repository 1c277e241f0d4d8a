import * as assert from "uvu/assert";
import { createReport } from "../run/report.ts";
import { suite } from "../support/suite.ts";
import { createReading } from "./runTests.ts";

const result = {
  skippedCount: 0,
  durationMs: 5,
  processorMs: 7,
  output: "",
  deepTitles: [],
  missing: [],
};

suite("test/mutants/runTests", (test) => {
  test("the runner's output is parsed into the files that passed, and the file and test that failed first", () => {
    const passed: string[] = [];
    const reading = createReading((file) => passed.push(file));
    const write = (text: string) => {
      for (const line of text.split("\n")) reading.add(line);
    };
    const report = createReport({ layer: "quick", write });
    report.add({ ...result, file: "a/good.test.ts", totalCount: 3, passedCount: 3 });
    assert.is(reading.failure, undefined);
    const output = [
      '   FAIL  a suite  "one is two"',
      "    expected 2",
      '   FAIL  a suite  "one is three"',
    ].join("\n");
    report.add({ ...result, file: "a/bad.test.ts", totalCount: 2, passedCount: 1, output });
    report.end(0);
    assert.equal(passed, ["a/good.test.ts"]);
    assert.equal(reading.failure, { file: "a/bad.test.ts", title: 'a suite  "one is two"' });
  });

  test("the runner's output names a test file as soon as the file starts", () => {
    const reading = createReading();
    reading.add("… a/loop.test.ts");
    assert.is(reading.running, "a/loop.test.ts");
    assert.is(reading.failure, undefined);
  });
});
