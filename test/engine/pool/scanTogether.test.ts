import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import type { Failure } from "../../../engine/failureOf.ts";
import { endIfCancelled } from "../../../engine/operators/task/cancellation.ts";
import type { ScanAnswer, SharedScan } from "../../../engine/pool/messages.ts";
import { scanTogether } from "../../../engine/pool/scanTogether.ts";
import { suite } from "../../support/suite.ts";

const scanOf = (laneStates: number, isCancelled = false): SharedScan => ({
  plan: { rowCount: 0, laneCount: 1, columns: [], order: [] },
  control: Int32Array.of(isCancelled ? 1 : 0, 0),
  bases: [],
  homeArena: 0,
  partCount: 1,
  laneStates,
  laneBytes: 0,
});

const answerOf = (scannedRowCount: number): ScanAnswer => ({
  ok: true,
  lanes: [],
  results: [],
  scannedRowCount,
});

suite("engine/pool/scanTogether", (test) => {
  test("shared scans take turns, and their answers are returned in the order of the requests", () => {
    const trace: string[] = [];
    const outcomes = scanTogether([scanOf(3), scanOf(1), scanOf(2)], function* ({ laneStates }) {
      for (let step = 0; step < laneStates; step++) {
        trace.push(`${laneStates}.${step}`);
        yield;
      }
      return answerOf(laneStates);
    });
    assert.equal(outcomes, [answerOf(3), answerOf(1), answerOf(2)]);
    assert.equal(trace, ["3.0", "1.0", "2.0", "3.1", "2.1", "3.2"]);
  });

  test("a scan that returns or fails does not affect the scans that share its task", () => {
    const failure: Failure = { ok: false, code: "QUERY_CANCELLED", details: [] };
    const outcomes = scanTogether(
      [scanOf(1), scanOf(2), scanOf(3), scanOf(4), scanOf(5)],
      function* ({ laneStates }) {
        yield;
        if (laneStates === 1) throw new EngineError("QUERY_PLAN", ["x"]);
        if (laneStates === 2) throw new RangeError("too long");
        if (laneStates === 3) return failure;
        if (laneStates === 4) throw new Error("broken");
        yield;
        return answerOf(laneStates);
      },
    );
    assert.equal(outcomes, [
      { ok: false, code: "QUERY_PLAN", details: ["x"] },
      { ok: false, code: "QUERY_OUT_OF_MEMORY", details: [] },
      failure,
      { ok: false, code: "WORKER_FAILED", details: ["broken"] },
      answerOf(5),
    ]);
  });

  test("a shared scan checks the cancellation flag of its own query", () => {
    const outcomes = scanTogether([scanOf(0), scanOf(1, true), scanOf(2)], function* (scan) {
      for (let step = 0; step < 3; step++) {
        endIfCancelled();
        yield;
      }
      return answerOf(scan.laneStates);
    });
    assert.equal(outcomes, [
      answerOf(0),
      { ok: false, code: "QUERY_CANCELLED", details: [] },
      answerOf(2),
    ]);
  });
});
