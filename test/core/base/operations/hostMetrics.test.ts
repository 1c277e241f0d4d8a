import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { createClient } from "../../../../core/web/client/index.ts";
import type { HostOptions } from "../../../../core/host.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { send } from "../../../support/fakeApp.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type People } from "../../openPeople.ts";

const token = "a-token-for-tests-alone";

suite("core/base/operations/hostMetrics", (test) => {
  let people: People;
  test.before(async () => {
    people = await openPeople({ metrics: token });
  });
  test.after(() => people?.close());

  const scrape = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    const { text } = await send(`${people.host.url}/metrics`, { method: "GET", headers });
    return (series: string) => {
      const line = text.split("\n").find((each) => each.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length));
    };
  };

  test.deep(
    "the metrics count queries, cached answers, plugin calls and store figures, but name no tenants",
    async () => {
      const { owner } = people;
      const [pushed, live] = [await people.push(), await people.connect()];
      await owner.get("data", sumOf(pushed));
      await owner.get("data", sumOf(pushed));
      await owner.get("data", sumOf(live));
      const value = await scrape();
      const requests = "manifold_http_request_duration_seconds_count";
      const labels = 'route="/0.1.0/:resource",resource="data",action="get",status="2xx"';
      assert.is(value(`${requests}{${labels}}`), 3);
      const question = (plugin: string, mode: string, cache: string) =>
        value(`manifold_questions_total{plugin="${plugin}",mode="${mode}",cache="${cache}"}`);
      assert.is(question("strata", "whole", "miss"), 1);
      assert.is(question("strata", "whole", "hit"), 1);
      assert.is(value('manifold_store{figure="threads"}'), 1);
      assert.is(value('manifold_store{figure="queued_queries"}'), 0);
      assert.is(value('manifold_store{figure="rows"}'), 6);
      assert.is(value('manifold_cache{figure="answers"}'), 1);
      assert.ok(Number(value('manifold_cache{figure="bytes"}')) > 2048);
      assert.ok(Number(value('manifold_catalog_connections{state="free"}')) > 0);
      assert.is(value('manifold_catalog_connections{state="waiting"}'), 0);
      assert.is(value("manifold_catalog_answers"), 1);
      assert.is(value("manifold_outbox_tasks"), 0);
      assert.type(value('manifold_jobs{queue="delivery",state="waiting"}'), "number");
      const { text } = await send(`${people.host.url}/metrics`, {
        method: "GET",
        headers: { Authorization: `Bearer ${token}` },
      });
      assert.match(text, /manifold_questions_total\{plugin="source-0-[a-z0-9]+",mode="rows"/);
      const organizations = await owner.get("organization");
      for (const id of [owner.id, owner.pair.key, pushed.id, organizations.rows[0]?.["id"]])
        assert.not.ok(text.includes(String(id)));
    },
  );

  test.deep(
    "the metrics count exceeded limits, and show the quotas of organizations that the operator lists",
    async () => {
      const catalog = await openTestCatalog();
      const pair = { key: randomUUID(), token };
      const open = (more: HostOptions) =>
        openTestHost({ databaseUrl: catalog.databaseUrl, warmUp: false, ...pair, ...more });
      const first = await open({});
      const { id } = await createClient({ url: first.url, ...pair }).explain("organization", {});
      await first.close();
      const quotas = "rows=6/10";
      const host = await open({ metrics: token, metricsOrganizations: [id], quotas });
      try {
        const owner = createClient({ url: host.url, ...pair });
        const push = (count: number) =>
          owner.create("data", {
            type: "create",
            data: Array.from({ length: count }, () => ["a"]),
          });
        await push(6);
        await refused(push(5));
        await push(1);
        const headers = { Authorization: `Bearer ${token}` };
        const { text } = await send(`${host.url}/metrics`, { method: "GET", headers });
        for (const line of [
          'manifold_quota_passed_total{quota="rows",limit="hard"} 1',
          'manifold_quota_passed_total{quota="rows",limit="soft"} 1',
          `manifold_quota_used{organization="${id}",quota="rows"} 7`,
          `manifold_quota_limit{organization="${id}",quota="rows",limit="hard"} 10`,
          `manifold_quota_limit{organization="${id}",quota="rows",limit="soft"} 6`,
          `manifold_quota_used{organization="${id}",quota="pushes"} 0`,
        ])
          assert.ok(text.includes(`${line}\n`), line);
        assert.not.ok(text.includes('quota="jobs",limit='));
      } finally {
        await host.close();
        await catalog.close();
      }
    },
  );
});
