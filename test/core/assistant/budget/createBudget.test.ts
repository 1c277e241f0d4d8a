import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { createBudget } from "../../../../core/assistant/budget/createBudget.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

suite("core/assistant/budget/createBudget", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());
  const many = {
    tokensPerDay: 1e9,
    userTokensPerDay: 1e9,
    callsPerMinute: 1e6,
    userCallsPerMinute: 1e6,
  };
  const noonMs = Date.UTC(2026, 4, 1, 12, 0, 30);
  const budgetOf = (limits: Partial<typeof many>, clock = { nowMs: noonMs }) =>
    createBudget({
      knex: catalog.knex,
      records: { transaction: (run) => catalog.transactions.transaction(run) },
      limits: { ...many, ...limits },
      now: () => clock.nowMs,
    });
  const someone = (organizationId = randomUUID()) => ({ organizationId, userId: randomUUID() });
  const refusal = async (taking: Promise<unknown>): Promise<ApiError> => {
    const failure: unknown = await taking.then(
      () => assert.unreachable("the call was allowed"),
      (thrown: unknown) => thrown,
    );
    if (!(failure instanceof ApiError)) throw failure;
    assert.is(failure.code, "ASSISTANT_BUDGET_SPENT");
    return failure;
  };

  test("exactly as many concurrent calls succeed as the budget allows", async () => {
    const ada = someone();
    const budget = budgetOf({ userCallsPerMinute: 7 });
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => budget.take(ada, 1)));
    assert.is(taken.filter(({ status }) => status === "fulfilled").length, 7);
    const late = await refusal(budget.take(ada, 1));
    assert.is(late.retryAfterS, 30, "until the minute ends");
    assert.match(late.message, /MANIFOLD_AI_USER_CALLS_PER_MINUTE/);
  });

  test("a refused call uses none of the budget, and the budget is reset every minute and every day", async () => {
    const ada = someone();
    const clock = { nowMs: noonMs };
    const budget = budgetOf({ userTokensPerDay: 100, userCallsPerMinute: 2 }, clock);
    await budget.take(ada, 60);
    assert.is((await refusal(budget.take(ada, 50))).retryAfterS, 12 * 3_600 - 30);
    await budget.take(ada, 40);
    clock.nowMs += 60_000;
    await refusal(budget.take(ada, 1));
    clock.nowMs += 24 * 3_600_000;
    await budget.take(ada, 100);
  });

  test("users of one organization share a budget that does not affect other organizations", async () => {
    const ada = someone();
    const budget = budgetOf({ tokensPerDay: 100 });
    await budget.take(ada, 70);
    assert.match(
      (await refusal(budget.take(someone(ada.organizationId), 40))).message,
      /your organization may use 100 tokens per day/,
    );
    await budget.take(someone(), 100);
  });

  test("the tokens that a call used replace its estimate in the budget", async () => {
    const ada = someone();
    const budget = budgetOf({ userTokensPerDay: 100 });
    await (await budget.take(ada, 90)).settle(20);
    await (await budget.take(ada, 80)).settle(95);
    await refusal(budget.take(ada, 1));
  });

  test("concurrent calls and corrections of the budget never deadlock", async () => {
    const organizationId = randomUUID();
    // Half of the users sort before their organization, and half after it.
    const users = ["0", "1", "e", "f"].map((first) => ({
      organizationId,
      userId: first + randomUUID().slice(1),
    }));
    const budget = budgetOf({});
    const count = rounds({ quick: 25, deep: 250 });
    await Promise.all(
      users.flatMap((user) =>
        [1, 2].map(async () => {
          for (let round = 0; round < count; round++) await (await budget.take(user, 10)).settle(3);
        }),
      ),
    );
    const counted = await catalog
      .knex("assistant_usage")
      .where({ scope_id: organizationId, span: "day" });
    const callCount = users.length * 2 * count;
    assert.equal(
      counted.map((row) => [row.call_count, Number(row.token_count)]),
      [[callCount, 3 * callCount]],
    );
  });
});
