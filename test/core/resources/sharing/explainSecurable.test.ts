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
    column_id: of.columns["region"],
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

  test("only an owner of the organization may see as another person", async () => {
    const { status } = await explain(editor, board.id, {
      see_as: { role: "Users", id: reader.id },
    });
    assert.is(status, 403);
  });

  test("seeing as a person shows the rows that the person sees", async () => {
    await makeOwner(editor);
    assert.is(await sumFor(editor.pair), 21);
    const { body } = await explain(editor, board.id, { see_as: { role: "Users", id: reader.id } });
    assert.ok(body.seen_as?.sees);
    assert.equal(body.seen_as?.datasets, [dataset.id]);
    const { id, token, expiry } = body.seen_as!.token;
    assert.is(await sumFor({ key: id, token }), 6);
    assert.is(await sumFor(reader.pair), 6);
    assert.ok(Date.parse(expiry) <= Date.now() + 15 * 60_000);
    const written = await people.owner.get("auditevent", {
      where: { record_id: board.id, action: "explain" },
    });
    assert.is(written.rows.length, 1);
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
