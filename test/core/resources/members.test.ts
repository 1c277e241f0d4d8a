import * as assert from "uvu/assert";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { declarations, hierarchyFields } from "../../../core/resources/index.ts";
import { suite } from "../../support/suite.ts";
import { checkMemberUses, withoutComments, type Members } from "./members/checkMemberUses.ts";
import { code, kept, linked, test as tested, type MemberUses } from "./members/memberUse.ts";
import { memberUses } from "./members/memberUses.ts";

const root = join(import.meta.dirname, "../../..");

/** The members of the links between records, by the link's table. */
function linksOf(): Members[] {
  const links = [...declarations.values()].flatMap(({ associations }) =>
    Object.values(associations).flatMap((each) => (each.kind === "through" ? [each.link] : [])),
  );
  return [...new Map(links.map((link) => [link.table, link])).values()].flatMap((link) => {
    const names = [
      ...(link.flags ?? []),
      ...Object.keys(link.fields ?? {}),
      ...(link.choice ? [link.choice.member] : []),
    ];
    const fields = Object.fromEntries(names.map((name) => [name, { on: ["update"] as const }]));
    return names.length === 0 ? [] : [{ name: `link ${link.table}`, fields, associations: {} }];
  });
}

suite("core/resources/members", (test) => {
  test("each declared member has an effect, is set by the host or is kept for a stated reason", () => {
    const declared = [...declarations.values()].map(({ name, fields, inputs, associations }) => ({
      name,
      fields: { ...fields, ...inputs },
      associations,
    }));
    // The elements of a column have no declaration, so their stored members are added here.
    const values = {
      name: "hierarchy",
      associations: {},
      fields: Object.fromEntries(
        Object.keys(hierarchyFields).map((member) => [member, { on: ["update"] as const }]),
      ),
    };
    const read = (file: string) =>
      existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined;
    assert.equal(
      checkMemberUses({ declared: [...declared, values, ...linksOf()], uses: memberUses, read }),
      [],
    );
  });

  const source = `
    // size is used in a comment: box.size
    /* box.size */
    const area = box
      .size * 2; // "box.size"
    size: number({ default: 1 }),
    const address = "https://example.org"; const quoted = "a // size";
  `;
  const tests = `
  test("a larger box holds more", () => {
    assert.ok(box({ size: 2 }));
  });
  test("a box has a name", () => {
    assert.ok(box({ name: "b" }));
  });`;
  const check = (listed: MemberUses, members: Members["fields"] = { size: { on: ["update"] } }) =>
    checkMemberUses({
      declared: [
        {
          name: "box",
          fields: members,
          associations: { Lid: { kind: "one", key: "lid_id" } },
        },
      ],
      uses: { box: listed },
      read: (file) =>
        ({ "core/box.ts": source, "test/core/box.test.ts": tests, "core/a.ts": "a" })[file],
    });

  test("the check of members fails for a member that has neither a reader nor a reason", () => {
    assert.equal(check({}), ["box.size: name the place that reads it, or why it is kept"]);
    assert.equal(check({}, { size: { on: [] } }), [
      "box.size: name the place that sets it, or why it is kept",
    ]);
    assert.equal(check({ size: kept("") }), ["box.size: kept without a reason"]);
    assert.equal(check({ size: kept("for clients") }), ["box.size: kept without a reason"]);
    assert.equal(check({ size: kept("clients show it to people") }), []);
  });

  test("the check of members fails for a listed member without a declaration", () => {
    assert.equal(check({ gone: kept("clients show it to people") }, {}), [
      "box.gone is listed, but is not declared",
    ]);
    assert.equal(checkMemberUses({ declared: [], uses: { box: {} }, read: () => undefined }), [
      "box is listed, but there is no such declaration",
    ]);
  });

  test("the check of members fails for a file that does not exist or does not mention the member", () => {
    assert.equal(check({ size: code("box.ts", "box.size") }), []);
    for (const [use, problem] of [
      [code("gone.ts", "box.size"), "there is no file core/gone.ts"],
      [code("a.ts", "box.size"), "core/a.ts has no code box.size"],
      [code("box.ts", "const area"), "the excerpt const area does not mention the member"],
      [code("box.ts", "box.sizes"), "the excerpt box.sizes does not mention the member"],
      [code("box.ts", "comment: box.size"), "core/box.ts has no code comment: box.size"],
      [code("box.ts", "size: number("), "a declaration uses no member"],
      [tested("gone.test.ts", "t"), "there is no file test/core/gone.test.ts"],
      [tested("box.test.ts", "no box"), 'test/core/box.test.ts has no test "no box"'],
      [
        tested("box.test.ts", "a box has a name"),
        'the test "a box has a name" does not mention it',
      ],
      [linked, "no association has this key"],
    ] as const)
      assert.equal(check({ size: use }), [`box.size: ${problem}`]);
    assert.equal(check({ size: tested("box.test.ts", "a larger box holds more") }), []);
    assert.equal(check({ lid_id: linked }, { lid_id: { on: [] } }), []);
  });

  test("the check of members ignores comments but not strings", () => {
    const text = withoutComments(source);
    assert.not.match(text, /comment|\/\*/);
    assert.match(text, '"https://example.org"');
    assert.match(text, '"a // size"');
  });
});
