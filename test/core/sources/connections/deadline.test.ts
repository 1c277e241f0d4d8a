import { mock } from "node:test";
import * as assert from "uvu/assert";
import { withPauses } from "../../../../core/sources/connections/deadline.ts";
import { suite } from "../../../support/suite.ts";
import { problemOf } from "../../operating/backup/problemOf.ts";

suite("core/sources/connections/deadline", (test) => {
  const never = new AbortController().signal;
  const nothing = async () => undefined;
  /** Runs a scan whose timers only move when it calls `tick`. */
  const scan: typeof withPauses = async (...given) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      await withPauses(...given);
    } finally {
      mock.timers.reset();
    }
  };

  test("a source that trickles batches for longer than the deadline is read completely", async () => {
    let batchCount = 0;
    await scan(never, 100, async (_, { pause }) => {
      for (let batch = 0; batch < 10; batch++) {
        mock.timers.tick(99);
        await pause(async () => void batchCount++);
      }
    });
    assert.is(batchCount, 10);
  });

  test("the time in which the host stores a batch is not silence of the source", async () => {
    await scan(never, 100, async (_, { pause }) => {
      await pause(async () => mock.timers.tick(1000));
    });
  });

  test("a source that only says that it is alive has as much time again", async () => {
    await scan(never, 100, async (_, { alive }) => {
      for (let part = 0; part < 10; part++) {
        mock.timers.tick(99);
        alive();
      }
    });
  });

  test("a source that is silent after a batch is stopped, and the error says for how long it was silent", async () => {
    let stopped: AbortSignal | undefined;
    const problem = problemOf(
      scan(never, 100, async (signal, { pause }) => {
        stopped = signal;
        await pause(nothing);
        mock.timers.tick(100);
        await new Promise(() => {});
      }),
    );
    assert.match(await problem, /no rows arrived for 100 ms/);
    assert.ok(stopped?.aborted);
  });
});
