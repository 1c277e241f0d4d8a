import * as assert from "uvu/assert";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { openTenantsFor } from "../../openTenants.ts";

/** Letters with and without accents, and characters that JSON escapes or uses as syntax. */
const characters = [..."aBcéÑ \"\\\n\t{}:,'%_1", "\u0001", "\u007f", "\u0085"];

suite("core/resources/kernel/find/search", (test) => {
  const tenants = openTenantsFor(test);

  test("a search finds the same records as a naive search, in all languages, characters and letter cases", async () => {
    const random = createRandom();
    const { ada, records, rows } = tenants;
    const textOf = (length: number) =>
      Array.from({ length }, () => random.pick(characters)).join("");
    await withSeed(random, async () => {
      const made = await records.insertMany(
        "securable",
        Array.from({ length: 150 }, () => ({
          type: "dataset",
          owner_id: ada.userId,
          name: random.chance(0.1) ? null : { en: textOf(6), fr: textOf(random.below(5)) },
          description: random.chance(0.5) ? null : { nl: textOf(8) },
        })),
      );
      const textsOf = (row: (typeof made)[number]) =>
        (["name", "description"] as const).flatMap((member) => Object.values(row[member] ?? {}));
      let found = 0;
      for (let round = 0; round < rounds({ quick: 42, deep: 120 }); round++) {
        const [text = "a"] = random.some(textsOf(random.pick(made)), 0.6);
        const start = random.below(text.length + 1);
        const part = text.slice(start, start + 1 + random.below(3));
        const keyphrase = random.chance(0.5) ? part.toUpperCase() : part;
        const expected = made.filter((row) =>
          textsOf(row).some((each) => each.toLowerCase().includes(keyphrase.toLowerCase())),
        );
        const answer = await rows(ada, "securable", { search: { keyphrase } });
        assert.equal(
          answer.map(({ id }) => id).toSorted(),
          expected.map(({ id }) => id).toSorted(),
          JSON.stringify(keyphrase),
        );
        found += expected.length;
      }
      assert.ok(found > rounds({ quick: 60, deep: 200 }), `${found} records were found`);
    });
  });

  test("an empty search phrase finds every record, as a `find` without a search does", async () => {
    const { ada, rows } = tenants;
    const idsOf = async (find: object) =>
      (await rows(ada, "securable", find)).map(({ id }) => id).toSorted();
    const ids = await idsOf({});
    assert.ok(ids.length > 0);
    assert.equal(await idsOf({ search: {} }), ids);
  });

  test("a search in an empty list of members finds nothing", async () => {
    const { ada, rows } = tenants;
    const search = { keyphrase: "a", match_types: [] };
    assert.equal(await rows(ada, "securable", { search }), []);
  });
});
