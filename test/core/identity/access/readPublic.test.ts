import { type ApiCall, anonymous } from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { openToPublic } from "../../../../core/identity/access/index.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

suite("core/identity/access/readPublic", (test) => {
  let tokens: Tokens;
  const called: ApiCall[] = [];
  test.before(async () => {
    tokens = await openTokens();
  });
  test.after(() => tokens.close());

  const handlers = () => {
    const handler = async (call: ApiCall) => void called.push(call);
    const { catalog } = tokens;
    const offered = { get: handler, create: handler, explain: handler };
    return openToPublic(offered, { catalog, cipher: catalog.cipher });
  };
  const callOf = (find: unknown, principal = anonymous): ApiCall => ({
    resource: "data",
    action: "get",
    body: { find },
    principal,
    requestId: "r",
    address: undefined,
    signal: new AbortController().signal,
  });

  test("without credentials, a `get` call has the rights of a visitor, and every other action is refused", async () => {
    const { ada, call, rows, dashboard, dataset, otherDataset } = tokens;
    const find = { queries: [{ measures: [{ dataset_id: dataset.toUpperCase() }] }] };
    const { get, create, explain } = handlers();
    assert.ok(get && create && explain);
    assert.is((await refusal(get(callOf(find)))).code, "UNAUTHORIZED");
    const [group] = await rows(ada, "group", { where: { public: true } });
    const linked = { role: "Datasets", id: dataset };
    await call(ada, "securable", "associate", { id: dashboard, resource: linked });
    for (const id of [dashboard, dataset])
      await call(ada, "securable", "associate", {
        id,
        resource: { role: "Groups", id: group?.id },
        properties: { flagRead: true },
      });
    await get(callOf(find));
    const { authorizationType, restriction, userId } = called.at(-1)?.principal ?? anonymous;
    assert.equal([authorizationType, userId], ["share", anonymous.userId]);
    assert.equal(
      [...(restriction?.securables ?? [])],
      [
        [dashboard, "read"],
        [dataset, "use"],
      ],
    );
    const over = (query: object) => ({ from: { query }, measures: [{ dataset_id: "from" }] });
    await get(callOf(over(over({ measures: [{ dataset_id: dataset }] }))));
    assert.is(called.at(-1)?.principal.authorizationType, "share", "inner queries count as well");
    for (const refused of [over({ measures: [{ dataset_id: otherDataset }] }), over({})])
      assert.is((await refusal(get(callOf(refused)))).code, "UNAUTHORIZED");
    for (const handler of [create, explain])
      assert.is((await refusal(handler(callOf(find)))).code, "UNAUTHORIZED");
    const both = [find, { dataset_id: otherDataset }];
    for (const unknown of [undefined, {}, { dataset_id: "x" }, both])
      assert.is((await refusal(get(callOf(unknown)))).code, "UNAUTHORIZED");
    for (const handler of [get, create, explain]) {
      await handler(callOf(undefined, ada));
      assert.is(called.at(-1)?.principal, ada);
    }
  });
});
