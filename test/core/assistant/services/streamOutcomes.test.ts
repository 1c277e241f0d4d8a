import * as assert from "uvu/assert";
import type { Outcome } from "../../../../core/assistant/answers/askQuestion.ts";
import {
  streamOutcomes,
  textParts,
  type Wire,
} from "../../../../core/assistant/services/streamOutcomes.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const wire: Wire = {
  mediaType: "text/plain",
  headers: {},
  start: () => "start",
  write: (outcome) => textParts(outcome.kind === "text" ? outcome.text : ""),
  failed: () => "failed",
  end: () => "end",
};

/** Creates endless outcomes that count how many were read, and record whether reading was stopped. */
function endless() {
  const seen = { taken: 0, isEnded: false };
  async function* outcomes(): AsyncGenerator<Outcome> {
    try {
      for (;;) {
        seen.taken++;
        yield { kind: "text", text: `${"word ".repeat(40)}.`, struckCount: 0 };
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, outcomes: outcomes() };
}

const partsOfOne = [...textParts(`${"word ".repeat(40)}.`)].length;

suite("core/assistant/services/streamOutcomes", (test) => {
  test("the next outcome of a stream is not requested until a slow reader has read the previous one", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { seen, outcomes } = endless();
      let kept = false;
      const answer = await streamOutcomes(
        outcomes,
        async () => wire,
        async () => {
          kept = true;
        },
      );
      const chunks = answer.chunks[Symbol.asyncIterator]();
      assert.is(seen.taken, 1, "the first outcome, which determines the status");
      const readCount = 20 + random.below(30);
      for (let read = 1; read <= readCount; read++) {
        await chunks.next();
        // Number of turns of the event loop in which a stream without backpressure would read further outcomes.
        for (let turn = random.below(4); turn > 0; turn--) await Promise.resolve();
        // The event that starts the stream counts as a part too.
        assert.is(seen.taken, Math.max(1, Math.ceil((read - 1) / partsOfOne)), `part ${read}`);
      }
      await chunks.return?.(undefined);
      assert.ok(seen.isEnded, "a client that disconnects stops the outcomes");
      assert.not.ok(kept, "an answer that was not read is not stored");
    });
  });
});
