import * as assert from "uvu/assert";
import { fillReference } from "../../../../core/catalog/reference/fillReference.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/reference/fillReference", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  const idsOf = (table: string): Promise<string[]> => catalog.knex(table).orderBy("id").pluck("id");

  test("the catalog has the 249 countries of ISO 3166-1, with names in several languages", async () => {
    const ids = await idsOf("country");
    assert.is(ids.length, 249);
    for (const id of ["BE", "BQ", "CD", "EH", "HM", "NL", "PS", "SS", "TW", "UM", "VA"])
      assert.ok(ids.includes(id), id);
    for (const id of ["DD", "EU", "FX", "SU", "UK", "UN", "XK", "YU", "ZZ", "AC"])
      assert.not(ids.includes(id), id);
    const belgium = await catalog.knex("country").where({ id: "BE" }).first();
    assert.is(belgium?.name.en, "Belgium");
    assert.is(belgium?.name.fr, "Belgique");
    assert.is(belgium?.name.ja, "ベルギー");
  });

  test("the catalog has the currencies, time zones and locales of the running Node.js, with canonical names", async () => {
    assert.equal(await idsOf("currency"), Intl.supportedValuesOf("currency").toSorted());
    const zones = await idsOf("timezone");
    for (const zone of Intl.supportedValuesOf("timeZone")) assert.ok(zones.includes(zone), zone);
    assert.ok(zones.includes("UTC"));
    const yen = await catalog.knex("currency").where({ id: "JPY" }).first();
    assert.equal([yen?.symbol, yen?.decimals, yen?.name.nl], ["¥", 0, "Japanse yen"]);
    const locales = await idsOf("locale");
    for (const id of ["en", "en-US", "fr-BE", "nl-BE", "de-AT", "pt-BR", "ja", "ja-JP", "fil"])
      assert.ok(locales.includes(id), id);
    for (const id of locales) assert.equal(Intl.getCanonicalLocales(id), [id], id);
    assert.not(locales.includes("xx"));
  });

  test("everyone can see the built-in themes", async () => {
    const themes = await catalog.knex("theme").whereNull("organization_id").orderBy("id");
    assert.equal(
      themes.map(({ id }) => id),
      [
        "bliss",
        "classic",
        "classic_dark",
        "default",
        "default_dark",
        "orion",
        "pinky",
        "radiant",
        "royale",
        "seasonal",
        "urban",
        "vivid",
      ],
    );
    for (const { theme } of themes) assert.match(theme.mainColor, /^#[0-9a-f]{6}$/);
  });

  test("each version of the reference data is written once, even if several hosts start at the same time", async () => {
    const { knex } = catalog;
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    knex.on("query", listen);
    await fillReference(knex);
    knex.off("query", listen);
    assert.is(statements.length, 1);

    await knex("country")
      .where({ id: "BE" })
      .update({ name: { en: "Old" } });
    await knex("theme").where({ id: "vivid" }).delete();
    await knex("reference_version").update({ version: "of an older Node" });
    // Filling computes for a while, during which a new connection would time out.
    await Promise.all([1, 2, 3].map(() => knex.raw("select pg_sleep(0.1)")));
    await Promise.all([fillReference(knex), fillReference(knex), fillReference(knex)]);
    assert.is((await knex("country").where({ id: "BE" }).first())?.name.en, "Belgium");
    assert.is((await knex("theme").where({ id: "vivid" })).length, 1);
    assert.is((await knex("reference_version")).length, 1);
    assert.is((await idsOf("country")).length, 249);
  });

  test.deep("a record can still refer to a row that newer reference data lacks", async () => {
    const { knex } = catalog;
    await knex("country").insert({
      id: "QX",
      name: { en: "Gone" },
      created_at: new Date(),
      updated_at: new Date(),
    });
    await knex("reference_version").update({ version: "of an older Node" });
    await fillReference(knex);
    assert.ok((await idsOf("country")).includes("QX"));
  });
});
