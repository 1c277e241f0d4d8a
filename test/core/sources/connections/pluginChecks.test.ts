import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { PluginCheckReport } from "../../../../core/base/contracts/index.ts";
import type { Demotion } from "../../../../plugins/protocol/index.ts";
import {
  type Capabilities,
  definePlugin,
  type Plugin,
  serve,
  type Served,
} from "../../../../plugins/sdk/index.ts";
import { type Mistake, plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { eventually } from "../../../support/eventually.ts";
import { refused } from "../../../support/refused.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Explained {
  readonly datasets: readonly { readonly unused?: readonly Demotion[] }[];
  readonly steps: readonly { readonly clause: string; readonly reason?: string }[];
  readonly pushdown: readonly {
    readonly tests: readonly { readonly expression: string }[];
    readonly pushdown: string;
    readonly reason?: string;
  }[];
  readonly parts: readonly {
    readonly clauses: readonly string[];
    readonly unproved?: readonly string[];
    readonly disproved?: readonly Demotion[];
  }[];
}
interface Shown extends Json {
  readonly id: string;
  readonly verification: string;
  readonly checked_at: string | null;
  readonly check_report: PluginCheckReport | null;
}

const text = ["hierarchy"] as const;
const capabilities: Capabilities = {
  projection: true,
  filters: { operators: { "=": text, "!=": text, "is null": text } },
  grouping: { aggregations: ["count"], levels: [] },
};
/** A few capabilities that can be checked in a short time. */
const fewCapabilities: Capabilities = {
  projection: true,
  filters: { operators: { "=": text } },
  grouping: { aggregations: ["count"], levels: [] },
};
/** The claims whose check the quick layer runs. It needs fewer queries than `fewCapabilities`. */
const quickCapabilities: Capabilities = { projection: true };
const offered = { id: "rows", columns: ["text", "number", "at"] };

suite("core/sources/connections/pluginChecks", (test) => {
  let people: People;
  const served: Served[] = [];
  let recordCount = 0;
  test.before(async () => {
    people = await openPeople();
  });
  test.after(async () => {
    await people?.close();
    await Promise.all(served.map((each) => each.close()));
  });

  const listen = async (plugin: Plugin, secret = "s"): Promise<Served> => {
    const listening = await serve(plugin, { secret, onError: () => {} });
    served.push(listening);
    return listening;
  };
  /**
   * Creates a record of a plugin that makes the given mistake, or no mistake. The plugin receives the host's secret.
   */
  const register = async (
    mistake?: Mistake,
    properties: Json = {},
    promised = capabilities,
  ): Promise<Shown> => {
    const { url } = await listen(
      definePlugin({ ...plantedPlugin(mistake), capabilities: promised }),
    );
    const slug = `planted-${++recordCount}`;
    const made = await people.owner.create<Shown>("plugin", {
      slug,
      name: { en: slug },
      base_url: url,
      protocol_version: "manifold-1",
      authorize: "none",
      ...properties,
    });
    await people.owner.update("plugin", made.id, { new_secret: "s" });
    return made;
  };
  const shown = async (id: string, by: Person = people.owner): Promise<Shown> => {
    const { rows } = await by.get("plugin", { where: { id } });
    return rows[0] as Shown;
  };
  const check = async (id: string, options: Json = {}): Promise<Shown> => {
    const before = (await shown(id)).checked_at;
    const { state } = await people.owner.test<Json>("plugin", { id, options });
    assert.is(state, "waiting");
    for (;;) {
      const found = await shown(id);
      if (found.checked_at !== before) return found;
      await sleep(150);
    }
  };
  const datasetOf = async (provider: unknown): Promise<{ id: string; columns: Json }> => {
    const account = await people.owner.create<{ id: string }>("account", {
      provider,
      name: provider,
    });
    const { data } = await people.owner.create<{ data: { id: string }[] }>("dataprovider", {
      provider,
      account_id: account["id"],
      datasets: [offered.id],
    });
    const id = String(data[0]?.id);
    const { rows } = await people.owner.get("column", { where: { securable_id: id } });
    const columns = rows.map((row) => [row["source_name"], row["id"]]);
    return { id, columns: Object.fromEntries(columns) };
  };

  test("a new plugin is unchecked, and becomes verified with a date and its proved claims", async () => {
    const promised = rounds({ quick: quickCapabilities, deep: fewCapabilities });
    const made = await register(undefined, {}, promised);
    assert.equal(
      [made.verification, made.checked_at, made.check_report],
      ["unchecked", null, null],
    );
    const startedMs = Date.now();
    const { verification, checked_at, check_report: report } = await check(made.id);
    assert.is(verification, "verified");
    assert.ok(Date.parse(String(checked_at)) >= startedMs);
    assert.match(report?.kit_version ?? "", /^\d+\.\d+\.\d+/);
    assert.equal(report?.wrong, {});
    assert.equal([report?.dataset_count, report?.row_count], [1, 120]);
    for (const claim of [
      "rows",
      "projection",
      ...rounds({
        quick: [],
        deep: ["filters.operators.=.hierarchy", "grouping.keys.hierarchy"],
      }),
    ])
      assert.ok(report?.proved.includes(claim), claim);
    assert.is("checked_declaration" in made, false);
    const updated = await people.owner.update<Shown>("plugin", made.id, { color: "#112233" });
    assert.is(updated.verification, "verified", "a colour is no promise");
    const moved = await people.owner.update<Shown>("plugin", made.id, {
      base_url: "http://127.0.0.1:9",
      new_secret: "s",
    });
    assert.equal(
      [moved.verification, moved.checked_at, moved.check_report],
      ["unchecked", null, null],
    );
  });

  test.deep(
    "a plugin that breaks a promise fails its check, and the host no longer relies on the promise",
    async () => {
      const made = await register("SQL negatives");
      const { verification, check_report: report } = await check(made.id);
      assert.is(verification, "failed");
      assert.equal(report?.wrong["filters.operators.!=.hierarchy"], [
        "drops rows with null under !=",
      ]);
      const told = JSON.stringify(report);
      for (const value of ["Anna", "zebra", "http://"]) assert.not.match(told, value);

      const dataset = await datasetOf(made["slug"]);
      const column = { dataset_id: dataset.id, column_id: dataset.columns["text"] };
      const { explain } = await people
        .call("data", {
          action: "explain",
          ...people.owner.pair,
          find: {
            dimensions: [column],
            where: [
              { expression: "? != ?", parameters: [column, "Anna"] },
              { expression: "? is not null", parameters: [column] },
            ],
          },
        })
        .then(({ body }) => body as { explain: Explained });
      const unused = explain.datasets[0]?.unused ?? [];
      assert.equal(
        unused.find(({ capability }) => capability === "filters.operators.!=.hierarchy"),
        {
          capability: "filters.operators.!=.hierarchy",
          reason: "the conformance kit found this claim wrong: drops rows with null under !=",
        },
      );
      const sent = explain.pushdown.find(({ tests }) => tests[0]?.expression === "!=");
      assert.is(sent?.pushdown, "none");
      assert.match(
        sent?.reason ?? "",
        /^the host does not rely on filters\S*: the conformance kit found this claim wrong: /,
      );
      assert.not.ok(explain.parts[0]?.unproved?.includes("filters.operators.!=.hierarchy"));
      assert.not.ok(explain.parts[0]?.clauses.includes("filters"), JSON.stringify(explain));
    },
  );

  test.deep(
    "a host whose check found that a plugin omits the group of null answers with this group",
    async () => {
      const made = await register("no group of null");
      const dataset = await datasetOf(made["slug"]);
      const text = { dataset_id: dataset.id, column_id: dataset.columns["text"] };
      const ask = async () => {
        const { body } = await people.call("data", {
          action: "get",
          ...people.owner.pair,
          find: {
            dimensions: [text],
            measures: [{ ...text, column_id: "*", aggregation: { type: "count" } }],
            explain: true,
          },
        });
        return body as { data: readonly (readonly unknown[])[]; explain: Explained };
      };
      const before = await ask();
      assert.ok(before.explain.parts[0]?.clauses.includes("grouping"), JSON.stringify(before));
      const { verification, check_report: report } = await check(made.id);
      assert.is(verification, "failed");
      assert.equal(report?.wrong["grouping.keys.hierarchy"], ["omits the group of null"]);
      // Other calls of the host notice the result of the check within a second.
      const after = await eventually(async () => {
        const answer = await ask();
        return answer.explain.datasets[0]?.unused ? answer : undefined;
      }, "the host knows the result of the check");
      assert.is(after.data.length, before.data.length + 1, "the group of null");
      assert.not.ok(after.explain.parts[0]?.clauses.includes("grouping"));
      assert.is(
        after.explain.steps.find(({ clause }) => clause === "grouping")?.reason,
        "the host does not rely on grouping.keys.hierarchy: the conformance kit found this claim wrong: omits the group of null",
      );
    },
  );

  test.deep(
    "an explanation says that a call relied on plain rows that a check found wrong",
    async () => {
      const made = await register("truncated rows", {}, fewCapabilities);
      const dataset = await datasetOf(made["slug"]);
      const { check_report: report } = await check(made.id);
      assert.ok(report && "rows" in report.wrong, JSON.stringify(report));
      const find = { dimensions: [{ dataset_id: dataset.id, column_id: dataset.columns["text"] }] };
      // Other calls of the host notice the result of the check within a second.
      const part = await eventually(async () => {
        const { body } = await people.call("data", {
          action: "explain",
          ...people.owner.pair,
          find,
        });
        const [first] = (body as { explain: Explained }).explain.parts;
        return first?.disproved ? first : undefined;
      }, "the host knows the result of the check");
      const { reason = "" } = part.disproved?.find(({ capability }) => capability === "rows") ?? {};
      assert.match(reason, /^the conformance kit found this claim wrong: /);
      assert.not.match(reason, /60|120/);
      assert.not.ok(part.unproved?.includes("rows"));
    },
  );

  test.deep("a check that cannot run keeps what the check before it found wrong", async () => {
    const made = await register("no group of null", {}, fewCapabilities);
    const { check_report: before } = await check(made.id);
    assert.ok(before && "grouping.keys.hierarchy" in before.wrong, JSON.stringify(before));
    await served.pop()?.close();
    const { verification, check_report: after } = await check(made.id);
    assert.is(verification, "failed");
    assert.match(after?.problem ?? "", /^the plugin could not be called: /);
    assert.equal([after?.wrong, after?.proved], [before.wrong, []]);
  });

  test("only a plugin's owner can have the plugin checked, and other callers get the same error as for an unknown id", async () => {
    const made = await register();
    const stranger = await people.add("stranger");
    const test = (id: unknown) => refused(stranger.test("plugin", { id: String(id) }));
    const [foreign, random] = [await test(made.id), await test(randomUUID())];
    assert.is(foreign.status, 404);
    assert.is(
      foreign.message.replace(made.id, "ID"),
      random.message.replace(/[0-9a-f-]{36}/, "ID"),
    );
    await people.owner.associate("plugin", made.id, { role: "Users", id: stranger.id });
    assert.is((await shown(made.id, stranger)).verification, "unchecked");
    assert.is((await test(made.id)).status, 403);
  });

  test.deep(
    "a plugin that needs credentials can be checked only with an account of that plugin",
    async () => {
      const made = await register(undefined, { authorize: "token" }, fewCapabilities);
      const test = (options?: Json) =>
        refused(people.owner.test("plugin", { id: made.id, ...(options && { options }) }));
      assert.match((await test()).message, "options.account_id");
      assert.match((await test({ account_id: "x" })).message, "the id of an account");
      assert.match((await test({ accounts: [] })).message, "account_id");
      assert.is((await test({ account_id: randomUUID() })).status, 404);
      const other = await register();
      const foreign = await people.owner.create<{ id: string }>("account", {
        provider: other["slug"],
        name: "other",
      });
      assert.match(
        (await test({ account_id: foreign["id"] })).message,
        "an account of this plugin",
      );
      const own = await people.owner.create<{ id: string }>("account", {
        provider: made["slug"],
        name: "own",
        token: "t0ken",
      });
      const { state } = await people.owner.test("plugin", {
        id: made.id,
        options: { account_id: own["id"] },
      });
      assert.is(state, "waiting");
      const again = await people.owner.test("plugin", {
        id: made.id,
        options: { account_id: own["id"] },
      });
      assert.is(again["state"], "running", "a plugin is checked by one check at a time");
      while ((await shown(made.id)).checked_at === null) await sleep(30);
      assert.is((await shown(made.id)).verification, "verified");
    },
  );

  test("a plugin that does not respond stays unchecked, and the reason does not quote the plugin", async () => {
    const { url } = await listen(plantedPlugin(), "another secret");
    const made = await register(undefined, { base_url: url });
    const { verification, check_report: report } = await check(made.id);
    assert.is(verification, "unchecked");
    assert.match(
      report?.problem ?? "",
      /^the plugin refuses the host's secret; set the plugin's secret/,
    );
    assert.equal(report?.proved, []);
  });
});
