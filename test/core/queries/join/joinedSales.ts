import * as assert from "uvu/assert";
import type { RowFilter } from "../../../../core/base/contracts/index.ts";
import { type Plugin } from "../../../../plugins/protocol/index.ts";
import {
  createJoinedHost,
  type JoinedHost,
  type JoinedDataset,
} from "../../../support/joinedHost.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf } from "../../../support/restricted.ts";

export const sales: JoinedDataset = {
  id: "S",
  columns: [
    { id: "product", type: "hierarchy" },
    { id: "shop", type: "numeric" },
    { id: "eur", type: "numeric" },
  ],
  rows: [
    ["p1", 1, 10],
    ["p1", 2, 20],
    ["p2", 1, 40],
    ["p9", 1, 80],
    [null, 2, 160],
    ["p2", null, 320],
  ],
};
export const products: JoinedDataset = {
  id: "P",
  columns: [
    { id: "sku", type: "hierarchy" },
    { id: "label", type: "hierarchy" },
    { id: "group", type: "hierarchy" },
    { id: "known", type: "hierarchy", expression: "coalesce({P:label}, 'none')" },
  ],
  rows: [
    ["p1", "Žilina", "g1"],
    ["p2", null, "g2"],
    ["p3", "unsold", "g1"],
    [null, "keyless", "g1"],
  ],
};
export const groups: JoinedDataset = {
  id: "G",
  columns: [
    { id: "code", type: "hierarchy" },
    { id: "tax", type: "numeric" },
  ],
  rows: [
    ["g1", 0.5],
    ["g2", 2],
  ],
};
export const shops: JoinedDataset = {
  id: "H",
  columns: [
    { id: "number", type: "numeric" },
    { id: "city", type: "hierarchy" },
  ],
  rows: [
    [1, "Ghent"],
    [2, "Lille"],
  ],
};
/** Describes a dataset in which every column is numeric. */
export const numbers = (
  id: string,
  names: readonly string[],
  rows: JoinedDataset["rows"],
): JoinedDataset => ({
  id,
  columns: names.map((name) => ({ id: name, type: "numeric" })),
  rows,
});
export const datasets = [sales, products, groups, shops];
export const links = [
  ["product", "sku"],
  ["code", "group"],
  ["shop", "number"],
] as const;
export const ref = (dataset_id: string, column_id: string, more: object = {}) => ({
  dataset_id,
  column_id,
  ...more,
});
export const eur = ref("S", "eur");
export const text = (id: string) => ({ id, name: { en: id } });

/** Returns one host for each way in which the datasets can be stored. */
export const hosts = async (): Promise<readonly (readonly [string, JoinedHost])[]> => {
  const one = createPlainPlugin(everyCapability);
  const scratch = createPlainPlugin();
  const made = {
    "one plugin that joins": { plugins: { S: one, P: one, G: one, H: one } },
    "a plugin each": {},
    "basic plugins": {
      plugins: Object.fromEntries(datasets.map(({ id }) => [id, createPlainPlugin({})])),
    },
    "all in scratch": { plugins: { S: scratch, P: scratch, G: scratch, H: scratch }, scratch },
    "the facts in scratch": { plugins: { S: scratch }, scratch },
    "the rest in scratch": { plugins: { P: scratch, G: scratch, H: scratch }, scratch },
  };
  return Promise.all(
    Object.entries(made).map(async ([name, options]) => {
      const given: { plugins?: Readonly<Record<string, Plugin>>; scratch?: Plugin } = options;
      return [name, await createJoinedHost({ datasets, links, ...given })] as const;
    }),
  );
};

export const filterOn = (
  securable_id: string,
  column_id: string,
  expression: string,
  value?: unknown,
): RowFilter => ({
  clause: "where",
  origin: "global",
  securable_id,
  column_id,
  expression,
  ...(value !== undefined && { value }),
});

export async function answersAre(
  query: object,
  expected: unknown,
  filters: readonly RowFilter[] = [],
) {
  for (const [name, host] of await hosts())
    assert.equal((await host.sendQuery(query, embedOf({ filters }))).data, expected, name);
}

/** Returns the status, code and message with which a query of several datasets fails. */
export async function refusedBy(host: JoinedHost, query: object, principal = principalOf("ada")) {
  const { code, status, message } = await refusal(host.sendQuery(query, principal));
  return `${status} ${code} ${message}`;
}
