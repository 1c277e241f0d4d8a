import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { Capabilities } from "../../../../plugins/protocol/index.ts";
import { definePlugin, serve, type Served } from "../../../../plugins/sdk/index.ts";
import { plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { isClose } from "../../../support/isClose.ts";
import { createRandom, type Random, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Columns = Readonly<Record<string, string>>;

interface Explained {
  readonly datasets: readonly { readonly unused?: readonly Unused[] }[];
  readonly parts: readonly {
    readonly clauses: readonly string[];
    readonly unproved?: readonly string[];
  }[];
}
interface Unused {
  readonly capability: string;
  readonly reason: string;
}

/** A host, and the id that the plugin's dataset has on that host. */
interface PluginHost {
  readonly people: People;
  readonly recordId: string;
  readonly datasetId: string;
  readonly columns: Columns;
}

const wrong = "filters.operators.!=.hierarchy";
const types = ["numeric", "hierarchy"] as const;
const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: {
      "=": types,
      "!=": types,
      ">": ["numeric"],
      "is null": types,
      "is not null": types,
    },
  },
  grouping: { aggregations: ["sum", "count", "min", "max"], levels: ["year", "day"] },
};

suite("core/sources/connections/verifiedPlugins", (test) => {
  let plugin: Served | undefined;
  let any: PluginHost | undefined;
  let verified: PluginHost | undefined;
  test.after(async () => {
    await Promise.all([any, verified].map((each) => each?.people.close()));
    await plugin?.close();
  });

  async function openPluginHost(plugins: "any" | "verified", url: string): Promise<PluginHost> {
    const people = await openPeople({ callsPerSecond: 0, plugins });
    const { owner } = people;
    const { id } = await owner.create<{ id: string }>("plugin", {
      slug: "planted",
      name: { en: "planted" },
      base_url: url,
      protocol_version: "manifold-1",
      authorize: "none",
    });
    await owner.update("plugin", id, { new_secret: "s" });
    const account = await owner.create("account", { provider: "planted", name: "planted" });
    const { data } = await owner.create<{ data: { id: string }[] }>("dataprovider", {
      provider: "planted",
      account_id: account["id"],
      datasets: ["rows"],
    });
    const datasetId = String(data[0]?.id);
    const { rows } = await owner.get("column", { where: { securable_id: datasetId } });
    const columns = rows.map((row) => [String(row["source_name"]), String(row["id"])]);
    return { people, recordId: id, datasetId, columns: Object.fromEntries(columns) };
  }

  /** Runs or explains a query that refers to columns by name. `action` selects whether to run or to explain it. */
  async function sendQuery(
    { people, datasetId, columns }: PluginHost,
    find: (column: (name: string, more?: Json) => Json) => Json,
    action: "get" | "explain" = "get",
  ): Promise<Json> {
    const column = (name: string, more: Json = {}) => ({
      dataset_id: datasetId,
      column_id: columns[name],
      ...more,
    });
    const { pair } = people.owner;
    const { status, body } = await people.call("data", { action, ...pair, find: find(column) });
    assert.is(status, 200, JSON.stringify(body));
    return body;
  }
  const explained = async (pluginHost: PluginHost, find: Parameters<typeof sendQuery>[1]) =>
    (await sendQuery(pluginHost, find, "explain"))["explain"] as Explained;

  async function check({ people, recordId }: PluginHost): Promise<readonly string[]> {
    await people.owner.test("plugin", { id: recordId });
    for (;;) {
      const { rows } = await people.owner.get("plugin", { where: { id: recordId } });
      const report = rows[0]?.["check_report"] as { proved: readonly string[] } | null;
      if (report) return report.proved;
      await sleep(30);
    }
  }

  /** Returns a function that creates a random query from references to the columns. */
  function drawQuestion(random: Random): Parameters<typeof sendQuery>[1] {
    const dimensions = random.some(["text", "at"], 0.6);
    const aggregation = random.pick(["sum", "count", "min", "max", "average"]);
    const level = random.pick([1, 5]);
    const tests = random.some(
      [
        ["? = ?", "text", "Anna"],
        ["? != ?", "text", random.pick(["Anna", "zebra"])],
        ["? > ?", "number", random.below(9) - 3],
        ["? is null", "text"],
        ["? is not null", "number"],
      ] as const,
      0.35,
    );
    return (column) => ({
      dimensions: dimensions.map((name) => column(name, name === "at" ? { level } : {})),
      measures: [column("number", { aggregation: { type: aggregation } })],
      where: tests.map(([expression, name, ...values]) => ({
        expression,
        parameters: [column(name), ...values],
      })),
    });
  }

  test.deep(
    "a host that uses only proved claims gives the same cells as a host that uses all claims",
    async () => {
      // The plugin drops null under `!=`, and keeps all its other promises.
      const liar = definePlugin({ ...plantedPlugin("SQL negatives"), capabilities });
      plugin = await serve(liar, { secret: "s", onError: () => {} });
      const trusting = (any = await openPluginHost("any", plugin.url));
      const proving = (verified = await openPluginHost("verified", plugin.url));
      const random = createRandom();
      await withSeed(random, async () => {
        const questions = Array.from({ length: 40 }, () => drawQuestion(random));
        const agree = async () => {
          for (const find of questions) {
            const [one, other] = [await sendQuery(trusting, find), await sendQuery(proving, find)];
            const columns = find((name, more) => ({ name, ...more }));
            assert.ok(isClose(other["data"], one["data"]), JSON.stringify([columns, one, other]));
          }
        };
        const find: Parameters<typeof sendQuery>[1] = (column) => ({
          dimensions: [column("text")],
          measures: [column("number", { aggregation: { type: "sum" } })],
          where: [
            { expression: "? != ?", parameters: [column("text"), "Anna"] },
            { expression: "? is not null", parameters: [column("text")] },
          ],
        });
        await agree();
        const before = await explained(proving, find);
        const unused = before.datasets[0]?.unused ?? [];
        assert.equal(unused, [
          {
            capability: "projection",
            reason: "the kit has not proved it, and MANIFOLD_PLUGINS is verified",
          },
        ]);
        // Plain rows are not a proved claim, and nothing else was fetched.
        assert.equal(before.parts[0]?.unproved, ["rows"]);

        const proved = await check(proving);
        assert.ok(proved.includes("projection") && proved.includes("grouping.aggregations.sum"));
        assert.not.ok(proved.includes(wrong));
        await agree();
        const after = await explained(proving, find);
        const left = (after.datasets[0]?.unused ?? []).map(({ capability }) => capability);
        assert.ok(left.includes(wrong), left.join(", "));
        assert.not.ok(left.includes("grouping.aggregations.sum"));
        assert.is(after.parts[0]?.unproved, undefined, "only proved claims were pushed");
        const promised = await explained(trusting, find);
        assert.ok(promised.parts[0]?.unproved?.includes(wrong), JSON.stringify(promised));
      });
    },
  );
});
