import type { Row } from "../../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { createRandom } from "../../../../support/random.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { openTenants, type Tenants, child, children } from "../../openTenants.ts";

type Json = Record<string, unknown>;

const words = ["Ada", "ada", "bÉta", "50%", "a_b", "it's", 'x"y', "\\", "", "漢字"];
const instants = [
  "2026-01-01T00:00:00.000Z",
  "2026-06-15T12:30:00.000Z",
  "2027-01-01T00:00:00.000Z",
];

/** Evaluates a `where` naively over rows in memory. */
function matches(row: Json, where: unknown): boolean {
  if (Array.isArray(where)) return where.every((each) => matches(row, each));
  return Object.entries(where as Json).every(([member, value]) => {
    if (/^\$?and$/.test(member)) return (value as unknown[]).every((each) => matches(row, each));
    if (/^\$?or$/.test(member)) return (value as unknown[]).some((each) => matches(row, each));
    if (/^\$?not$/.test(member)) return !matches(row, value);
    return passes(row, member, value);
  });
}

function passes(row: Json, member: string, test: unknown): boolean {
  if (Array.isArray(test)) return passes(row, member, { in: test });
  if (typeof test !== "object" || test === null) return passes(row, member, { eq: test });
  return Object.entries(test).every(([operator, operand]) => {
    const name = operator.replace("$", "").replace(" ", "").toLowerCase();
    if (name === "not") return !passes(row, member, operand);
    const negated: Record<string, string> = { ne: "eq", notin: "in", notlike: "like" };
    if (negated[name]) return !passes(row, member, { [negated[name]]: operand });
    return valuesOf(row, member, operand).some((value) => compare(name, value, operand));
  });
}

/** Returns the values to test: all languages of a multilingual string, or null if there are none. */
function valuesOf(row: Json, member: string, operand: unknown = undefined): unknown[] {
  const [name = "", key, ...deeper] = member.split(".");
  const value = row[name] ?? null;
  if (name === "custom_metadata" && key !== undefined) {
    const found = [key, ...deeper].reduce<unknown>(
      (each, step) => (typeof each === "object" ? (each as Json | null)?.[step] : undefined),
      value,
    );
    if (found === undefined || found === null) return [null];
    const listed = (Array.isArray(operand) ? operand : [operand]).filter((each) => each !== null);
    const isNumeric = listed.length > 0 && listed.every((each) => typeof each === "number");
    // In comparisons with numbers, a value that is not a number differs from every number.
    if (isNumeric) return [typeof found === "number" ? found : Number.NaN];
    return [String(found)];
  }
  if (key !== undefined) return [(value as Json | null)?.[key] ?? null];
  if (value !== null && typeof value === "object" && !(value instanceof Date))
    return Object.values(value);
  return [value];
}

function compare(name: string, value: unknown, operand: unknown): boolean {
  if (name === "in") return (operand as unknown[]).some((each) => compare("eq", value, each));
  if (operand === null) return name === "eq" && value === null;
  if (value === null) return false;
  if (name === "between") {
    const [low, high] = operand as [unknown, unknown];
    return compare("gte", value, low) && compare("lte", value, high);
  }
  if (name === "like" || name === "ilike") {
    const pattern = String(operand)
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll("%", "[^]*")
      .replaceAll("_", "[^]");
    return new RegExp(`^${pattern}$`, name === "ilike" ? "iu" : "u").test(String(value));
  }
  const [a, b] =
    value instanceof Date ? [value.getTime(), Date.parse(String(operand))] : [value, operand];
  if (name === "eq") return a === b;
  const order =
    typeof a === "number"
      ? a - Number(b)
      : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[name] ?? false;
}

suite("core/resources/kernel/find/find", (test) => {
  let tenants: Tenants;
  let rows: Row[];
  const seed = Number(process.env["SEED"] ?? 20_261_121);
  const random = createRandom(seed);

  test.before(async () => {
    tenants = await openTenants();
    const { records, ada, eve } = tenants;
    const { below, pick } = random;
    const maybe = <T>(value: T) => (below(4) === 0 ? null : value);
    const row = () => ({
      type: pick(["dataset", "dashboard"] as const),
      name: maybe({ en: pick(words), ...(below(2) === 0 ? { fr: pick(words) } : {}) }),
      description: maybe({ en: pick(words) }),
      subtype: maybe(pick(words)),
      rows: maybe(below(6) - 2),
      featured: below(2) === 0,
      custom_metadata: maybe({
        level: pick<unknown>([0, 1, 2, 10, -1.5, "2", "x", true, null]),
        deep: pick<unknown>([{ a: pick(words) }, {}, "flat"]),
      }),
      modified_at: pick(instants),
    });
    rows = await records.insertMany(
      "securable",
      Array.from({ length: 60 }, () => ({ ...row(), owner_id: ada.userId })),
    );
    await records.insertMany(
      "securable",
      Array.from({ length: 20 }, () => ({ ...row(), owner_id: eve.userId })),
    );
  });
  test.after(() => tenants.close());

  const textTest = () => {
    const { pick, below } = random;
    const word = () => pick(words);
    return pick<() => unknown>([
      word,
      () => null,
      () => [word(), word(), ...(below(2) ? [null] : [])],
      () => ({ [pick(["in", "$in", "notIn", "not in", "$notIn"])]: [word(), word()] }),
      () => ({ [pick(["gt", "gte", "lt", "lte", "ne", "$ne", "$gt"])]: word() }),
      () => ({
        [pick(["like", "notLike", "$like"])]: pick([
          "%a%",
          "a_b",
          "%",
          "_%",
          "50%",
          "%\\%",
          word(),
        ]),
      }),
      () => ({ between: ["A", "b"] }),
      () => ({ not: pick([null, word(), [word()]]) }),
      () => ({ in: [] }),
    ])();
  };
  const numberTest = () => {
    const { pick, below } = random;
    return pick<() => unknown>([
      () => below(5) - 2,
      () => null,
      () => [0, 1, null],
      () => ({ gt: -1, lte: 2 }),
      () => ({ between: [-1, 1] }),
      () => ({ not: { in: [1, 2] } }),
      () => ({ ne: 0 }),
    ])();
  };
  const where = (depth: number): Json => {
    const { pick, below } = random;
    const some = () =>
      Array.from({ length: below(3) + (depth > 2 ? 1 : 0) }, () => where(depth - 1));
    if (depth > 0 && below(2) === 0)
      return pick<() => Json>([
        () => ({ or: some() }),
        () => ({ $and: some() }),
        () => ({ not: where(depth - 1) }),
      ])();
    return pick<() => Json>([
      () => ({
        [pick(["name", "name.en", "name.fr", "description", "description.xx", "subtype"])]:
          textTest(),
      }),
      () => ({ rows: numberTest() }),
      () => ({ "custom_metadata.level": below(2) ? numberTest() : textTest() }),
      () => ({ "custom_metadata.deep.a": textTest() }),
      () => ({ featured: pick([true, false, { not: true }]) }),
      () => ({
        modified_at: pick([
          pick(instants),
          { gt: pick(instants) },
          { lt: pick(instants) },
          { in: instants.slice(1) },
        ]),
      }),
      () => ({
        id: pick([
          String(rows[0]?.id),
          [String(rows[1]?.id), "odd"],
          "odd",
          { ne: String(rows[2]?.id) },
        ]),
      }),
      () => ({ type: "dataset", rows: numberTest() }),
    ])();
  };

  test("a `find` with random conditions returns the same rows as a naive evaluation", async () => {
    for (let round = 0; round < rounds({ quick: 20, deep: 400 }); round++) {
      const condition = where(3);
      const found = await tenants.rows(tenants.ada, "securable", {
        where: condition,
        attributes: ["id"],
      });
      const expected = rows.filter((row) => matches(row, condition)).map(({ id }) => id);
      assert.equal(
        found.map(({ id }) => id).sort(),
        expected.sort(),
        `SEED=${seed} round ${round}: ${JSON.stringify(condition)}`,
      );
    }
  });

  test("a `find` with a search phrase matches any language and letter case, and ignores wildcards", async () => {
    const contains = (value: unknown, phrase: string) =>
      valuesOf({ value }, "value").some(
        (each) => each !== null && String(each).toLowerCase().includes(phrase.toLowerCase()),
      );
    for (const keyphrase of [...words, "ADA", "BÉTA", "%", "_", "zzz", "0%", "\\"])
      for (const match_types of [["name"], ["name", "description"], ["subtype"], undefined]) {
        const find = {
          search: {
            keyphrase,
            ...(match_types ? { match_types } : {}),
            securable_types: "dataset",
          },
        };
        const members = match_types ?? ["name", "description", "subtitle"];
        const expected = rows.filter(
          (row) =>
            row["type"] === "dataset" && members.some((member) => contains(row[member], keyphrase)),
        );
        const found = await tenants.rows(tenants.ada, "securable", find);
        assert.equal(
          found.map(({ id }) => id).sort(),
          expected.map(({ id }) => id).sort(),
          JSON.stringify(find),
        );
      }
  });

  test("a `find` puts nulls last in both directions, and its pages have no gaps", async () => {
    const { ada, call } = tenants;
    for (const order of [
      [["rows", "asc"]],
      [
        ["rows", "DESC"],
        ["name.en", "asc"],
      ],
      ["rows", "desc"],
      ["rows"],
      [["rows"]],
    ]) {
      const pages = [];
      for (let offset = 0; offset < 60; offset += 25) {
        const page = await call(ada, "securable", "get", {
          find: { order, limit: 25, offset, attributes: ["rows"] },
        });
        assert.is(page["count"], 60);
        pages.push(...(page["rows"] as Json[]));
      }
      assert.is(new Set(pages.map(({ id }) => id)).size, 60);
      const values = pages.map((page) => page["rows"] as number | null);
      const isDescending = /desc/i.test(JSON.stringify(order));
      const sorted = values.toSorted((a, b) =>
        a === null ? 1 : b === null ? -1 : isDescending ? b - a : a - b,
      );
      assert.equal(values, sorted, JSON.stringify(order));
    }
    const beyond = await call(ada, "securable", "get", { find: { limit: 5, offset: 1_000 } });
    assert.equal([beyond["count"], beyond["rows"]], [60, []]);
    const largest = await call(ada, "securable", "get", { find: { limit: 10_000 } });
    assert.is((largest["rows"] as Json[]).length, 60);
    assert.equal((await call(ada, "securable", "get", { find: { limit: 0 } }))["rows"], []);
  });

  test("a `find` always returns ids, but returns contents only if the caller names them or finds by id", async () => {
    const { ada, call, rows: get } = tenants;
    const { id } = await call(ada, "securable", "create", { properties: { type: "dashboard" } });
    assert.equal(await get(ada, "securable", { where: { id }, attributes: ["type"] }), [
      { id, type: "dashboard" },
    ]);
    const contentsOf = async (find: Json) => (await get(ada, "securable", find))[0]?.["contents"];
    assert.is(await contentsOf({ where: { type: "dashboard" } }), null);
    assert.ok(await contentsOf({ where: { id } }));
    assert.ok(await contentsOf({ where: { id: [id] }, attributes: ["contents"] }));
    await call(ada, "securable", "delete", { id });
  });

  test("the error for an unknown member, operator or model contains the unknown name and the known names", async () => {
    const { ada, refusal } = tenants;
    const finds: [Json | string | number | Json[], string, RegExp][] = [
      ["text", "MEMBER_INVALID", /^find /],
      [[{}], "MEMBER_INVALID", /^find /],
      [{ fnid: 1 }, "MEMBER_UNKNOWN", /find\.fnid .*where, search/],
      [{ where: "x" }, "MEMBER_INVALID", /find\.where /],
      [{ where: { nope: 1 } }, "MEMBER_UNKNOWN", /find\.where\.nope .*name/],
      [{ where: { "type.en": 1 } }, "MEMBER_UNKNOWN", /find\.where\.type\.en/],
      [{ where: { rows: { regexp: 1 } } }, "MEMBER_UNKNOWN", /find\.where\.rows\.regexp .*gte/],
      [{ where: { rows: {} } }, "MEMBER_INVALID", /operator/],
      [{ where: { rows: "1" } }, "MEMBER_INVALID", /must be a number, not a /],
      [{ where: { rows: { like: "1" } } }, "MEMBER_INVALID", /only be used with strings/],
      [{ where: { featured: 1 } }, "MEMBER_INVALID", /true or false/],
      [{ where: { modified_at: "soon" } }, "MEMBER_INVALID", /instant/],
      [{ where: { subtype: { in: "x" } } }, "MEMBER_INVALID", /must be a list/],
      [{ where: { rows: { between: [1] } } }, "MEMBER_INVALID", /two values/],
      [{ where: { subtype: "a\u0000b" } }, "MEMBER_INVALID", /NUL/],
      [{ where: { subtype: "\ud800" } }, "MEMBER_INVALID", /surrogate/],
      [{ where: { "name.a\u0000b": "x" } }, "MEMBER_INVALID", /NUL/],
      [{ where: { subtype: { like: "%".repeat(1_001) } } }, "MEMBER_INVALID", /1000 characters/],
      [
        { where: { rows: { in: Array.from({ length: 10_001 }, () => 1) } } },
        "MEMBER_INVALID",
        /10000 entries/,
      ],
      [{ where: { or: 1 } }, "MEMBER_INVALID", /list of objects/],
      [{ attributes: "name" }, "MEMBER_INVALID", /find\.attributes/],
      [{ order: [["nope", "asc"]] }, "MEMBER_UNKNOWN", /nope/],
      [{ order: [["name", "down"]] }, "MEMBER_INVALID", /asc or desc/],
      [{ order: [["name", "asc; drop table canary"]] }, "MEMBER_INVALID", /asc or desc/],
      [{ order: "name" }, "MEMBER_INVALID", /find\.order/],
      [{ order: [{ name: 1 }] }, "MEMBER_INVALID", /member, direction/],
      [{ limit: -1 }, "MEMBER_INVALID", /find\.limit/],
      [{ limit: 1.5 }, "MEMBER_INVALID", /find\.limit/],
      [{ limit: 10_001 }, "MEMBER_INVALID", /find\.limit .*at most 10000/],
      [{ where: { "custom_metadata.level": { gt: {} } } }, "MEMBER_INVALID", /must be a string/],
      [{ offset: "1" }, "MEMBER_INVALID", /find\.offset/],
      [{ search: { keyphrase: 1 } }, "MEMBER_INVALID", /keyphrase/],
      [{ search: { keyphrase: "x", match_types: ["rows"] } }, "MEMBER_UNKNOWN", /rows/],
      [{ search: { phrase: "x" } }, "MEMBER_UNKNOWN", /keyphrase/],
      [{ include: {} }, "MEMBER_INVALID", /find\.include/],
      [{ include: [{ model: "Nope" }] }, "MEMBER_UNKNOWN", /Nope .*column as Columns/],
      [{ include: [{ model: "User", as: "Nope" }] }, "MEMBER_UNKNOWN", /Nope .*user as Owner/],
      [{ include: [{ model: "User", limit: 1 }] }, "MEMBER_UNKNOWN", /find\.include\[0\]\.limit/],
      [{ include: [{ as: "User" }] }, "MEMBER_INVALID", /model/],
      [{ include: [{ model: "User", jointype: "outer" }] }, "MEMBER_INVALID", /inner or left/],
      [
        { include: [{ model: "User", where: { nope: 1 } }] },
        "MEMBER_UNKNOWN",
        /find\.include\[0\]\.where\.nope/,
      ],
    ];
    for (const [find, code, words] of finds) {
      const refused = await refusal(ada, "securable", "get", { find });
      assert.equal([refused.code, refused.status], [code, 400], JSON.stringify(find).slice(0, 200));
      assert.match(refused.message, words);
    }
    const many = { or: Array.from({ length: 2_001 }, (_, rows) => ({ rows })) };
    assert.match(
      (await refusal(ada, "securable", "get", { find: { where: many } })).message,
      /limit of \d+ conditions/,
    );
    const empty = [
      { or: Array.from({ length: 2_001 }, () => ({})) },
      Array.from({ length: 2_001 }, () => []),
    ];
    for (const where of empty)
      assert.match(
        (await refusal(ada, "securable", "get", { find: { where } })).message,
        /limit of \d+ conditions/,
      );
    const names = { attributes: Array.from({ length: 1_001 }, () => "id") };
    assert.match(
      (await refusal(ada, "securable", "get", { find: names })).message,
      /attributes .*at most 1000/,
    );
    const wide = Array.from({ length: 51 }, () => ({ model: "User" }));
    assert.match(
      (await refusal(ada, "securable", "get", { find: { include: wide } })).message,
      /limit of \d+ includes/,
    );
    let deep: Json = { model: "Column" };
    for (let level = 0; level < 5; level++)
      deep = { model: level % 2 ? "Column" : "Securable", include: [deep] };
    const tooDeep = await refusal(ada, "securable", "get", {
      find: { include: [{ model: "Column", include: [deep] }] },
    });
    assert.match(tooDeep.message, /deeper than 5 levels/);
  });

  test("an include can name an association without its resource", async () => {
    const { ada, call } = tenants;
    for (const [name, resource] of [
      ["Datasets", "Securable"],
      ["Owner", "User"],
      ["Users", "User"],
    ]) {
      const find = (include: object) =>
        call(ada, "securable", "get", { find: { include: [include] } });
      const named = await find({ model: name });
      assert.equal(named, await find({ model: resource, as: name }));
      assert.match(JSON.stringify(named), `"${String(name).toLowerCase()}":`);
    }
  });

  test("each include runs one SQL statement, whatever the number of rows", async () => {
    const { ada, records, catalog, rows: get } = tenants;
    await records.insertMany(
      "column",
      rows.flatMap(({ id }) => [0, 1].map((order) => ({ order, securable_id: id }))),
    );
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    catalog.knex.on("query", listen);
    const include = [
      { model: "Column", include: [{ model: "Securable" }] },
      { model: "User", as: "Owner" },
    ];
    const found = await get(ada, "securable", { include });
    catalog.knex.off("query", listen);
    assert.is(found.length, 60);
    assert.is(statements.length, 4);
    for (const each of found) {
      const columns = each["columns"] as Json[];
      assert.is(columns.length, 2);
      for (const column of columns) assert.is((column["securable"] as Json)["id"], each.id);
      assert.is((each["owner"] as Json)["id"], ada.userId);
    }
  });

  test.deep(
    "a `find` returns up to 10,000 records by default, but its count includes all records",
    async () => {
      const { eve, records, call } = tenants;
      const values = Array.from({ length: 10_001 }, (_, order) => ({ order, user_id: eve.userId }));
      const made = await records.insertMany("column", values);
      const all = await call(eve, "column", "get", { find: { attributes: ["order"] } });
      assert.equal([all["count"], (all["rows"] as Json[]).length], [10_001, 10_000]);
      const rest = await call(eve, "column", "get", { find: { offset: 10_000 } });
      assert.equal([rest["count"], (rest["rows"] as Json[]).length], [10_001, 1]);
      await records.remove(
        "column",
        made.map(({ id }) => id),
      );
    },
  );

  test("inner and left includes match a naive evaluation, in pages and within one organization", async () => {
    const { ada, eve, records, catalog, call } = tenants;
    const { below, pick } = random;
    const tags = await records.insertMany(
      "tag",
      Array.from({ length: 9 }, (_, index) => ({
        tag: pick(words),
        organization_id: (index < 6 ? ada : eve).organizationId,
      })),
    );
    const links = rows.flatMap(({ id }) =>
      tags.filter(() => below(5) === 0).map((tag) => ({ securable_id: id, tag_id: tag.id })),
    );
    await catalog.knex("securable_tag").insert(links);
    const visible = tags.slice(0, 6);
    for (let round = 0; round < rounds({ quick: 8, deep: 60 }); round++) {
      const condition = where(1);
      const tagTest = pick<Json | undefined>([
        undefined,
        { tag: textTest() },
        { not: { tag: textTest() } },
      ]);
      const isInner = below(2) === 0;
      const limit = pick([undefined, 1 + below(10)]);
      const include = {
        model: "Tag",
        order: [["tag", pick(["asc", "desc"])]],
        ...(tagTest && { where: tagTest }),
        ...(isInner && { jointype: "inner" }),
      };
      const find = {
        where: condition,
        include: [include],
        order: [["rows", "asc"]],
        offset: below(3),
        ...(limit && { limit }),
      };
      const tagsOf = (id: string) =>
        visible.filter(
          (tag) =>
            links.some((link) => link.securable_id === id && link.tag_id === tag.id) &&
            (tagTest === undefined || matches(tag, tagTest)),
        );
      const expected = rows.filter(
        (row) => matches(row, condition) && (!isInner || tagsOf(row.id).length > 0),
      );
      const found = await call(ada, "securable", "get", { find });
      const context = `SEED=${seed} round ${round}: ${JSON.stringify(find)}`;
      assert.is(found["count"], expected.length, context);
      const page = found["rows"] as Json[];
      assert.is(
        page.length,
        Math.max(0, Math.min(expected.length - find.offset, limit ?? Infinity)),
        context,
      );
      for (const row of page) {
        assert.ok(
          expected.some(({ id }) => id === row["id"]),
          context,
        );
        const shown = children(row, "tags");
        assert.equal(
          shown.map(({ id }) => String(id)).toSorted(),
          tagsOf(String(row["id"]))
            .map(({ id }) => id)
            .toSorted(),
          context,
        );
      }
    }
    await records.remove(
      "tag",
      tags.map(({ id }) => id),
    );
  });

  test("includes nest five levels deep, run one SQL statement each and omit records that the caller may not see", async () => {
    const { ada, bob, call, make, catalog, rows: get } = tenants;
    const dataset = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    const [group, column, other, level] = [
      await make(ada, "group"),
      await make(ada, "column"),
      await make(ada, "column"),
      await make(ada, "hierarchylevel"),
    ];
    const associate = (resource: string, id: string, role: string, target: string, more = {}) =>
      call(ada, resource, "associate", { id, resource: { role, id: target }, ...more });
    await associate("group", group, "Users", bob.userId);
    await associate("column", column, "Securable", dataset.id);
    await associate("column", column, "Joins", other, { properties: { type: "lookup" } });
    await associate("hierarchylevel", level, "Column", column);
    await associate("securable", dataset.id, "Groups", group, { properties: { flagUse: true } });
    const find = {
      where: { id: group },
      include: [
        {
          model: "Securable",
          attributes: ["type"],
          where: { type: "dataset" },
          include: [
            {
              model: "Column",
              order: [["order", "asc"]],
              separate: true,
              include: [
                { model: "Column", as: "Joins", include: [{ model: "Currency" }] },
                {
                  model: "HierarchyLevel",
                  include: [{ model: "Column", include: [{ model: "Securable" }] }],
                },
              ],
            },
          ],
        },
      ],
    };
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    catalog.knex.on("query", listen);
    const [seen] = await get(ada, "group", find);
    catalog.knex.off("query", listen);
    // The joined column has no currency to look up.
    assert.is(statements.length, 7);
    const securables = (row: Json | undefined) => (row?.["securables"] ?? []) as Json[];
    const columnsOf = (row: Json | undefined) =>
      securables(row).flatMap((each) => each["columns"] as Json[]);
    const [own] = columnsOf(seen);
    assert.equal(child(securables(seen)[0], "securableGroup")["flagUse"], true);
    const [joined] = children(own, "joins");
    assert.equal([joined?.["id"], child(joined, "join")["type"]], [other, "lookup"]);
    const [nested] = children(own, "hierarchyLevels");
    const back = child(nested, "column")["securable"] as Json;
    assert.is(back["id"], dataset.id);
    const [byBob] = await get(bob, "group", find);
    const [shared] = columnsOf(byBob);
    assert.equal([shared?.["id"], shared?.["joins"]], [column, []]);
  });

  test("a `find` runs at most three SQL statements for includes at a time, and keeps the order of the request", async () => {
    const { ada, call, make, catalog, rows: get } = tenants;
    const dataset = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    for (const role of ["Columns", "Tags", "Schedules"]) {
      const resource = role.toLowerCase().slice(0, -1);
      const made = { role, id: await make(ada, resource) };
      await call(ada, "securable", "associate", { id: dataset.id, resource: made });
    }
    const models = ["Tag", "User", "Group", "Column", "Schedule", "Collection", "Formula"];
    const find = { where: { id: dataset.id }, include: models };
    let [running, most] = [0, 0];
    const begin = () => (most = Math.max(most, ++running));
    const end = () => (running -= 1);
    await get(ada, "securable", find);
    catalog.knex.on("query", begin).on("query-response", end);
    const [row = {}] = await get(ada, "securable", find);
    catalog.knex.off("query", begin).off("query-response", end);
    assert.ok(most > 1 && most <= 3, `${most} at a time`);
    assert.is(running, 0);
    const members = ["tags", "users", "groups", "columns", "schedules", "collections", "formulas"];
    assert.equal(Object.keys(row).slice(-members.length), members);
    assert.equal(
      members.map((member) => children(row, member).length),
      [1, 1, 0, 1, 1, 0, 0],
    );
  });

  test("a `find` returns a link's members as they were sent, with instants in ISO 8601", async () => {
    const { ada, call, make, catalog } = tenants;
    const [integration, left, right] = [
      await make(ada, "integration"),
      await make(ada, "column"),
      await make(ada, "column"),
    ];
    const dashboard = await call(ada, "securable", "create", { properties: { type: "dashboard" } });
    const slug = "2026-01-01T1-report";
    await call(ada, "integration", "associate", {
      id: integration,
      resource: { role: "Securables", id: dashboard.id },
      properties: { flagRead: true, slug },
    });
    await call(ada, "column", "associate", { id: left, resource: { role: "Joins", id: right } });
    const at = "2026-02-03T04:05:06.789Z";
    await catalog.knex("column_joins").where({ column_id: left }).update({ created_at: at });
    const [embedded] = await tenants.rows(ada, "securable", {
      where: { id: dashboard.id },
      include: ["Integration"],
    });
    const [held] = children(embedded, "integrations");
    assert.equal(child(held, "securableIntegration")["slug"], slug);
    const [joining] = await tenants.rows(ada, "column", {
      where: { id: left },
      include: [{ model: "Column", as: "Joins" }],
    });
    const [joined] = children(joining, "joins");
    const link = child(joined, "join");
    assert.equal([link["column_id"], link["type"], link["created_at"]], [left, "exact", at]);
  });

  test("an include can filter and sort its children, and an inner include omits records without children", async () => {
    const { ada, call } = tenants;
    const [first] = rows;
    await tenants.records.insert("column", {
      order: 7,
      securable_id: first?.id,
      name: { en: "Only" },
    });
    const child = {
      model: "Column",
      attributes: ["order"],
      where: { order: { gte: 1 } },
      order: [["order", "desc"]],
      separate: true,
    };
    const left = await call(ada, "securable", "get", {
      find: { where: { id: first?.id }, attributes: ["id"], include: [child] },
    });
    const [record] = left["rows"] as Json[];
    assert.equal(
      children(record, "columns").map(({ order }) => order),
      [7, 1],
    );
    const inner = { ...child, where: { "name.en": "Only" }, jointype: "inner" };
    const joined = await call(ada, "securable", "get", { find: { include: [inner], limit: 10 } });
    assert.is(joined["count"], 1);
    const owner = { model: "Securable", jointype: "inner", include: [inner] };
    assert.is((await call(ada, "account", "get", { find: { include: [owner] } }))["count"], 0);
  });

  test("injected SQL in any name or value of a `find` changes nothing and finds nothing", async () => {
    const { ada, call, catalog } = tenants;
    const { knex } = catalog;
    await knex.raw("create table canary (id int); insert into canary values (1)");
    const before = await knex("securable").count({ count: "*" });
    const corpus = [
      "'; drop table canary; --",
      '"; drop table canary; --',
      'id" = "id" or "1" = "1',
      "1) or (1=1",
      "name.en' or '1'='1",
      "name.'; drop table canary; --",
      "name->>'en'",
      "?",
      "??",
      ":id",
      "$1",
      "\\?",
      "name.?",
      "name.??",
      "name.:x",
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty",
      "name.__proto__",
      "id::text",
      "t0.id",
      "pg_sleep(10)",
      "(select token from account)",
    ];
    const tried = async (find: unknown) => {
      const answer = await call(ada, "securable", "get", { find }).catch(
        (failure: { code?: string; status?: number }) => failure,
      );
      const { status } = answer as { status?: number };
      if (status !== undefined) assert.is(status, 400, JSON.stringify(find));
      else assert.ok((answer as Json)["rows"], `${JSON.stringify(find)} ${String(answer)}`);
      return answer as Json;
    };
    for (const text of corpus) {
      for (const find of [
        { where: JSON.parse(`{${JSON.stringify(text)}: "x"}`) },
        { where: JSON.parse(`{"rows": {${JSON.stringify(text)}: "x"}}`) },
        { attributes: [text] },
        { order: [[text, "asc"]] },
        { order: [["name", text]] },
        { search: { keyphrase: "x", match_types: [text] } },
        { include: [{ model: text }] },
        { include: [{ model: "User", as: text }] },
      ])
        await tried(find);
      for (const where of [
        { subtype: text },
        { subtype: { like: text } },
        { id: text },
        { "name.en": { in: [text] } },
        { subtype: { gt: text, lt: text } },
      ])
        assert.equal((await tried({ where }))["rows"], [], JSON.stringify(where));
      assert.equal(
        (await tried({ search: { keyphrase: text, match_types: ["subtype"] } }))["count"],
        0,
      );
    }
    assert.equal(await knex("canary").select("*"), [{ id: 1 }]);
    assert.equal(await knex("securable").count({ count: "*" }), before);
  });
});
