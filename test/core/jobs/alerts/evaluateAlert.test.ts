import * as assert from "uvu/assert";
import type { Principals } from "../../../../core/identity/access/index.ts";
import { principalOf, principalsOf } from "../../../../core/jobs/alerts/evaluateAlert.ts";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import { principalOf as personOf } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

const parameters = new Map(
  Object.entries({ tenant: { value: ["now"], sticky: false, sensitive: false, clear: false } }),
);

/**
 * Returns two functions. One finds users, and the other finds the newest tokens of users. Each takes the ids of users.
 */
const principals = (
  users: Readonly<Record<string, Principal>>,
  tokens: Readonly<Record<string, Principal>>,
): Pick<Principals, "ofUsers" | "ofNewestTokens"> => {
  const of = (known: Readonly<Record<string, Principal>>) => async (ids: readonly string[]) =>
    new Map(Object.entries(known).filter(([id]) => ids.includes(id)));
  return { ofUsers: of(users), ofNewestTokens: of(tokens) };
};

suite("core/jobs/alerts/evaluateAlert", (test) => {
  const alert = (user_id: string, is_of_token: boolean, sticky?: Record<string, unknown>) => ({
    user_id,
    is_of_token,
    sticky_parameters: sticky ?? null,
  });

  test("an alert that belongs to a token runs with the token's rights, and any other alert with its user's rights", async () => {
    const [ada, bob] = [personOf("ada"), personOf("bob")];
    const known = principals({ ada, eve: bob }, { bob, ada: bob });
    assert.equal(
      await principalsOf(
        [alert("ada", false), alert("bob", true), alert("bob", false), alert("eve", true)],
        known,
      ),
      [ada, bob, undefined, undefined],
    );
  });

  test("an alert's sticky parameters override the parameters of its user or token", async () => {
    const sticky = { tenant: { value: ["then"], sticky: true, sensitive: false, clear: false } };
    const base = personOf("ada");
    const own = { parameters, accountOverrides: new Map(), metadata: undefined, issuer: undefined };
    const users = principals({ ada: base, eve: { ...base, own } }, {});
    const of = async (userId: string) =>
      (await principalOf(alert(userId, false, sticky), users))?.own?.parameters;
    const expected = new Map(Object.entries(sticky));
    assert.equal(await of("ada"), expected);
    assert.equal(await of("eve"), expected);
    assert.equal((await principalOf(alert("eve", false), users))?.own?.parameters, parameters);
  });
});
