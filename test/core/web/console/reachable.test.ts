import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { findCovered } from "./findCovered.ts";
import { openConsole, type OpenConsole } from "./openConsole.ts";

const heights: Readonly<Record<number, number>> = { 360: 740, 768: 1024, 1024: 768, 1440: 900 };

suite("core/web/console: reachable controls", (test) => {
  let opened: OpenConsole;
  let paths: readonly string[];

  test.before(async () => {
    opened = await openConsole();
    const { client } = opened;
    const made = await client.create<{
      rows: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("data", {
      type: "create",
      data: Array.from({ length: 60 }, (_, index) => [
        `2026-0${1 + (index % 6)}-10`,
        `City ${index}`,
        index,
      ]),
      options: { header: ["day", "city", "amount"], name: { en: "Orders" } },
    });
    const [{ id: datasetId, columns } = { id: "", columns: [] }] = made.rows;
    const idOf = (name: string) => columns.find((each) => each.source_name === name)?.id;
    const question = encodeURIComponent(
      JSON.stringify({
        rows: [{ id: idOf("city") }],
        color: { id: idOf("day"), level: 3 },
        measures: [{ id: idOf("amount"), aggregation: "sum" }],
        filters: [{ id: idOf("city"), test: "? not in ?", value: ["Ghent"] }],
      }),
    );
    const view = {
      screenModus: "desktop",
      items: [
        {
          id: "a8e1c9c2-7c3c-4f1c-9d43-0f6a9bb8e1aa",
          type: "bar-chart",
          position: { col: 0, row: 0, sizeX: 24, sizeY: 20 },
          slots: [
            {
              name: "y-axis",
              content: [{ datasetId, columnId: idOf("city"), type: "hierarchy", label: "city" }],
            },
            {
              name: "measure",
              content: [
                {
                  datasetId,
                  columnId: idOf("amount"),
                  type: "numeric",
                  label: "amount",
                  aggregationFunc: "sum",
                },
              ],
            },
          ],
        },
        {
          id: "a8e1c9c2-7c3c-4f1c-9d43-0f6a9bb8e1ab",
          type: "date-filter",
          position: { col: 24, row: 0, sizeX: 24, sizeY: 6 },
          slots: [
            {
              name: "time",
              content: [{ datasetId, columnId: idOf("day"), type: "datetime", label: "day" }],
            },
          ],
        },
      ],
    };
    const { id: dashboardId } = await client.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Cities" },
      contents: { views: [view] },
    });
    paths = [
      "/",
      "/explore",
      `/explore/${datasetId}?q=${question}`,
      `/explore/${datasetId}?q=${question}&dashboard=${dashboardId}`,
      `/explore/${datasetId}?q=${question}&view=plan`,
      "/dashboards",
      `/dashboards/${dashboardId}`,
      `/dashboards/${dashboardId}?edit=1`,
      "/data",
      `/data/${datasetId}`,
      "/data/upload",
      "/alerts",
      `/alerts/new?dataset=${datasetId}&q=${question}`,
      "/plugins",
      "/access",
      "/access/groups",
      "/access/tokens",
      "/access/audit",
      "/access/usage",
      "/account",
    ];
  });
  test.after(() => opened?.close());

  for (const [width, height] of Object.entries(heights))
    test.deep(`nothing covers a control of any page at a width of ${width} px`, async () => {
      const page = await opened.openPage("/");
      await page.setViewportSize({ width: Number(width), height });
      const covered: Record<string, readonly string[]> = {};
      for (const path of paths) {
        await page.goto(`${opened.url}${path}`);
        await page.locator("main :is(h1, h2)").first().waitFor();
        await page.waitForLoadState("networkidle");
        const found = await findCovered(page);
        if (found.length > 0) covered[path] = found;
      }
      assert.equal(covered, {});
      await page.context().close();
    });
});
