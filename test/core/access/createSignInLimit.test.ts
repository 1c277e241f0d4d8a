import * as assert from "uvu/assert";
import { createSignInLimit } from "../../../core/access/createSignInLimit.ts";
import type { ApiError } from "../../../core/errors.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { suite } from "../../support/suite.ts";

suite("core/access/createSignInLimit", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());
  const open = (failuresPerMinute = 6) =>
    createSignInLimit({ knex: catalog.knex, failuresPerMinute });
  const tryAll = async (
    hosts: readonly ReturnType<typeof open>[],
    email: string,
    count: number,
  ) => {
    const settled = await Promise.allSettled(
      Array.from({ length: count }, (_, index) => hosts[index % hosts.length]?.admit(email)),
    );
    return settled.filter(({ status }) => status === "fulfilled").length;
  };
  const pass = (seconds: number) =>
    catalog.knex.raw("update sign_in_limit set at = at - ? * interval '1 second'", [seconds]);

  test("guesses at the same time over three hosts get no more tries than at one", async () => {
    assert.is(await tryAll([open(), open(), open()], "ada@example.org", 40), 6);
    const refusal = await open()
      .admit("Ada@Example.org")
      .then(
        () => {
          throw new Error("it was let in");
        },
        (failure: ApiError) => failure,
      );
    assert.is(refusal.code, "SIGN_INS_TOO_MANY");
    assert.ok(Number(refusal.retryAfterS) >= 1 && Number(refusal.retryAfterS) <= 10);
    await open().admit("grace@example.org");
  });

  test("tries come back with time, one every ten seconds, and never more than there were", async () => {
    await tryAll([open()], "time@example.org", 10);
    await pass(21);
    assert.is(await tryAll([open()], "time@example.org", 10), 2);
    await pass(3_000);
    assert.is(await tryAll([open()], "time@example.org", 10), 6);
  });

  test("right passwords count nothing; a wrong code after them counts as a wrong password", async () => {
    const limit = open();
    for (let time = 0; time < 20; time++) {
      await limit.admit("often@example.org");
      await limit.passed("often@example.org");
    }
    for (let time = 0; time < 6; time++) await limit.failed("often@example.org");
    assert.is(await tryAll([limit], "often@example.org", 3), 0);
  });

  test("0 is no limit, and the catalog holds no address", async () => {
    assert.is(await tryAll([open(0)], "free@example.org", 50), 50);
    const rows = await catalog.knex("sign_in_limit");
    assert.ok(rows.length > 0);
    assert.not.match(JSON.stringify(rows), "example");
  });
});
