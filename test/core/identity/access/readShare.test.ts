import { actions, type Principal } from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import {
  openAccess,
  openVisits,
  permits,
  type Access,
  type Visits,
} from "../../../../core/identity/access/index.ts";
import { silentLog } from "../../../support/catalog.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { children } from "../../resources/openTenants.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

const unknownKey = "AAAAAAAAAAAAAAAAAAAAAA";

suite("core/identity/access/readShare", (test) => {
  let tokens: Tokens;
  let access: Access;
  let publicGroup: string;
  let shareId: string;
  test.before(async () => {
    tokens = await openTokens();
    const { catalog, ada, call, rows, dashboard, dataset } = tokens;
    access = openAccess({ catalog, cipher: catalog.cipher, log: silentLog });
    const [group] = await rows(ada, "group", { where: { public: true } });
    publicGroup = String(group?.id);
    shareId = (await call(ada, "share", "create")).id;
    const target = { role: "Dashboard", id: dashboard };
    await call(ada, "share", "associate", { id: shareId, resource: target });
    const linked = { role: "Datasets", id: dataset };
    await call(ada, "securable", "associate", { id: dashboard, resource: linked });
  });
  test.after(async () => {
    await access.close();
    await tokens.close();
  });

  const visitor = (key = shareId): Promise<Principal> => access.authenticate({ key });
  const makePublic = (id: string, action: "associate" | "dissociate" = "associate") =>
    tokens.call(tokens.ada, "securable", action, {
      id,
      resource: { role: "Groups", id: publicGroup },
      ...(action === "associate" && { properties: { flagRead: true, published: true } }),
    });
  const open = async () => {
    await makePublic(tokens.dashboard);
    await makePublic(tokens.dataset);
  };

  test("a private link works only while its dashboard and all its datasets are in the Public group", async () => {
    const { dashboard, dataset } = tokens;
    const closed = async () => {
      const refused = await refusal(visitor());
      assert.is(refused.code, "FORBIDDEN");
      assert.match(refused.message, /Public group/);
    };
    await closed();
    await makePublic(dashboard);
    await closed();
    await makePublic(dataset);
    assert.is((await visitor()).authorizationType, "share");
    await makePublic(dashboard, "dissociate");
    await closed();
    await open();
    await visitor();
    await makePublic(dataset, "dissociate");
    await closed();
  });

  test("an unknown share key, a deleted share and a share key with a token are refused as wrong credentials", async () => {
    const { ada, call } = tokens;
    await open();
    const gone = (await call(ada, "share", "create")).id;
    assert.is(
      (await refusal(visitor(gone))).code,
      "FORBIDDEN",
      "a private link without a dashboard does not work",
    );
    await call(ada, "share", "delete", { id: gone });
    for (const key of [unknownKey, gone, `${shareId}x`, shareId.slice(1), ""])
      assert.is((await refusal(visitor(key))).code, "UNAUTHORIZED", key);
    for (const token of ["", "x", null, 1])
      assert.is((await refusal(access.authenticate({ key: shareId, token }))).code, "UNAUTHORIZED");
  });

  test("a visitor can read only the dashboard and the records that the dashboard needs, and can query its datasets", async () => {
    const { dashboard, otherDashboard, dataset, otherDataset, columns, rows, records } = tokens;
    await open();
    await makePublic(otherDashboard);
    await makePublic(otherDataset);
    const self = await visitor();
    const seen = await rows(self, "securable", {});
    assert.equal(seen.map(({ id }) => id).toSorted(), [dashboard, dataset].toSorted());
    assert.is(seen.find(({ id }) => id === dataset)?.["rows"], null, "rows counts all rows");
    const shown = (await rows(self, "column", {})).map(({ id }) => id);
    assert.equal(shown.toSorted(), Object.values(columns).toSorted());
    const ids = [dashboard, otherDashboard, dataset, otherDataset];
    const withRight = async (right: "use" | "modify") => [
      ...(await records.visible("securable", ids, right, self)).keys(),
    ];
    assert.equal(await withRight("use"), [dataset]);
    assert.equal(await withRight("modify"), []);
    const [link] = await rows(self, "share", { include: [{ model: "ShareStatistic" }] });
    assert.equal(
      [link?.id, link?.["securable_id"], link?.["view_count"], link?.["statistics"]],
      [shareId, dashboard, null, []],
    );
    for (const resource of ["user", "group", "authorization", "account", "share"] as const)
      assert.equal(
        (await rows(self, resource, {})).map(({ id }) => id),
        resource === "share" ? [shareId] : [],
        resource,
      );
  });

  test("a visitor can change nothing and cannot read users' records", async () => {
    const self = await visitor();
    for (const action of actions)
      for (const resource of tokens.kernel.resources)
        if (permits(self, resource, action)) assert.is(action, "get", resource);
    for (const resource of ["user", "authorization", "share"])
      assert.is(permits(self, resource, "get"), resource === "share", resource);
    assert.not(permits(self, "constructor", "get"));
    assert.not(permits({ authorizationType: "embed" }, "share", "get"));
  });

  test("a private link stops working when its owner can no longer reach the dashboard", async () => {
    const { ada, ben, dashboard, call, rows } = tokens;
    await open();
    const resource = { role: "Owner", id: ben.userId };
    await call(ada, "securable", "associate", { id: dashboard, resource });
    await makePublicBy(ben);
    const found = await rows(await visitor(), "securable", { where: { id: dashboard } });
    assert.is(found.length, 1, "the Public group still gives it to the owner of the share");
    const back = { role: "Owner", id: ada.userId };
    await call(ben, "securable", "associate", { id: dashboard, resource: back });
  });
  const makePublicBy = async (who: Principal) => {
    const target = { role: "Groups", id: publicGroup };
    const body = { id: tokens.dashboard, resource: target, properties: { flagRead: true } };
    await tokens.call(who, "securable", "associate", body);
  };

  test("a private link cannot be created for a dataset", async () => {
    const { ada, dataset, refusal: refusedTo } = tokens;
    const body = { id: shareId, resource: { role: "Securable", id: dataset } };
    const { code, message } = await refusedTo(ada, "share", "associate", body);
    assert.equal([code, /dashboard, not to a dataset/.test(message)], ["CONFLICT", true]);
  });

  test("only the owner of a private link can read how often the link was viewed and queried, in total and per day", async () => {
    const { ada, catalog, call, rows, mint, whoIs, dataset } = tokens;
    await open();
    const visits = openVisits({ catalog, log: silentLog });
    const answer = async () => ({ count: 0 });
    const share = visits.counting("share", { get: answer, delete: answer });
    const data = visits.counting("data", { get: answer, create: answer });
    assert.is(visits.counting("securable", share), share);
    const self = await visitor();
    const callAs = (
      principal: Principal,
      offered: typeof share,
      action: "get" | "create" | "delete",
    ) =>
      offered[action]?.({
        resource: "",
        action,
        body: {},
        principal,
        requestId: "r",
        address: undefined,
        signal: new AbortController().signal,
      });
    const embed = await whoIs(await mint({ access: { datasets: [{ id: dataset }] } }));
    for (const who of [self, self, ada, embed]) {
      await callAs(who, share, "get");
      await callAs(who, data, "get");
      await callAs(who, data, "get");
    }
    await callAs(self, data, "create");
    await visits.close();
    const read = async () => {
      const include = [{ model: "ShareStatistic" }];
      const [row] = await rows(ada, "share", { where: { id: shareId }, include });
      return row;
    };
    const row = await read();
    assert.equal([row?.["view_count"], row?.["query_count"]], [2, 4]);
    assert.ok(Date.now() - Date.parse(String(row?.["last_viewed_at"])) < 60_000);
    const [day] = children(row, "statistics");
    assert.equal([day?.["view_count"], day?.["query_count"]], [2, 4]);
    assert.match(String(day?.["day"]), /^\d{4}-\d\d-\d\d$/);
    assert.equal(await rows(tokens.ben, "sharestatistic", {}), []);
    await count(2);
    assert.equal(
      [(await read())?.["view_count"], children(await read(), "statistics").length],
      [4, 1],
    );
    await call(ada, "share", "delete", { id: shareId });
    await count(1);
    assert.equal(await catalog.knex("sharestatistic"), []);

    async function count(times: number): Promise<void> {
      const again = openVisits({ catalog, log: silentLog });
      const counted = again.counting("share", { get: answer });
      for (let index = 0; index < times; index++) await callAs(self, counted, "get");
      await again.close();
    }
  });

  test("view counts that could not be written are included in the next write", async () => {
    const { catalog } = tokens;
    const warnings: unknown[] = [];
    let isDown = true;
    const statements: string[] = [];
    const failing = {
      transactions: {
        transaction: async (run: (transaction: object) => Promise<void>) => {
          if (isDown) throw new Error("down");
          await run({ raw: async (text: string) => void statements.push(text) });
        },
      } as unknown as typeof catalog.transactions,
    };
    const log = { ...silentLog, warn: (...words: unknown[]) => void warnings.push(words) };
    const visits: Visits = openVisits({ catalog: failing, log });
    const { get } = visits.counting("share", { get: async () => ({}) });
    const principal = { authorizationType: "share", authorizationId: "s" } as Principal;
    await get?.({ principal } as never);
    await visits.close();
    assert.is(warnings.length, 1);
    isDown = false;
    await visits.close();
    assert.is(statements.length, 2);
  });
});
