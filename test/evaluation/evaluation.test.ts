import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { rounds } from "../support/layer.ts";
import { openModelStandIn, type ModelStandIn } from "../support/modelStandIn.ts";
import { createRandom, withSeed } from "../support/random.ts";
import { suite } from "../support/suite.ts";
import { bindGold } from "./bindGold.ts";
import { evaluate, reportOf, type Judged } from "./evaluate.ts";
import { isRight } from "./isRight.ts";
import type { Cell } from "./models/dataModel.ts";
import { makeFlights } from "./models/flights.ts";
import { makeSales } from "./models/sales.ts";
import { openEvaluated, type Evaluated } from "./openEvaluated.ts";
import { openGold } from "./openGold.ts";
import { openRelay, type RecordedReply, type Relay } from "./openRelay.ts";
import { allQuestions, modelOf } from "./questions/allQuestions.ts";
import { readRecording, scriptOf, withNames } from "./recording.ts";

type Rows = readonly (readonly Cell[])[];
const answers = JSON.parse(
  readFileSync(new URL("answers.json", import.meta.url), "utf8"),
) as Readonly<Record<string, Rows>>;

suite("evaluation", (test) => {
  let model: ModelStandIn;
  let relay: Relay;
  let evaluated: Evaluated;
  test.before(async () => {
    model = await openModelStandIn();
    relay = await openRelay(model.url);
    const models = [makeSales(), ...rounds({ quick: [], deep: [await makeFlights()] })];
    evaluated = await openEvaluated(models, {
      aiUrl: relay.url,
      aiModel: "recorded",
      aiSends: "samples",
      aiUserCallsPerMinute: 100_000,
      aiCallsPerMinute: 100_000,
      aiUserTokensPerDay: 1_000_000_000,
      aiTokensPerDay: 1_000_000_000,
    });
  });
  test.after(async () => {
    await evaluated.close();
    await relay.close();
    await model.close();
  });

  /** Replays recorded replies. Sends only the questions for which there is a recording. */
  const play = async (replies: Readonly<Record<string, readonly RecordedReply[]>>) =>
    Array.fromAsync(
      evaluate({
        evaluated,
        relay,
        modelOf,
        questions: allQuestions.filter(({ id }) => replies[id]),
        goldOf: (id) => answers[id] ?? [],
        onAsk: ({ id }) => {
          model.play(scriptOf(replies[id] ?? [], evaluated.ids));
        },
      }),
    );
  const shown = (judged: readonly Judged[]) =>
    Object.fromEntries(
      judged.map(({ id, isRight: right, isFirstTry, outcome }) => [
        id,
        `${right ? "right" : "wrong"} ${outcome}${isFirstTry ? " at first" : ""}`,
      ]),
    );

  test("the evaluation has at least 100 questions, of every kind and in three languages", () => {
    assert.ok(allQuestions.length >= 100, `${allQuestions.length} questions`);
    assert.is(new Set(allQuestions.map(({ id }) => id)).size, allQuestions.length);
    assert.is(new Set(allQuestions.map(({ text }) => text)).size, allQuestions.length);
    for (const language of ["en", "nl", "fr"])
      for (const expect of ["answer", "ask_back", "refuse"])
        assert.ok(
          allQuestions.some((each) => each.language === language && each.expect === expect),
          `${expect} in ${language}`,
        );
    const relative = allQuestions.filter((each) => each.expect === "answer" && each.isRelative);
    assert.ok(relative.length >= 8);
    const [places] = [allQuestions.map(({ id }) => id)];
    const later = allQuestions.filter(({ after }) => after !== undefined);
    assert.ok(later.length >= 6);
    for (const { id, after = "" } of later)
      assert.ok(places.includes(after) && places.indexOf(after) < places.indexOf(id), id);
    assert.equal(
      Object.keys(answers),
      allQuestions.filter(({ expect }) => expect === "answer").map(({ id }) => id),
    );
  });

  test.deep(
    "recorded conversations are judged by the rows that they return, and their outcomes are counted",
    async () => {
      const judged = await play(readRecording("handmade").replies);
      const report = reportOf(judged);
      const verdicts = shown(judged);
      const wrong = Object.entries(verdicts).filter(([, verdict]) => !verdict.startsWith("right"));
      assert.equal(wrong, [
        ["f-top-origins", "wrong answered at first"],
        ["s-best-product", "wrong answered at first"],
        ["s-recent", "wrong answered at first"],
      ]);
      const repaired = ["f-median-delay", "s-ca", "s-last-month"];
      for (const id of repaired) assert.is(verdicts[id], "right answered", id);
      for (const id of ["f-airline", "f-write", "s-age", "s-profit", "s-forecast", "s-mail"])
        assert.is(verdicts[id], "right refused", id);
      for (const id of ["f-best", "s-best-customers"])
        assert.is(verdicts[id], "right asked_back", id);
      const { byLanguage, promptTokens, completionTokens, ...counts } = report;
      assert.equal(counts, {
        questionCount: 28,
        rightCount: 25,
        answeredCount: 20,
        firstTryCount: 17,
        askedBackCount: 2,
        refusedCount: 6,
        failedCount: 0,
        struckCount: 4,
      });
      assert.equal(byLanguage, { en: [17, 18], fr: [4, 4], nl: [4, 6] });
      const replyCount = judged.reduce((sum, { passed }) => sum + passed.replies.length, 0);
      assert.equal([promptTokens, completionTokens], [70 * replyCount, 30 * replyCount]);
      const struck = judged.filter(({ struckCount }) => struckCount > 0);
      assert.equal(
        struck.map(({ id, message }) => [id, message]),
        [
          ["f-late-share", "21.1% of the flights is late, about [?] flights."],
          ["s-count", "There are 1500 orders, which is [?] more than the [?] of [?]."],
        ],
      );
    },
  );

  test("replaying a recorded run gives the same verdicts in a catalog with other ids", async () => {
    const { replies } = readRecording("handmade");
    const first = await play({
      "s-last-month": replies["s-last-month"] ?? [],
      "s-age": replies["s-age"] ?? [],
    });
    const recorded = Object.fromEntries(
      first.map(({ id, passed }) => [id, withNames(passed.replies, evaluated.ids)]),
    );
    for (const [id, taken] of Object.entries(recorded)) assert.equal(taken, replies[id], id);
    assert.not.match(JSON.stringify(recorded), /[0-9a-f]{8}-[0-9a-f]{4}/);
    assert.equal(shown(await play(recorded)), shown(first));
  });

  test("a correct answer may reorder or add columns, but must have the cells and rows of the expected answer", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 50, deep: 200 }); round++) {
        const [height, width] = [1 + random.below(6), 1 + random.below(3)];
        const cell = () => random.pick([null, "a", "b", 1.5, -3, random.below(1e6) / 7]);
        const gold = Array.from({ length: height }, (_, row) => [
          `row ${row}`,
          ...Array.from({ length: width }, cell),
        ]);
        const places = [...gold[0]!.keys()].toSorted(() => random.below(3) - 1);
        const moved = gold.map((row) => [...places.map((place) => row[place]!), cell()]);
        const shuffled = moved.toSorted(() => random.below(3) - 1);
        assert.ok(isRight(gold, shuffled));
        assert.ok(isRight(gold, moved, true));
        if (height > 1) {
          const [first, second, ...rest] = moved;
          assert.not.ok(isRight(gold, [second!, first!, ...rest], true), "another order");
          assert.not.ok(isRight(gold, moved.slice(1)), "a missing row");
        }
        assert.not.ok(isRight(gold, [...moved, moved[0]!]), "an extra row");
        const other = gold.map((row, index) => (index === 0 ? ["another", ...row.slice(1)] : row));
        assert.not.ok(isRight(gold, other), "another cell");
        assert.not.ok(
          isRight(
            gold,
            gold.map(([, ...row]) => row),
          ),
          "a missing column",
        );
      }
    });
  });

  test.deep("for every expected query, the host returns the same rows as DuckDB", async () => {
    const models = [await makeFlights(), makeSales()];
    const gold = await openGold(models);
    try {
      for (const question of allQuestions) {
        if (question.expect !== "answer") continue;
        const { id, sql, isOrdered } = question;
        const kept = answers[id] ?? [];
        assert.ok(
          isRight(await gold.query(sql), kept, isOrdered),
          `${id}: DuckDB returns other rows`,
        );
        assert.ok(
          kept.some((row) => row.some((cell) => cell !== null)),
          id,
        );
        const query = { ...bindGold(question.gold, evaluated.ids), options: { cells: "plain" } };
        const { data } = await evaluated.people.owner.get<{ data: Rows }>("data", query);
        assert.ok(
          isRight(kept, data, isOrdered),
          `${id}: the host returns ${JSON.stringify(data)}`,
        );
      }
    } finally {
      gold.close();
    }
  });

  test.deep(
    "a model that writes the expected queries answers every answerable question correctly at the first attempt",
    async () => {
      const replies = Object.fromEntries(
        allQuestions.map((question): [string, readonly RecordedReply[]] => {
          const { id } = question;
          if (question.expect !== "answer") {
            const askedBack = { question: "Which?", choices: ["this", "that"] };
            const call =
              question.expect === "refuse"
                ? { name: "cannot", arguments: { reason: "There is none." } }
                : { name: "ask_back", arguments: askedBack };
            return [id, [{ calls: [call] }]];
          }
          const query = bindGold(question.gold, evaluated.ids);
          const given = { title: "An answer", chart: "regular-table", query };
          const written = { text: "Here it is.", operations: [] };
          return [
            id,
            [
              { calls: [{ name: "answer", arguments: given }] },
              { calls: [{ name: "write", arguments: written }] },
            ],
          ];
        }),
      );
      const judged = await play(replies);
      assert.equal(
        judged.filter((each) => !each.isRight).map(({ id, message }) => [id, message]),
        [],
      );
      const { answeredCount, firstTryCount } = reportOf(judged);
      assert.is(firstTryCount, answeredCount);
    },
  );
});
