import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { createPrincipals } from "../../../../core/identity/access/index.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

interface Made {
  readonly id: string;
  readonly type: "embed" | "sso" | "api";
  readonly atS: number;
  readonly isLive: boolean;
  /** Whether the token was issued to see for a moment what another one sees. */
  readonly isLook: boolean;
}

suite("core/identity/access/createPrincipals", (test) => {
  let tokens: Tokens;
  test.before(async () => {
    tokens = await openTokens();
  });
  test.after(() => tokens.close());

  test("a user's scheduled work runs with the user's newest embed or sso token, and only while that token is valid", async () => {
    const { catalog, cipher } = { catalog: tokens.catalog, cipher: tokens.catalog.cipher };
    const { ofNewestTokens } = createPrincipals({ catalog, cipher });
    const random = createRandom();
    const nowMs = Date.now();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 4, deep: 40 }); round++) {
        const expected = new Map<string, string>();
        const users: string[] = [];
        for (let user = 0; user < 4; user++) {
          const username = randomUUID();
          const made: Made[] = [];
          let userId = "";
          for (let count = 1 + random.below(5); count > 0; count--) {
            const { id } = await tokens.mint({ username });
            const row = await catalog.knex("authorization").where({ id }).first();
            userId = row.user_id;
            // A newer token may expire earlier than an older one.
            const atS = random.below(1_000);
            const [isDeleted, isExpired, isIdle] = [0.15, 0.2, 0.2].map((share) =>
              random.chance(share),
            );
            const isUsed = random.chance(0.5);
            const isLook = made.length > 0 && random.chance(0.3);
            const type = random.pick(["embed", "embed", "sso", "api"] as const);
            const ago = (seconds: number) =>
              catalog.knex.raw("now() - ? * interval '1 second'", [seconds]);
            await catalog
              .knex("authorization")
              .where({ id })
              .update({
                type,
                parent_id: isLook ? made[0]?.id : null,
                // Two tokens were created at the same instant.
                created_at: new Date(nowMs + (atS - 5_000) * 1000),
                deleted_at: isDeleted ? ago(10) : null,
                expiry: ago(isExpired ? 60 : -3_600),
                inactivity_interval: isIdle ? 1_000 : random.pick([0, 100_000]),
                last_used_at: isUsed ? ago(isIdle ? 1_500 : 10) : null,
              });
            made.push({ id, type, atS, isLive: !isDeleted && !isExpired && !isIdle, isLook });
          }
          users.push(userId);
          const newest = made
            .filter(({ type, isLook }) => type !== "api" && !isLook)
            .toSorted((one, other) => other.atS - one.atS || (one.id < other.id ? -1 : 1))[0];
          if (newest?.isLive) expected.set(userId, newest.id);
        }
        const found = await ofNewestTokens([...users, randomUUID()]);
        const ids = [...found].map(([userId, { authorizationId }]) => [userId, authorizationId]);
        assert.equal(ids.toSorted(), [...expected].toSorted());
        for (const [userId, principal] of found) {
          assert.is(principal.userId, userId);
          assert.ok(
            principal.restriction,
            "the principal of an embed token never has the rights of the token's user",
          );
        }
      }
      assert.equal(await ofNewestTokens([]), new Map());
    });
  });

  test("a token that was issued to see what another one sees is not used by scheduled work, even after it expired", async () => {
    const { catalog, cipher } = { catalog: tokens.catalog, cipher: tokens.catalog.cipher };
    const username = randomUUID();
    const { id } = await tokens.mint({ username });
    const { id: lookId } = await tokens.mint({ username });
    const row = await catalog.knex("authorization").where({ id }).first();
    const { ofNewestTokens } = createPrincipals({ catalog, cipher });
    for (const seconds of [900, -60]) {
      const expiry = catalog.knex.raw("now() + ? * interval '1 second'", [seconds]);
      await catalog.knex("authorization").where({ id: lookId }).update({ parent_id: id, expiry });
      const found = await ofNewestTokens([row.user_id]);
      assert.is(found.get(row.user_id)?.authorizationId, id);
    }
  });
});
