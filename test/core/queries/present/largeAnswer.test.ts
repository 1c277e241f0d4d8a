import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import type { LargeAnswer } from "./measureLargeAnswer.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const script = fileURLToPath(new URL("./measureLargeAnswer.ts", import.meta.url));
/** A long string. With long strings, fewer cells make the answer large. */
const { rowCount, heapMb, textLength } = rounds({
  quick: { rowCount: 60_000, heapMb: 62, textLength: 200 },
  deep: { rowCount: 1_000_000, heapMb: 280, textLength: 0 },
});
const rows = `${rowCount.toLocaleString("en")} rows`;

suite(`core/queries: answers of ${rows}`, (test) => {
  let measured: { readonly json: LargeAnswer; readonly arrow: LargeAnswer };
  const show = ({ sizeBytes, grownBytes, durationMs }: LargeAnswer) =>
    `${Math.round(sizeBytes / 2 ** 20)} MB in ${Math.round(durationMs)} ms, memory grew by ${Math.round(grownBytes / 2 ** 20)} MB`;

  test.before(async () => {
    const flags = [
      `--max-old-space-size=${heapMb}`,
      // The process creates much garbage in a small heap, and takes less than half of the time if it collects the
      // garbage early.
      "--max-semi-space-size=2",
      "--conditions=manifold-source",
    ];
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...flags,
      script,
      String(rowCount),
      String(textLength),
    ]);
    measured = JSON.parse(stdout) as typeof measured;
    console.log(
      `\n  ${rows} × 10 columns. JSON: ${show(measured.json)}. Arrow: ${show(measured.arrow)}.`,
    );
  });

  test("an answer is written as JSON in a heap smaller than the JSON", () => {
    assert.ok(measured.json.sizeBytes > heapMb * 2 ** 20, show(measured.json));
  });

  test.deep("writing an answer as JSON needs at most half as much memory as the JSON", () => {
    const { sizeBytes, grownBytes } = measured.json;
    assert.ok(grownBytes < sizeBytes / 2, show(measured.json));
  });

  test("the last row of the written JSON is complete", () => {
    const last = new Date(1.6e12 + (rowCount - 1) * 61_001).toISOString();
    assert.is(measured.json.end, `"${last}"]]}`);
  });

  test("the Arrow stream of an answer is less than a third as large as its JSON", () => {
    assert.ok(measured.arrow.sizeBytes > 60 * rowCount, show(measured.arrow));
    assert.ok(measured.arrow.sizeBytes < measured.json.sizeBytes / 3, show(measured.arrow));
  });
});
