import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { applyFolder, runPull } from "../../../../core/operating/transfer/index.ts";
import type { Client } from "../../../../core/web/client/index.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

type Column = { readonly id: string; readonly source_name: string; readonly type: string };
type Dataset = { readonly id: string; readonly columns: readonly Column[] };

/** Aggregations whose results do not depend on the order of rows. The fares are quarters, so that sums are exact. */
const aggregations = {
  numeric: ["sum", "average", "min", "max", "median", "count", "distinctcount"],
  datetime: ["count", "min", "max", "distinctcount"],
  hierarchy: ["count", "distinctcount"],
} as const;

/** Pushes a dataset with cells of every type, nulls and awkward strings. */
async function pushAtRandom(client: Client, random: Random): Promise<Dataset> {
  const cities = ["Ghent", "Ä/ö", 'q"uote', "", "名古屋", "a,b;c", "007"];
  const data = Array.from({ length: 500 }, (_, row) => [
    random.chance(0.05) ? null : random.pick(cities),
    random.chance(0.05) ? null : random.below(1_000_000) / 4,
    new Date(1.7e12 + row * 3_600_000 + random.below(3_600_000)).toISOString(),
    `2024-0${1 + random.below(9)}-1${random.below(9)}`,
  ]);
  const { rows } = await client.create<{ rows: Dataset[] }>("data", {
    type: "create",
    data,
    options: { header: ["city", "fare", "at", "day"], name: { en: "Rides" } },
  });
  return rows[0]!;
}

/** Returns the contents of a dashboard with one chart of each of some kinds. */
function contentsOf({ id: datasetId, columns }: Dataset) {
  const field = (name: string, more: object = {}) => {
    const { id: columnId, type } = columns.find((column) => column.source_name === name)!;
    return { datasetId, columnId, type, label: { en: name }, ...more };
  };
  const item = (row: number, type: string, slots: Readonly<Record<string, readonly object[]>>) => ({
    id: `item-${row}`,
    type,
    position: { row: row * 12, col: 0, sizeX: 48, sizeY: 12 },
    slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
    options: {},
  });
  const fare = field("fare", { aggregationFunc: "sum", format: ",.2f" });
  return {
    version: "0.1.99",
    views: [
      {
        screenModus: "desktop",
        options: { columns: 48 },
        items: [
          item(0, "column-chart", { "x-axis": [field("city")], measure: [fare] }),
          item(1, "line-chart", { "x-axis": [field("at", { level: 5 })], measure: [fare] }),
          item(2, "evolution-number", { measure: [fare] }),
          item(3, "regular-table", { columns: [field("city"), field("day", { level: 3 }), fare] }),
        ],
      },
    ],
  };
}

suite("core/operating/transfer/movedOrganization", (test) => {
  const dir = mkdtempSync(join(tmpdir(), "manifold-moved-"));
  const hosts: TenantHost[] = [];
  test.after(async () => {
    for (const host of hosts) await host.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test.deep("an organization that moved gives the same answers and pictures", async () => {
    const random = createRandom();
    const source = await openTenantHost({});
    hosts.push(source);
    const target = await openTenantHost({});
    hosts.push(target);
    await withSeed(random, async () => {
      const rides = await pushAtRandom(source.client, random);
      const columnOf = (name: string) => rides.columns.find((each) => each.source_name === name)!;
      await source.client.update("hierarchy", columnOf("city").id, {
        updates: [{ id: "Ghent", name: { en: "Gent", fr: "Gand" }, color: "#1A2B3C" }],
      });
      const formula = await source.client.create<{ id: string }>("formula", {
        name: { en: "Mean fare" },
        expression: `sum({${rides.id}:${columnOf("fare").id}}) / count({${rides.id}:${columnOf("city").id}})`,
      });
      await source.client.associate("formula", formula.id, { role: "Securables", id: rides.id });
      const board = await source.client.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: "Board" },
        contents: contentsOf(rides),
      });
      await runPull(
        ["--from", source.url, "--dir", dir, "--rows", "--calls-per-second", "1000"],
        { MANIFOLD_FROM_KEY: source.key, MANIFOLD_FROM_TOKEN: source.token },
        ["postgresql"],
        () => undefined,
      );
      assert.match(readFileSync(join(dir, "REPORT.md"), "utf8"), /differs? |No differences/);
      const applied = await applyFolder({
        client: target.client,
        dir,
        environment: {},
        loadsRows: true,
      });
      assert.equal(applied.warnings, []);
      const organization = (await target.client.get("organization")).rows[0]!;
      const ids = JSON.parse(
        readFileSync(join(dir, `ids.${String(organization["id"])}.json`), "utf8"),
      ) as Readonly<Record<string, string>>;
      const moved = <Value>(value: Value): Value =>
        JSON.parse(
          JSON.stringify(value).replaceAll(/[0-9a-f-]{36}/g, (id) => ids[id] ?? id),
        ) as Value;

      for (let round = 0; round < 200; round++) {
        const reference = (column: Column) => ({ column_id: column.id, dataset_id: rides.id });
        const dimensions = random.some(rides.columns, 0.4).map((column) => ({
          ...reference(column),
          ...(column.type === "datetime" && { level: 1 + random.below(5) }),
          ...(column.type === "numeric" && { discretization: { type: "linear", bins: 5 } }),
        }));
        const measures: object[] = random.some(rides.columns, 0.5).map((column) => ({
          ...reference(column),
          aggregation: {
            type: random.pick<string>(aggregations[column.type as keyof typeof aggregations]),
          },
        }));
        if (measures.length === 0 || random.chance(0.2))
          measures.push({ formula_id: formula.id, dataset_id: rides.id });
        const where = random.chance(0.5)
          ? [
              {
                expression: "? in ?",
                parameters: [reference(columnOf("city")), ["Ghent", "007", null]],
              },
            ]
          : [];
        const order = dimensions.map((each) => ({ ...each, order: "asc" }));
        const find = { dimensions, measures, where, order };
        const ask = async (client: Client, asked: object) =>
          (await client.get<{ data: unknown }>("data", { ...asked })).data;
        assert.equal(
          await ask(target.client, moved(find)),
          moved(await ask(source.client, find)),
          JSON.stringify(find),
        );
      }
      const picture = (client: Client, id: string, item: number) =>
        client.create<Uint8Array>("export", {
          type: "svg",
          securable_id: id,
          item_id: `item-${item}`,
        });
      for (let item = 0; item < 4; item++) {
        const [before, after] = [
          await picture(source.client, board.id, item),
          await picture(target.client, ids[board.id]!, item),
        ].map((bytes) => new TextDecoder().decode(bytes as Uint8Array<ArrayBuffer>));
        assert.match(before!, "<svg");
        assert.is(after, before);
      }
    });
  });
});
