import * as assert from "uvu/assert";
import { checkPlugin, findingsOf } from "../../plugins/conformance/index.ts";
import type { Plugin } from "../../plugins/protocol/index.ts";
import { randomAwkwardTable } from "../support/awkward.ts";
import { rounds } from "../support/layer.ts";
import { createRandom, type Random } from "../support/random.ts";
import type { ConnectorEngine } from "./connectorSuite.ts";

/** The caller of all queries. Accounts of one organization share the process that reads their files. */
export const tenant = { organization: "one", user: "ada" } as const;

/** For each kind of source, the number of seeds for the kit's queries and rows. */
const seedCount = rounds({ quick: 1, deep: 50 });
/** Number of queries per seed. Each seed tests different capabilities. */
const queryCount = rounds({ quick: 15, deep: 10 });
/** Number of seeds for which the same tables are used, because filling a table takes longer than querying it. */
const seedsOfTables = 10;
const rowCount = 14;

/**
 * Runs the conformance kit on an engine's plugin, over tables of awkward values with many seeds. The kit must find no
 * deviation. Returns the number of queries.
 */
export async function checkByKit(
  engine: Pick<ConnectorEngine, "plugin" | "credentials" | "limits" | "fill">,
  seeds: Random,
): Promise<number> {
  let queriesRun = 0;
  let plugin = engine.plugin;
  for (let round = 0; round < seedCount; round++) {
    const seed = seeds.below(2 ** 31);
    if (round % seedsOfTables === 0) {
      const random = createRandom(seed);
      const ids: string[] = [];
      // Fills two tables, so that the plugin can join the second to the first.
      for (const size of [rowCount, 4])
        ids.push(await engine.fill(randomAwkwardTable(random, engine.limits, size), random));
      plugin = only(engine.plugin, ids);
    }
    const report = await checkPlugin({
      plugin,
      credentials: engine.credentials,
      seed,
      queryCount,
      checksUnclaimed: false,
    });
    const found = findingsOf(report).map((finding) => JSON.stringify(finding));
    assert.is(found.length, 0, `seed ${seed}: ${found.join("\n")}`);
    queriesRun += report.queryCount;
  }
  return queriesRun;
}

/** Limits a plugin to some of its datasets, because its database also contains tables of other tests. */
function only(plugin: Plugin, ids: readonly string[]): Plugin {
  const { capabilitiesOf } = plugin;
  return {
    capabilities: plugin.capabilities,
    datasets: async (call) =>
      (await plugin.datasets({ ...call, tenant })).filter(({ id }) => ids.includes(id)),
    query: (call) => plugin.query({ ...call, tenant }),
    ...(capabilitiesOf && {
      capabilitiesOf: (call) => capabilitiesOf.call(plugin, { ...call, tenant }),
    }),
  };
}
