import * as assert from "uvu/assert";
import { claimAt, readClaims } from "../../../../core/identity/signOn/claims.ts";
import { parseProvider } from "../../../../core/identity/signOn/provider.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const [sales, support] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
];
const provider = parseProvider({
  issuer: "https://login.example.com",
  client_id: "manifold",
  claims: {
    role: { claim: "realm.roles", values: { admin: "owner", author: "editor", reader: "member" } },
    groups: { claim: "https://example.com/groups", values: { s: sales, p: support } },
    parameters: { region: "region", customers: { claim: "customers", list: true } },
  },
});

suite("core/identity/signOn/claims", (test) => {
  test("a claim is found by its full name first, and otherwise by its dotted path", () => {
    const claims = { "a.b": 1, a: { b: 2, c: { d: null } }, "https://x.y/z": 3 };
    assert.equal(
      ["a.b", "a.c.d", "https://x.y/z", "a.c", "a.b.c", "toString", "a.constructor"].map((path) =>
        claimAt(claims, path),
      ),
      [1, undefined, 3, { d: null }, undefined, undefined, undefined],
    );
  });

  test("the highest role in the claims applies, and missing claims grant nothing", () => {
    const roleOf = (roles: unknown) => readClaims({ sub: "1", realm: { roles } }, provider).role;
    assert.is(roleOf(["reader", "admin", "author"]), "owner");
    assert.is(roleOf(["author", "reader"]), "editor");
    assert.is(roleOf("author"), "editor");
    for (const nothing of [
      undefined,
      null,
      [],
      "Admin",
      ["ADMIN"],
      5,
      { admin: true },
      [["admin"]],
    ])
      assert.is(roleOf(nothing), "member", JSON.stringify(nothing));
    const none = readClaims({ sub: "1" }, provider);
    assert.equal([...none.groups!], []);
    assert.equal(
      [...none.parameters],
      [
        ["region", []],
        ["customers", []],
      ],
    );
  });

  test("random claims map to the same groups and values as in a naive evaluation", () =>
    withSeed(createRandom(), async () => {
      const random = createRandom();
      for (let round = 0; round < 200; round++) {
        const names = ["s", "p", "q", 7].filter(() => random.chance(0.5));
        const customers = random.chance(0.3) ? "one" : ["one", 2].filter(() => random.chance(0.5));
        const claims = { sub: "1", "https://example.com/groups": names, customers, region: "eu" };
        const person = readClaims(claims, provider);
        const wanted = [
          ...(names.includes("s") ? [sales] : []),
          ...(names.includes("p") ? [support] : []),
        ];
        assert.equal([...person.groups!].toSorted(), wanted.toSorted());
        assert.equal(person.parameters.get("customers"), [customers].flat());
        assert.is(person.parameters.get("region"), "eu");
      }
    }));

  test("claims are refused if one has the wrong type or names an unknown suborganization", () => {
    const isRefused = (claims: object, config = provider) => {
      try {
        readClaims({ sub: "1", ...claims }, config);
        return false;
      } catch (failure) {
        return failure instanceof ApiError && failure.code === "SIGN_ON_REFUSED";
      }
    };
    for (const region of [true, {}, [{}], [null], [["a"]]])
      assert.ok(isRefused({ region }), JSON.stringify(region));
    const own = { ...provider, suborganization: "department" };
    for (const department of [undefined, null, "", 5, ["a"]])
      assert.ok(isRefused({ department }, own), JSON.stringify(department));
    assert.is(readClaims({ sub: "1", department: "north" }, own).suborganization, "north");
  });
});
