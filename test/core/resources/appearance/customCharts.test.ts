import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

const script = "manifold.draw = () => { /* first */ };";
const changed = "manifold.draw = () => { /* second */ };";

suite("core/host: custom charts of people who are not owners", (test) => {
  let people: People;
  let author: Person;
  let colleague: Person;
  let token: Person;
  let visitorKey: string;
  let chart: string;
  test.before(async () => {
    people = await openPeople();
    const { owner } = people;
    author = await people.add("author", {}, { flagEditor: true });
    colleague = await people.add("colleague");
    chart = (await author.create<Made>("customchart", { name: { en: "Own" }, type: "own", script }))
      .id;
    const item = { id: "own", type: "custom-chart", options: { customChartId: chart }, slots: [] };
    const contents = { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] };
    const { id: board } = await owner.create<Made>("securable", { type: "dashboard", contents });
    const access = { dashboards: [{ id: board, rights: "read" }] };
    token = await people.mint({ username: "visitor", access });
    const group = { role: "Groups", id: people.publicGroup };
    await owner.associate("securable", board, group, { flagRead: true });
    const share = await owner.create<Made>("share", {});
    await owner.associate("share", share.id, { role: "Dashboard", id: board });
    visitorKey = share.id;
  });
  test.after(() => people?.close());

  const attributes = ["id", "script", "status"];
  const scriptFor = async (who: Person) => {
    const { rows } = await who.get<{ rows: Json[] }>("customchart", {
      where: { id: chart },
      attributes,
    });
    return rows[0]?.["script"];
  };
  const scriptForVisitor = async () => {
    const answer = await fetch(`${people.host.url}/0.1.0/customchart`, {
      method: "POST",
      body: JSON.stringify({
        action: "get",
        key: visitorKey,
        find: { where: { id: chart }, attributes },
      }),
    });
    const { rows } = (await answer.json()) as { rows: Json[] };
    return rows[0]?.["script"];
  };
  const everybody = async () => [
    await scriptFor(author),
    await scriptFor(colleague),
    await scriptFor(people.owner),
    await scriptFor(token),
    await scriptForVisitor(),
  ];
  const approve = async () => {
    const { rows } = await people.owner.get<{ rows: Made[] }>("customchartversion", {
      where: { customchart_id: chart },
      order: [["created_at", "desc"]],
      limit: 1,
    });
    await people.owner.update("customchart", chart, { approved_version_id: rows[0]?.id });
  };

  test("nobody else can read the script of a person's draft chart", async () => {
    assert.equal(await everybody(), [script, null, null, null, null]);
  });

  test("the approved version of a chart runs for everyone, and a later draft only for its author", async () => {
    await approve();
    assert.equal(await everybody(), [script, script, script, script, script]);
    await author.update("customchart", chart, { script: changed });
    assert.equal(await everybody(), [changed, script, script, script, script]);
    await approve();
    assert.equal(await everybody(), [changed, changed, changed, changed, changed]);
    await people.owner.update("customchart", chart, { approved_version_id: null });
    assert.equal(await everybody(), [changed, null, null, null, null]);
  });

  test("other people cannot find a chart's draft with includes or searches", async () => {
    const find = { where: { script: { like: "second" } }, attributes };
    for (const who of [colleague, people.owner, token]) {
      const answer = await who.get("customchart", find).then(
        () => 200,
        ({ status }: { status: number }) => status,
      );
      assert.is(answer, 400);
    }
  });
});
