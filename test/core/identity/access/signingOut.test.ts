import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Session extends Client {
  readonly key: string;
}

const password = "a password of a test";

suite("core/host: signing out", (test) => {
  let people: People;
  test.before(async () => {
    people = await openPeople();
  });
  test.after(() => people.close());

  const clientOf = (key: string, token: string): Session => ({
    ...createClient({ url: people.host.url, key, token }),
    key,
  });
  const signIn = async (name: string, given = password): Promise<Session | undefined> => {
    const answer = await fetch(`${people.host.url}/auth/vi`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: `${name}@example.org`, password: given }),
    });
    if (answer.status !== 200) return undefined;
    const { user } = (await answer.json()) as { user: { token: { id: string; token: string } } };
    return clientOf(user.token.id, user.token.token);
  };
  const entered = async (name: string): Promise<Session> => {
    const session = await signIn(name);
    if (!session) throw new Error(`${name} was not let in`);
    return session;
  };
  const isIn = async (who: Client): Promise<boolean> =>
    who.get("locale", { limit: 1 }).then(
      () => true,
      (failure: { status?: number }) => {
        assert.is(failure.status, 401);
        return false;
      },
    );
  const add = (name: string): Promise<Person> => people.add(name, { password });
  const apiTokenOf = async (who: Client): Promise<Session> => {
    const pair = await who.create<{ id: string; token: string }>("authorization", { type: "api" });
    return clientOf(pair.id, pair.token);
  };

  test("a session can revoke itself but no other session", async () => {
    await add("one");
    const [here, there] = [await entered("one"), await entered("one")];
    await here.delete("authorization", here.key);
    assert.equal([await isIn(here), await isIn(there)], [false, true]);
  });

  test("a user can revoke all their sessions, or all their API tokens except the calling token", async () => {
    const user = await add("two");
    const [here, there] = [await entered("two"), await entered("two")];
    await here.update("user", user.id, { end_sessions: true });
    assert.equal([await isIn(here), await isIn(there), await isIn(user)], [false, false, true]);
    const [back, other] = [await entered("two"), await apiTokenOf(user)];
    await other.update("user", user.id, { end_api_tokens: true });
    assert.equal(
      [await isIn(back), await isIn(user), await isIn(other)],
      [true, false, true],
      "the calling token stays",
    );
  });

  test("changing the password requires the current password, and revokes the user's other sessions", async () => {
    const user = await add("three");
    const [here, there] = [await entered("three"), await entered("three")];
    const next = "another password of a test";
    for (const who of [here, user]) {
      const missing = await refused(who.update("user", user.id, { password: next }));
      assert.equal([missing.status, /old_password/.test(missing.message)], [400, true]);
      const wrong = { password: next, old_password: "not the password" };
      assert.is((await refused(who.update("user", user.id, wrong))).status, 400);
      const removed = await refused(who.update("user", user.id, { password: null }));
      assert.is(removed.status, 400);
    }
    assert.ok(await isIn(there), "a refused change ended nothing");
    await here.update("user", user.id, { password: next, old_password: password });
    assert.equal([await isIn(here), await isIn(there), await isIn(user)], [true, false, true]);
    assert.is(await signIn("three"), undefined);
    assert.ok(await signIn("three", next));
    const both = { password, old_password: next, end_api_tokens: true };
    await here.update("user", user.id, both);
    assert.equal([await isIn(here), await isIn(user)], [true, false]);
  });

  test("an owner can reset a member's password and revoke the member's tokens, one by one or all at once", async () => {
    const { owner } = people;
    const user = await add("four");
    const session = await entered("four");
    await owner.delete("authorization", session.key);
    assert.is(await isIn(session), false);
    await owner.delete("authorization", user.pair.key);
    assert.is(await isIn(user), false);
    const again = await entered("four");
    const api = await apiTokenOf(again);
    await owner.update("user", user.id, { password: "set by an owner, for once" });
    assert.equal([await isIn(again), await isIn(api)], [false, true]);
    await owner.update("user", user.id, { end_sessions: true, end_api_tokens: true });
    assert.is(await isIn(api), false);
    const token = await people.mint({ username: "end-user" });
    assert.ok(await isIn(token));
    await owner.update("user", token.id, { end_sessions: true });
    assert.is(await isIn(token), false, "an embed token is a session of its user");
  });

  test("only owners of the user's organization or suborganization can revoke the user's tokens", async () => {
    const north = { suborganization: "north" };
    const user = await people.add("five");
    const northern = await people.add("six", north);
    const member = await people.add("seven", {}, { flagEditor: true });
    const ruler = await people.add("eight", north, { flagMember: true, flagOwn: true });
    const all: Json = { end_sessions: true, end_api_tokens: true };
    for (const [who, whom] of [
      [member, user],
      [member, people.owner],
      [ruler, user],
      [ruler, people.owner],
    ] as const) {
      for (const call of [
        () => who.delete("authorization", whom.pair.key),
        () => who.update("user", whom.id, all),
      ])
        assert.is((await refused(call())).status, 404);
      assert.ok(await isIn(whom));
    }
    const token = await people.mint({ username: "browser" });
    for (const call of [
      () => token.delete("authorization", token.pair.key),
      () => token.update("user", token.id, all),
      () => token.delete("authorization", user.pair.key),
    ])
      assert.is((await refused(call())).status, 403);
    await ruler.delete("authorization", northern.pair.key);
    assert.is(await isIn(northern), false);
  });
});
