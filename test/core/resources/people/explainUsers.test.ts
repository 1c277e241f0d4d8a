import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import { declarations, explainUsers } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/resources/people/explainUsers", (test) => {
  const tenants = openTenantsFor(test);

  const explain = async (principal: Principal, ids: unknown): Promise<readonly Json[]> => {
    const { records, catalog } = tenants;
    const handler = explainUsers({ records, knex: catalog.knex, declarations });
    const answer = (await handler({
      resource: "user",
      action: "explain",
      body: { ids },
      principal,
      requestId: randomUUID(),
      address: undefined,
      signal: new AbortController().signal,
    })) as { readonly rows: readonly Json[] };
    return JSON.parse(JSON.stringify(answer.rows)) as readonly Json[];
  };

  test("explaining users counts their sign-ins, tokens and records, and marks records that would be deleted with them", async () => {
    const { ada, ben, make, records } = tenants;
    await make(ben, "alert");
    await make(ben, "securable");
    const at = new Date("2026-03-04T05:06:07.000Z");
    const session = randomUUID();
    const hour = 3_600_000;
    const token = (values: Json) =>
      records.insert("authorization", {
        token_hash: Buffer.from(randomUUID()),
        expiry: new Date(Date.now() + hour),
        ...values,
      });
    await token({ type: "login", user_id: ben.userId });
    await token({ type: "login", user_id: ben.userId, expiry: new Date(Date.now() - hour) });
    await token({ type: "embed", user_id: ada.userId, maker_id: ben.userId });
    const event = {
      organization_id: ben.organizationId,
      user_id: ben.userId,
      authorization_id: session,
      action: "create",
      resource: "authorization",
      record_id: session,
      created_at: at,
    };
    await records.insert("auditevent", event);
    // A later embed token is not a sign-in.
    await records.insert("auditevent", {
      ...event,
      record_id: randomUUID(),
      created_at: new Date(),
    });
    const [row] = await explain(ada, [ben.userId]);
    const { owned, ...standing } = row as Json & { readonly owned: readonly Json[] };
    assert.equal(standing, {
      id: ben.userId,
      has_password: false,
      has_provider: false,
      is_ended: false,
      is_end_user: false,
      username: null,
      invited_until: null,
      last_sign_in_at: at.toISOString(),
      session_count: 1,
      api_token_count: 1,
      page_token_count: 0,
      issued_token_count: 1,
    });
    const counts = Object.fromEntries(
      owned.map(({ resource, count, goes_with_user: goes }) => [resource, [count, goes]]),
    );
    assert.equal(counts["alert"], [1, true]);
    assert.is((counts["securable"] as readonly unknown[])[1], false);
    assert.equal((await explain(ada, [ada.userId]))[0]?.["last_sign_in_at"], null);
  });

  test("explaining users omits users whom the caller may not manage, as if they did not exist", async () => {
    const { ada, ben, bob, eve } = tenants;
    const random = randomUUID();
    const ids = async (principal: Principal) =>
      (await explain(principal, [bob.userId, eve.userId, random, ben.userId])).map(({ id }) => id);
    assert.equal(await ids(ada), [bob.userId, ben.userId]);
    assert.equal(await ids(bob), [bob.userId]);
    assert.equal(await ids(eve), [eve.userId]);
  });

  test("explaining users fails for anything except 1 to 200 ids, and the error names the member", async () => {
    const { ada } = tenants;
    const many = Array.from({ length: 201 }, () => randomUUID());
    for (const ids of [undefined, [], ["ben"], "ben", [ada.userId, 1], many]) {
      const failure = await explain(ada, ids).catch((reason: unknown) => reason);
      assert.is((failure as { status?: number }).status, 400, JSON.stringify(ids)?.slice(0, 60));
      assert.match(String((failure as Error).message), "ids");
    }
  });
});
