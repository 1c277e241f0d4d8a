import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { eventually } from "../../../support/eventually.ts";
import { openHostGroup } from "../../../support/hostGroup.ts";
import { ownerKey, ownerToken } from "../../../support/hostProcess.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

interface Dashboard {
  readonly datasetId: string;
  readonly columnId: string;
  readonly dashboardId: string;
}

async function createDashboard(owner: Client): Promise<Dashboard> {
  const pushed = await owner.create("data", {
    type: "create",
    data: [["Ghent", 1]],
    options: { header: ["city", "sales"], name: { en: "Sales" } },
  });
  const [dataset] = pushed.rows;
  const dashboard = await owner.create("securable", { type: "dashboard", name: { en: "Board" } });
  return {
    datasetId: dataset?.id ?? "",
    columnId: dataset?.columns?.[1]?.id ?? "",
    dashboardId: dashboard.id,
  };
}

/** Acts as a customer's user does: views the dashboard, asks two questions and exports one. */
async function act(url: string, pair: { key: string; token: string }, at: Dashboard) {
  const user = createClient({ url, ...pair });
  const query = {
    measures: [{ dataset_id: at.datasetId, column_id: at.columnId, aggregation: { type: "sum" } }],
  } as const;
  const { rows } = await user.get("securable", {
    where: { id: at.dashboardId },
    attributes: ["id", "contents"],
  });
  assert.is(rows.length, 1);
  // A list of dashboards is not a view.
  await user.get("securable", { where: { type: "dashboard" } });
  await user.get("data", { queries: [query, query] });
  await user.create("export", { type: "csv", query });
}

async function createToken(
  owner: Client,
  at: Dashboard,
  username: string,
  suborganization: string,
) {
  const made = await owner.create("authorization", {
    type: "embed",
    username,
    name: username,
    email: `${username}@example.org`,
    suborganization,
    role: "viewer",
    expiry: "1 hour",
    access: {
      datasets: [{ id: at.datasetId, rights: "use" }],
      dashboards: [{ id: at.dashboardId, rights: "read" }],
    },
  });
  return { key: made.id, token: made.token };
}

suite("core/host with usage", (test) => {
  test.deep(
    "views, questions and exports of embed tokens count for their suborganization",
    async () => {
      const host: Host = await openTestHost({ warmUp: false });
      const pair = host.madeCredentials ?? { key: "", token: "" };
      const owner = createClient({ url: host.url, ...pair });
      const at = await createDashboard(owner);
      for (const [name, customer] of [
        ["ann", "north"],
        ["bob", "north"],
        ["cas", "south"],
      ] as const)
        await act(host.url, await createToken(owner, at, name, customer), at);
      const { rows } = await owner.get("usage", { by: ["suborganization"] });
      const counted = (people: number) => ({
        viewer_count: people,
        view_count: people,
        question_count: 2 * people,
        export_count: people,
        model_call_count: 0,
      });
      assert.equal(rows, [
        { suborganization: "north", ...counted(2) },
        { suborganization: "south", ...counted(1) },
      ]);
      const { rows: boards } = await owner.get("usage", {
        by: ["dashboard"],
        where: { securable_id: at.dashboardId },
      });
      assert.is(boards[0]?.view_count, 3);
      assert.is(boards[0]?.viewer_count, 3);
      const customer = createClient({
        url: host.url,
        ...(await createToken(owner, at, "ann", "north")),
      });
      await customer.get("usage").then(
        () => assert.unreachable("tokens see no usage"),
        ({ status }: { status?: number }) => assert.is(status, 403),
      );
      await host.close();
    },
  );

  test.deep("a viewer at two hosts of one catalog is one viewer of the month", async () => {
    const group = await openHostGroup(2);
    try {
      const pair = { key: ownerKey, token: ownerToken };
      const [one, other] = group.hosts.map(({ url }) => url);
      const owner = createClient({ url: one ?? "", ...pair });
      const at = await createDashboard(owner);
      const ann = await createToken(owner, at, "ann", "north");
      for (const url of [one, other]) await act(url ?? "", ann, at);
      const asked = createClient({ url: other ?? "", ...pair });
      // The first host writes its counts within seconds.
      const row = await eventually(async () => {
        const answer = await asked.get("usage", {
          by: ["suborganization"],
          where: { suborganization: "north" },
        });
        assert.is(answer.lost_count, 0);
        return answer.rows.find((each) => each.export_count === 2);
      }, "the counts of both hosts");
      assert.is(row.viewer_count, 1);
      assert.is(row.view_count, 2);
      assert.is(row.question_count, 4);
    } finally {
      await group.close();
    }
  });
});
