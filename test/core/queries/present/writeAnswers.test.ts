import * as assert from "uvu/assert";
import {
  presentAnswers,
  presentFailure,
  type AnsweredCall,
  type QueryAnswer,
} from "../../../../core/queries/present/presentAnswers.ts";
import type { Explanation } from "../../../../core/queries/present/explain.ts";
import { writeAnswers } from "../../../../core/queries/present/writeAnswers.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import type { LabelledTexts } from "../../../../core/queries/present/answerCell.ts";
import type { Batch, BatchColumn } from "../../../../plugins/protocol/index.ts";
import { answeredOf } from "../../../support/answered.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { randomBatch, randomVector } from "../../../support/randomBatch.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

/** Removes the processing time, which the written form does not include. */
const withoutTime = (text: string) => text.replaceAll(/"processing":[^,]*/g, '"processing":1');
const presented = (call: AnsweredCall) => withoutTime(JSON.stringify(presentAnswers(call)));
const written = (call: AnsweredCall) => withoutTime([...writeAnswers(call)].join(""));

suite("core/queries/present/writeAnswers", (test) => {
  const random = createRandom();

  /** Labels about half of the strings in a column. */
  const randomLabels = (vector: BatchColumn): LabelledTexts | undefined =>
    vector.type !== "hierarchy" || random.chance(0.3)
      ? undefined
      : new Map(
          vector.dictionary.flatMap((id) => {
            const color = random.chance(0.5) ? { color: "#00f" } : {};
            const text = { id, name: { nl: `label "of" ${id}` }, ...color };
            return random.chance(0.5) ? [[id, text]] : [];
          }),
        );

  test("the written text of random labeled and plain answers equals the JSON of their presented values", () =>
    withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 60, deep: 400 }); round++) {
        const batch = randomBatch(random);
        const cells = Array.from({ length: random.below(5) }, () =>
          random.below(batch.columns.length),
        );
        const answered = answeredOf(batch, {
          isPlain: random.chance(0.5),
          ...(random.chance(0.5) && { cells }),
          ...(random.chance(0.5) && { labels: batch.columns.map(randomLabels) }),
        });
        const call = { several: false, answers: [answered] };
        assert.is(written(call), presented(call));
      }
    }));

  test("members other than rows are written in the order in which they are presented", () => {
    const explain = { mode: "whole" } as unknown as Explanation;
    const answered = { ...answeredOf(randomBatch(random)), cached: true, explain };
    const call = { several: false, answers: [answered] };
    assert.is(written(call), presented(call));
    const members = Object.keys(JSON.parse(written(call)) as object);
    assert.equal(members, ["cached", "performance", "explain", "data"]);
  });

  test("bins are written exactly as they are presented", () =>
    withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 20, deep: 50 }); round++) {
        const batch: Batch = { rowCount: 40, columns: [randomVector(random, 40, "numeric")] };
        const bin = { width: random.pick([0.1, 1, 50, 1e9]), origin: 0 };
        const answered = answeredOf(batch, { requested: [{ bin }], isPlain: random.chance(0.5) });
        const call = { several: false, answers: [answered] };
        assert.is(written(call), presented(call));
      }
    }));

  test("several answers are written as a list, in which a failed answer is replaced by its error", () =>
    withSeed(random, async () => {
      const failure = presentFailure(new ApiError("RECORD_NOT_FOUND", ["dataset", "x"]));
      const answers = [answeredOf(randomBatch(random)), failure, answeredOf(randomBatch(random))];
      const call = { several: true, answers };
      assert.is(written(call), presented(call));
      const [first, second] = JSON.parse(written(call)) as Record<string, unknown>[];
      assert.equal(Object.keys(first ?? {}), ["cached", "performance", "data"]);
      assert.equal(second?.["error"], failure.error);
      const none = { several: true, answers: [failure] };
      assert.is(written(none), presented(none));
    }));

  test("a plain cell is a string, a number, an ISO string or null", () => {
    const batch: Batch = {
      rowCount: 2,
      columns: [
        { type: "hierarchy", codes: Int32Array.of(0, -1), dictionary: ["Ghent"] },
        { type: "numeric", values: Float64Array.of(-0, NaN) },
        { type: "datetime", values: Float64Array.of(951_782_400_000, NaN) },
      ],
    };
    const rowsOf = (isPlain: boolean) =>
      (
        JSON.parse(
          written({ several: false, answers: [answeredOf(batch, { isPlain })] }),
        ) as QueryAnswer
      ).data;
    const nulls = [null, null, null];
    assert.equal(rowsOf(true), [["Ghent", 0, "2000-02-29T00:00:00.000Z"], nulls]);
    const labelled = { id: "Ghent", name: { en: "Ghent" } };
    assert.equal(rowsOf(false), [[labelled, 0, "2000-02-29T00:00:00.000Z"], nulls]);
  });

  test.deep(
    "a large answer is written in many chunks of bounded size, even if every string is different",
    () => {
      const rowCount = 200_000;
      const dictionary = Array.from({ length: rowCount }, (_, index) => `customer ${index}`);
      const codes = Int32Array.from({ length: rowCount }, (_, index) => index);
      const batch: Batch = { rowCount, columns: [{ type: "hierarchy", codes, dictionary }] };
      const call = { several: false, answers: [answeredOf(batch)] };
      const chunks = [...writeAnswers(call)];
      const longest = Math.max(...chunks.map((chunk) => chunk.length));
      assert.ok(chunks.length > 50 && longest < 140_000, `${chunks.length} of up to ${longest}`);
      assert.is(withoutTime(chunks.join("")), presented(call));
    },
  );

  test("a small answer is written in one chunk", () => {
    const batch = randomBatch(random, 3);
    assert.is([...writeAnswers({ several: false, answers: [answeredOf(batch)] })].length, 1);
  });

  test("writing fails if an instant cannot be represented by a Date", () => {
    const batch: Batch = {
      rowCount: 1,
      columns: [{ type: "datetime", values: Float64Array.of(8.64e15 + 1) }],
    };
    assert.throws(() => written({ several: false, answers: [answeredOf(batch)] }), RangeError);
  });
});
