import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };
interface Holder {
  readonly kind: string;
  readonly id: string;
  readonly right: string;
  readonly filters: readonly Json[] | null;
}
interface Explained {
  readonly right: string;
  readonly owner?: { readonly name: string };
  readonly holders?: readonly Holder[];
  readonly memberships?: readonly Json[];
  readonly datasets?: readonly {
    readonly id: string;
    readonly right: string;
    readonly holders?: readonly Holder[];
  }[];
  readonly unseen_dataset_count?: number;
  readonly candidates?: readonly { readonly kind: string; readonly name: unknown }[];
  readonly seen_as?: {
    readonly sees: boolean;
    readonly datasets: readonly string[];
    readonly withheld_datasets: readonly string[];
    readonly token: { readonly id: string; readonly token: string; readonly expiry: string };
  };
}

/** Returns contents with one chart of the dataset. */
const chartOf = ({ id, columns }: Dataset) => ({
  views: [
    {
      screenModus: "desktop",
      items: [
        {
          id: "km",
          type: "evolution-number",
          slots: [
            {
              name: "measure",
              content: [{ datasetId: id, columnId: columns["km"], type: "numeric" }],
            },
          ],
        },
      ],
    },
  ],
});

suite("core/resources/sharing/explainSecurable", (test) => {
  let people: People;
  let editor: Person;
  let reader: Person;
  let dataset: Dataset;
  let board: Made;

  const explain = async (by: Person, id: string, options?: Json) => {
    const answer = await people.call("securable", {
      action: "explain",
      id,
      ...(options && { options }),
      ...by.pair,
    });
    return { status: answer.status, body: answer.body as unknown as Explained & Json };
  };
  const filterOn = (region: string, of = dataset) => ({
    securable_id: of.id,
    column_id: String(of.columns["region"]),
    expression: "? in ?",
    value: [region],
  });
  const share = (by: Person, id: string, role: "Users" | "Groups", to: string, more: Json = {}) =>
    by.associate("securable", id, { role, id: to }, { flagRead: true, flagUse: true, ...more });
  const sumFor = async (pair: { key: string; token: string }) => {
    const { body } = await people.call("data", { action: "get", find: sumOf(dataset), ...pair });
    return (body["data"] as unknown[][] | undefined)?.[0]?.[0] ?? body["code"];
  };

  const makeOwner = async ({ id }: Person) => {
    const [organization] = (await people.owner.get("organization")).rows;
    const target = { role: "Users", id };
    await people.owner.associate("organization", String(organization?.["id"]), target, {
      flagOwn: true,
    });
  };

  test.before(async () => {
    people = await openPeople();
    editor = await people.add("Edna", {}, { flagEditor: true });
    reader = await people.add("Rita");
    dataset = await people.push(editor);
    board = await editor.create<Made>("securable", {
      type: "dashboard",
      name: { en: "Kilometres" },
      contents: chartOf(dataset),
    });
    await share(editor, board.id, "Users", reader.id);
    await share(editor, dataset.id, "Users", reader.id, { filters: [filterOn("north")] });
  });
  test.after(() => people.close());

  test("an owner learns with whom a dashboard and its datasets are shared", async () => {
    const { body } = await explain(editor, board.id);
    assert.is(body.right, "own");
    assert.is(body.owner?.name, "Edna");
    assert.equal(
      body.holders?.map(({ kind, id, right }) => ({ kind, id, right })),
      [{ kind: "user", id: reader.id, right: "use" }],
    );
    const [behind] = body.datasets ?? [];
    assert.is(behind?.id, dataset.id);
    assert.equal(behind?.holders?.[0]?.filters, [filterOn("north")]);
  });

  test("a reader learns only the reader's own right", async () => {
    const { status, body } = await explain(reader, board.id);
    assert.is(status, 200);
    assert.equal(Object.keys(body).toSorted(), ["id", "name", "right", "type"]);
    assert.is(body.right, "use");
  });

  test("a reader may neither search for people nor see as another person", async () => {
    for (const options of [{ candidates: "e" }, { see_as: { role: "Users", id: editor.id } }]) {
      const { status, body } = await explain(reader, board.id, options);
      assert.is(status, 403);
      assert.not(JSON.stringify(body).includes("Edna"));
    }
  });

  test("a dashboard that the caller cannot see returns the same error as an unknown id", async () => {
    const other = await people.add("Olaf", {}, { flagEditor: true });
    const found = await explain(other, board.id);
    const unknown = await explain(other, "0b4b9ad4-6c3f-4b5e-8f0c-0d7d3c9f1a11");
    assert.equal([found.status, unknown.status], [404, 404]);
  });

  test("an embed token cannot explain a dashboard", async () => {
    const token = await people.mint({});
    assert.is((await explain(token, board.id)).status, 403);
  });

  test("filters of a dataset that the caller does not own are not shown", async () => {
    const { owner } = people;
    const lent = await people.push();
    await share(owner, lent.id, "Users", editor.id);
    await share(owner, lent.id, "Users", reader.id, { filters: [filterOn("south", lent)] });
    const mixed = await editor.create<Made>("securable", {
      type: "dashboard",
      contents: chartOf(lent),
    });
    const { body } = await explain(editor, mixed.id);
    assert.equal(
      body.datasets?.map(({ id, right, holders }) => ({ id, right, holders })),
      [{ id: lent.id, right: "use", holders: undefined }],
    );
    assert.not(JSON.stringify(body).includes("south"));
    await owner.dissociate("securable", lent.id, { role: "Users", id: editor.id });
    const closed = (await explain(editor, mixed.id)).body;
    assert.equal([closed.datasets, closed.unseen_dataset_count], [[], 1]);
  });

  test("an editor finds people by name or e-mail address, and only groups to which the editor belongs", async () => {
    const { owner } = people;
    const group = await owner.create<Made>("group", { name: "Ri_vers" });
    const names = async (by: Person, id: string, text: string) =>
      (await explain(by, id, { candidates: text })).body.candidates?.map(({ name }) =>
        typeof name === "string" ? name : (name as Json)["en"],
      );
    assert.equal(await names(editor, board.id, "rita@"), ["Rita"]);
    assert.equal(await names(editor, board.id, "Ri"), ["Rita"]);
    assert.equal(await names(editor, board.id, "_"), []);
    await owner.associate(
      "group",
      group.id,
      { role: "Users", id: editor.id },
      { flagMember: true },
    );
    assert.equal(await names(editor, board.id, "Ri_"), ["Ri_vers"]);
    assert.equal(await names(editor, board.id, "Edna"), [], "not the caller");
    const own = await reader.create<Made>("securable", { type: "dashboard" });
    assert.equal(await names(reader, own.id, ""), ["Public"], "a member may not list people");
  });

  test("people of other suborganizations are neither found nor named", async () => {
    const north = await people.add("Nora", { suborganization: "north" }, { flagOwn: true });
    const south = await people.add("Saul", { suborganization: "south" });
    const own = await north.create<Made>("securable", { type: "dashboard" });
    assert.equal((await explain(north, own.id, { candidates: "Saul" })).body.candidates, []);
    const seen = await explain(north, own.id, { see_as: { role: "Users", id: south.id } });
    assert.is(seen.status, 404);
  });

  const seeAs = async (by: Person, role: "Users" | "Groups", id: string, of = board.id) => {
    const { status, body } = await explain(by, of, { see_as: { role, id } });
    const seen = body.seen_as;
    return { status, seen, pair: { key: seen?.token.id ?? "", token: seen?.token.token ?? "" } };
  };

  test("an owner of a dashboard who does not own the organization sees it as a person with whom it is shared", async () => {
    const { seen, pair } = await seeAs(editor, "Users", reader.id);
    assert.ok(seen?.sees);
    assert.equal([seen?.datasets, seen?.withheld_datasets], [[dataset.id], []]);
    assert.is(await sumFor(pair), 6);
    const other = await people.add("Zoe");
    const { status } = await seeAs(editor, "Users", other.id);
    assert.is(status, 404, "nothing is shared with this person");
  });

  test("the pair of such an owner sees nothing that its issuer does not see, and nothing of the person", async () => {
    const { owner } = people;
    const lent = await people.push();
    const own = { flagRead: true, flagUse: true, flagModify: true, flagOwn: true };
    const target = { role: "Users", id: editor.id };
    await owner.associate("securable", lent.id, target, {
      ...own,
      filters: [filterOn("north", lent)],
    });
    await share(owner, lent.id, "Users", reader.id);
    const mixed = await editor.create<Made>("securable", {
      type: "dashboard",
      contents: chartOf(lent),
    });
    await share(editor, mixed.id, "Users", reader.id);
    const { pair, seen } = await seeAs(editor, "Users", reader.id, mixed.id);
    assert.equal(seen?.datasets, [lent.id]);
    const sum = async (by: { key: string; token: string }) =>
      (await people.call("data", { action: "get", find: sumOf(lent), ...by })).body["data"];
    assert.equal(await sum(reader.pair), [[21]]);
    assert.equal(await sum(editor.pair), [[6]]);
    assert.equal(await sum(pair), [[6]], "the filters of the issuer apply as well");
    await reader.create("securable", { type: "dashboard", name: { en: "Private" } });
    const found = await people.call("securable", { action: "get", ...pair });
    const ids = (found.body["rows"] as readonly Made[]).map(({ id }) => id);
    assert.equal(ids.toSorted(), [mixed.id, lent.id].toSorted());
    const users = await people.call("user", { action: "get", ...pair });
    assert.not(JSON.stringify(users.body).includes(reader.id));
    await owner.dissociate("securable", lent.id, target);
    const { status } = await people.call("data", { action: "get", find: sumOf(lent), ...pair });
    assert.is(status, 404, "the pair loses what its issuer loses");
  });

  test("rows that can depend on the person are withheld from such an owner", async () => {
    const { owner } = people;
    const live = await people.connect(owner);
    await owner.associate("securable", live.id, { role: "Owner", id: editor.id });
    const personal = await people.push(editor);
    const value = { parameter: "metadata.region", type: "hierarchy", value: "north" };
    await share(editor, live.id, "Users", reader.id);
    await share(editor, personal.id, "Users", reader.id, {
      filters: [{ ...filterOn("north", personal), expression: "? = ?", value }],
    });
    const [first, second] = [chartOf(live), chartOf(personal)].map(
      ({ views }) => views[0]!.items[0]!,
    );
    const mixed = await editor.create<Made>("securable", {
      type: "dashboard",
      contents: { views: [{ screenModus: "desktop", items: [first, { ...second, id: "b" }] }] },
    });
    await share(editor, mixed.id, "Users", reader.id);
    const { seen, pair } = await seeAs(editor, "Users", reader.id, mixed.id);
    assert.equal(seen?.withheld_datasets.toSorted(), [live.id, personal.id].toSorted());
    assert.equal([seen?.sees, seen?.datasets], [true, []]);
    const { status } = await people.call("data", { action: "get", find: sumOf(personal), ...pair });
    assert.is(status, 404);
  });

  test("such an owner sees as a group to which the owner does not belong", async () => {
    const group = await people.owner.create<Made>("group", { name: "Northerners" });
    const target = { role: "Users", id: editor.id };
    await people.owner.associate("group", group.id, target, { flagMember: true });
    await share(editor, board.id, "Groups", group.id);
    await share(editor, dataset.id, "Groups", group.id, { filters: [filterOn("south")] });
    await people.owner.dissociate("group", group.id, target);
    const { seen, pair } = await seeAs(editor, "Groups", group.id);
    assert.ok(seen?.sees);
    assert.is(await sumFor(pair), 15);
  });

  test("seeing as a person shows the rows that the person sees", async () => {
    await makeOwner(editor);
    const audited = () =>
      people.owner.get("auditevent", { where: { record_id: board.id, action: "explain" } });
    const { count: before } = await audited();
    assert.is(await sumFor(editor.pair), 21);
    const { body } = await explain(editor, board.id, { see_as: { role: "Users", id: reader.id } });
    assert.ok(body.seen_as?.sees);
    assert.equal(body.seen_as?.datasets, [dataset.id]);
    const { id, token, expiry } = body.seen_as!.token;
    assert.is(await sumFor({ key: id, token }), 6);
    assert.is(await sumFor(reader.pair), 6);
    assert.ok(Date.parse(expiry) <= Date.now() + 15 * 60_000);
    const written = await audited();
    assert.is(written.count, before + 1);
    assert.not(JSON.stringify(written).includes(token));
  });

  test("the pair that sees as a person can change nothing and reaches no other records", async () => {
    const other = await people.push(reader);
    const { body } = await explain(editor, board.id, { see_as: { role: "Users", id: reader.id } });
    const { id: key, token } = body.seen_as!.token;
    const read = await people.call("data", {
      action: "get",
      find: sumOf(other),
      key,
      token,
    });
    assert.is(read.status, 404);
    const exported = { type: "json", query: sumOf(dataset) };
    const file = await people.call("export", {
      action: "create",
      properties: exported,
      key,
      token,
    });
    assert.is(file.status, 403, "an export would belong to the person");
    for (const call of [
      { action: "update", id: board.id, properties: { name: { en: "x" } } },
      { action: "associate", id: board.id, resource: { role: "Users", id: editor.id } },
      { action: "explain", id: board.id },
    ]) {
      const { status } = await people.call("securable", { ...call, key, token });
      assert.ok(status === 403 || status === 404, `${call.action} answered ${status}`);
    }
  });

  test("seeing as a group shows the rows of the group's share", async () => {
    const { owner } = people;
    const group = await owner.create<Made>("group", { name: "South" });
    await owner.associate(
      "group",
      group.id,
      { role: "Users", id: editor.id },
      { flagMember: true },
    );
    const { body: before } = await explain(editor, board.id, {
      see_as: { role: "Groups", id: group.id },
    });
    assert.equal([before.seen_as?.sees, before.seen_as?.datasets], [false, []]);
    await share(editor, board.id, "Groups", group.id);
    await share(editor, dataset.id, "Groups", group.id, { filters: [filterOn("south")] });
    const { body } = await explain(editor, board.id, { see_as: { role: "Groups", id: group.id } });
    const { id: key, token } = body.seen_as!.token;
    assert.is(await sumFor({ key, token }), 15);
  });
});
