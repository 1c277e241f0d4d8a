import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/exports and the look that a token sets", (test) => {
  let people: People;
  let dataset: Dataset;
  let board: string;
  test.before(async () => {
    people = await openPeople();
    dataset = await people.push();
    const number = (title: string) => ({
      id: "number",
      type: "evolution-number",
      options: { title: { en: title } },
      position: { col: 0, row: 0, sizeX: 48, sizeY: 16 },
      slots: [
        {
          name: "measure",
          content: [
            {
              datasetId: dataset.id,
              columnId: dataset.columns["km"],
              type: "numeric",
              aggregationFunc: "sum",
              label: { en: "Km" },
            },
          ],
        },
      ],
    });
    const contents = {
      version: "0.1.99",
      views: [
        { screenModus: "desktop", items: [number("Wide")], filterGroups: [] },
        { screenModus: "mobile", items: [number("Small")], filterGroups: [] },
      ],
    };
    const created = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents,
    });
    board = created.id;
    const { columns } = dataset;
    await people.owner.update("column", String(columns["km"]), { format: "$,.2f" });
  });
  test.after(async () => {
    await people?.close();
  });

  const tokenOf = (look: Json) =>
    people.mint({
      access: {
        dashboards: [{ id: board, rights: "read" }],
        datasets: [{ id: dataset.id, rights: "use" }],
      },
      ...look,
    });
  const picture = async (by: Person, more: Json = {}): Promise<string> => {
    const answer = await fetch(`${people.host.url}/0.1.0/export`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        ...by.pair,
        properties: { type: "svg", securable_id: board, item_id: "number", ...more },
      }),
    });
    assert.is(answer.status, 200, await answer.clone().text());
    return answer.text();
  };
  const facts = (svg: string) => [
    svg.includes("Small") ? "small" : "wide",
    svg.includes("€21.00"),
    /width="(\d+)" height="(\d+)"/.exec(svg)?.slice(1).map(Number),
  ];

  test("pictures have the screen, the currency and the size of the token", async () => {
    const plain = await tokenOf({});
    assert.equal(facts(await picture(plain)), ["wide", false, [900, 420]]);
    const look = { screenmode: "mobile", currency_id: "EUR", width: 500, height: 300 };
    assert.equal(facts(await picture(await tokenOf(look))), ["small", true, [500, 300]]);
    const asked = await picture(await tokenOf(look), { width: 640 });
    assert.equal(facts(asked), ["small", true, [640, 300]]);
  });

  test("a size that no picture can have is bounded, and an unknown screen is ignored", async () => {
    const token = await tokenOf({ screenmode: "watch", width: 90_000.5, height: 0 });
    assert.equal(facts(await picture(token)), ["wide", false, [4_000, 1]]);
  });

  test("a currency of the column takes precedence over the currency of the token", async () => {
    const id = String(dataset.columns["km"]);
    await people.owner.update("column", id, { currency_id: "USD" });
    assert.match(await picture(await tokenOf({ currency_id: "EUR" })), /\$21\.00/);
    await people.owner.update("column", id, { currency_id: null });
  });
});
