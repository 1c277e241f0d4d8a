import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People } from "../openPeople.ts";

/** Strings that a regular expression, LIKE or GLOB would read as patterns. Some of these patterns are very slow. */
const texts = [
  "(a+)+$",
  "a".repeat(60) + "!",
  ".*",
  "[a-z]+",
  "^a",
  "a|b",
  "%",
  "_",
  "a%b",
  "\\",
  "\\d",
  "?",
  "*",
  "{1,9999}",
  "(?<!x)",
  "a\nb",
  "plain",
];

suite("core/host and strings that look like patterns", (test) => {
  let people: People;
  let dataset: Dataset;
  test.before(async () => {
    people = await openPeople();
    const pushed = await people.owner.create<{
      rows: { id: string; columns: { id: string }[] }[];
    }>("data", {
      type: "create",
      data: texts.map((text) => [text]),
      options: { header: ["text"] },
    });
    const [row] = pushed.rows;
    dataset = { id: String(row?.id), columns: { text: String(row?.columns[0]?.id) } };
  });
  test.after(() => people.close());

  const reference = () => ({ dataset_id: dataset.id, column_id: dataset.columns["text"] });
  const fold = (text: string) => text.toLowerCase();
  const meanings: Readonly<Record<string, (text: string, sought: string) => boolean>> = {
    like: (text, sought) => fold(text).includes(fold(sought)),
    "starts with": (text, sought) => fold(text).startsWith(fold(sought)),
    "ends with": (text, sought) => fold(text).endsWith(fold(sought)),
  };

  for (const [operator, isMeant] of Object.entries(meanings))
    test(`${operator} compares every string literally, never as a pattern`, async () => {
      const requested = { measures: [{ ...reference(), aggregation: { type: "count" } }] };
      const queries = texts.map((text) => ({
        ...requested,
        where: [{ expression: `? ${operator} ?`, parameters: [reference(), text] }],
      }));
      const answers = await people.owner.get<readonly { data: unknown[][] }[]>("data", { queries });
      assert.equal(
        answers.map(({ data }) => data[0]?.[0]),
        texts.map((sought) => texts.filter((text) => isMeant(text, sought)).length),
      );
    });

  test("searching for records compares each word literally, never as a pattern", async () => {
    const { owner } = people;
    for (const text of texts)
      await owner.create("securable", { type: "dashboard", name: { en: text } });
    for (const text of texts) {
      const search = { keyphrase: text, match_types: ["name"], securable_types: "dashboard" };
      const { count } = await owner.get("securable", { search });
      const isIn = (each: string) => fold(each).includes(fold(text));
      assert.is(count, texts.filter(isIn).length, text);
    }
  });
});
