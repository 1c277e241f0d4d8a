import * as assert from "uvu/assert";
import { createWaits, type Guessed } from "../../../../core/identity/factors/createWaits.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

suite("core/identity/factors/createWaits", (test) => {
  let catalog: TestCatalog;
  let nowMs = Date.parse("2026-01-05T00:00:00Z");
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  const open = (tries = 5) => createWaits({ knex: catalog.knex, tries, now: () => nowMs });
  const passwordOf = (email: string): Guessed => ({ kind: "password", email });
  /** Guesses as often as the required waits allow, until a given instant. Returns the number of admitted guesses. */
  const guessUntil = async (guessed: Guessed, endMs: number, waits = open()): Promise<number> => {
    let count = 0;
    while (nowMs < endMs) {
      const waitS = await waits.countAttempt(guessed).then(
        () => 0,
        (failure: { retryAfterS?: number }) => failure.retryAfterS ?? Number.NaN,
      );
      if (waitS === 0) count++;
      else nowMs = Math.min(endMs, nowMs + waitS * 1000);
    }
    return count;
  };

  test("the fifth failure causes a wait of a minute, and each further failure doubles the wait, up to an hour", async () => {
    const waits = open();
    const guessed = passwordOf("growing@example.org");
    for (let time = 0; time < 5; time++) await waits.countAttempt(guessed);
    const seen: number[] = [];
    for (let time = 0; time < 9; time++) {
      const refused = await refusal(waits.countAttempt(guessed));
      assert.equal([refused.code, refused.status], ["SIGN_INS_TOO_MANY", 429]);
      const { retryAfterS = 0 } = refused as { retryAfterS?: number };
      seen.push(Math.round(retryAfterS / 60));
      nowMs += retryAfterS * 1000;
      await waits.countAttempt(guessed);
    }
    assert.equal(seen, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("at most 40 guesses are admitted per day, and at most 100 in a row", async () => {
    const guessed = passwordOf("attacked@example.org");
    const startMs = nowMs;
    const counts: number[] = [];
    for (let day = 1; day <= 20; day++)
      counts.push(await guessUntil(guessed, startMs + day * dayMs));
    assert.ok(
      counts.every((count) => count <= 40),
      counts.join(),
    );
    assert.ok((counts[0] ?? 0) > 20, "people who mistype have enough attempts in a day");
    const total = counts.reduce((sum, count) => sum + count, 0);
    assert.is(total, 100);
    const refused = await refusal(open().countAttempt(guessed));
    const { retryAfterS = 0 } = refused as { retryAfterS?: number };
    assert.ok(retryAfterS > 10 * 86_400 && retryAfterS <= 30 * 86_400, String(retryAfterS));
  });

  test("guessing on three hosts concurrently allows no more attempts than on one host", async () => {
    const hosts = [open(), open(), open()];
    const guessed = passwordOf("parallel@example.org");
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => hosts[index % 3]?.countAttempt(guessed)),
    );
    assert.is(settled.filter(({ status }) => status === "fulfilled").length, 5);
  });

  test("the successful sign-ins of a victim give a guesser no additional attempts", async () => {
    const waits = open();
    const guessed = passwordOf("busy@example.org");
    const endMs = nowMs + dayMs;
    let guesses = 0;
    while (nowMs < endMs) {
      await waits.countAttempt(guessed).then(
        (attempt) => attempt.passed(),
        () => undefined,
      );
      await waits.countAttempt(guessed).then(
        () => guesses++,
        () => undefined,
      );
      nowMs += 5 * minuteMs;
    }
    assert.ok(guesses <= 40, String(guesses));
  });

  test("correct passwords never cause a wait", async () => {
    const waits = open();
    for (let time = 0; time < 20; time++)
      await (await waits.countAttempt(passwordOf("often@example.org"))).passed();
  });

  test("signing in on another device allows another 100 failures, but does not shorten the wait", async () => {
    const guessed = passwordOf("series@example.org");
    const waits = open();
    const waitS = async () => {
      const refused = (await refusal(waits.countAttempt(guessed))) as { retryAfterS?: number };
      return refused.retryAfterS ?? 0;
    };
    while ((await guessUntil(guessed, nowMs + 2 * hourMs)) > 0);
    assert.ok((await waitS()) > 86_400, "the series is closed");
    await waits.endSeries(guessed);
    await waits.countAttempt(guessed);
    const [one, other] = [await waitS(), await waitS()];
    assert.ok(one > 3_000 && one <= 3_600 && one === other, String([one, other]));
  });

  test("each account has separate waits for each kind of guess, and the catalog stores no e-mail address", async () => {
    const waits = open();
    const email = "kinds@example.org";
    for (let time = 0; time < 5; time++) await waits.countAttempt(passwordOf(email));
    await refusal(waits.countAttempt(passwordOf(email)));
    await waits.countAttempt(passwordOf("another@example.org"));
    await waits.countAttempt({ kind: "proved password", email, proof: "one" });
    await waits.countAttempt({ kind: "code", userId: email });
    await waits.countAttempt({ kind: "old password", userId: email });
    const rows = await catalog.knex("attempt_wait");
    assert.ok(rows.length > 0);
    assert.not.match(JSON.stringify(rows), "example");
  });

  test("a wait after wrong codes has its own error code, and allowing 0 tries disables all waits", async () => {
    const waits = open(1);
    await waits.countAttempt({ kind: "code", userId: "u" });
    assert.is(
      (await refusal(waits.countAttempt({ kind: "code", userId: "u" }))).code,
      "SECOND_FACTOR_WAIT",
    );
    for (let time = 0; time < 20; time++)
      await open(0).countAttempt(passwordOf("free@example.org"));
  });

  test("failures are forgotten after 30 days without an attempt", async () => {
    const waits = open();
    await waits.countAttempt(passwordOf("old@example.org"));
    nowMs += 31 * dayMs;
    await waits.countAttempt(passwordOf("new@example.org"));
    assert.is((await catalog.knex("attempt_wait")).length, 1);
  });
});
