import * as assert from "uvu/assert";
import { pickKeyOf, readItem } from "../../../core/web/charts/index.ts";
import { suite } from "../../support/suite.ts";
import {
  fieldOf,
  itemOf,
  openDashboardHost,
  type DashboardHost,
} from "../web/embed/openDashboardHost.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/exports: pickers", (test) => {
  let host: DashboardHost;
  let board: string;
  let item: Json;
  test.before(async () => {
    host = await openDashboardHost();
    const km = (aggregationFunc: string, label: string) =>
      fieldOf(host.dataset, "km", { type: "numeric", aggregationFunc, label: { en: label } });
    item = itemOf(
      "Trips",
      "bar-chart",
      {
        "y-axis": [fieldOf(host.dataset, "region", { type: "hierarchy" })],
        measure: [km("sum", "Distance")],
      },
      [0, 0, 24, 16],
      {
        interactivity: {
          measureDimensionPicker: [
            { slot: "measure", values: [km("sum", "Distance"), km("count", "Number of trips")] },
          ],
        },
      },
    );
    board = await host.create([item]);
  });
  test.after(() => host?.close());

  const exported = (picks: unknown) =>
    host.people.call("export", {
      action: "create",
      version: "0.1.0",
      ...host.people.owner.pair,
      properties: {
        type: "json",
        securable_id: board,
        item_id: "Trips",
        items: { Trips: { picks } },
      },
    });
  const keyOf = (index: number) => pickKeyOf(readItem(item).pickers![0]!.choices[index]!);

  test("a file contains the column that the reader chose, and names it", async () => {
    const { body } = await exported({ measure: keyOf(1) });
    const counts = (body["data"] as [unknown, number][]).map(([, count]) => count);
    assert.is(
      counts.reduce((one, other) => one + other, 0),
      3_000,
    );
    const answer = await fetch(`${host.people.host.url}/0.1.0/export`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        ...host.people.owner.pair,
        properties: {
          type: "csv",
          securable_id: board,
          item_id: "Trips",
          items: { Trips: { picks: { measure: keyOf(1) } } },
          deliver: "file",
        },
      }),
    });
    assert.equal(JSON.parse(answer.headers.get("x-filters") ?? "[]"), ["Number of trips"]);
    await answer.body?.cancel();
    const { body: stored } = await exported({});
    assert.not.equal(stored["data"], body["data"]);
  });

  test("a column that the item does not offer is refused", async () => {
    for (const picks of [
      { measure: JSON.stringify([host.dataset.id, host.dataset.columns["carrier"], null, null]) },
      { "x-axis": keyOf(1) },
      { measure: 7 },
      "km",
    ]) {
      const { status, body } = await exported(picks);
      assert.is(status, 400);
      assert.match(String(body["message"]), /properties\.items\.Trips\.picks/);
    }
  });
});
