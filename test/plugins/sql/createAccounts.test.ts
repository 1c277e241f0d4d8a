import * as assert from "uvu/assert";
import { createAccounts } from "../../../plugins/sql/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/sql/createAccounts", (test) => {
  test("equal credentials share an account until the account is released or all accounts are closed", async () => {
    const closed: string[] = [];
    let madeCount = 0;
    const accounts = createAccounts(({ host = "" }) => ({
      number: ++madeCount,
      pool: { close: async () => void closed.push(host) },
    }));
    const [one, other] = [
      { host: "a", properties: { x: "1", y: "2" } },
      { host: "b", properties: {} },
    ];
    const first = accounts.of(one);
    assert.is(accounts.of({ host: "a", properties: { y: "2", x: "1" } }), first);
    assert.is.not(accounts.of(other), first);
    await accounts.release({ ...one });
    await accounts.release({ host: "unknown", properties: {} });
    assert.equal(closed, ["a"]);
    assert.is(accounts.of(one).number, 3);
    await accounts.close();
    assert.equal(closed, ["a", "b", "a"]);
  });
});
