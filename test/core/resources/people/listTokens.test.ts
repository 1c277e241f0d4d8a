import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Listed {
  readonly count: number;
  readonly rows: readonly (Json & { readonly securables: readonly Json[] })[];
}

suite("core/resources/people/listTokens", (test) => {
  let people: People;
  test.before(async () => {
    people = await openPeople();
  });
  test.after(() => people.close());

  const list = async (by: Person, options?: Json) => {
    const body = { action: "list", ...(options && { options }), ...by.pair };
    const answer = await people.call("authorization", body);
    return { status: answer.status, body: answer.body as unknown as Listed };
  };

  test("issued tokens are listed with their reader, their dashboards and their end, and without secrets", async () => {
    const { owner } = people;
    const board = await owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Sales" },
    });
    const reader = await people.mint({
      username: "reader-1",
      name: "Rea Der",
      access: { dashboards: [{ id: board.id, rights: "read" }], datasets: [] },
    });
    const { body } = await list(owner);
    assert.is(body.count, 1);
    const [row] = body.rows;
    assert.is(row?.["username"], "reader-1");
    assert.is(row?.["name"], "Rea Der");
    assert.equal(row?.securables, [{ id: board.id, type: "dashboard", name: { en: "Sales" } }]);
    assert.ok(Date.parse(String(row?.["expiry"])) > Date.now());
    assert.not(JSON.stringify(body).includes(reader.pair.token));
    assert.is((await list(owner, { search: "rea d" })).body.count, 1);
    assert.is((await list(owner, { search: "%" })).body.count, 0);
  });

  test("looking at what a token or a person sees adds nothing to the list", async () => {
    const { owner } = people;
    const before = (await list(owner)).body;
    const [token] = before.rows;
    await owner.explain("authorization", { id: String(token?.["id"]), options: { token: true } });
    const board = await owner.create<{ id: string }>("securable", { type: "dashboard" });
    const ada = await people.add("Ada");
    await owner.explain("securable", {
      id: board.id,
      options: { see_as: { role: "Users", id: ada.id } },
    });
    assert.equal((await list(owner)).body, before);
  });

  test("another owner does not see the tokens, and others may not list tokens", async () => {
    const other = await people.add("Otto", {}, { flagOwn: true });
    assert.is((await list(other)).body.count, 0);
    const editor = await people.add("Edna", {}, { flagEditor: true });
    const token = await people.mint({ username: "reader-2" });
    for (const by of [editor, token]) assert.is((await list(by)).status, 403);
  });
});
