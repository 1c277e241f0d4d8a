import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { checkProvider } from "../../../../core/identity/signOn/index.ts";
import { suite } from "../../../support/suite.ts";

const good = { issuer: "https://login.example.com/tenant", client_id: "manifold" };

suite("core/identity/signOn/provider", (test) => {
  test("the error for an invalid member of a provider's config names the member's path", () => {
    const group = randomUUID();
    const cases: readonly [object | string | null, string][] = [
      [null, "properties.config"],
      ["x", "properties.config"],
      [{ client_id: "a" }, "issuer"],
      [{ ...good, client_id: "" }, "client_id"],
      [{ ...good, client_secret: 5 }, "client_secret"],
      ...[
        "http://login.example.com",
        "https://user@login.example.com",
        "https://login.example.com?tenant=1",
        "https://login.example.com#a",
        "ftp://127.0.0.1",
        "login.example.com",
        5,
      ].map((issuer): [object, string] => [{ ...good, issuer }, "issuer"]),
      [{ ...good, secret: "a" }, "secret"],
      [{ ...good, scopes: ["email"] }, "scopes"],
      [{ ...good, scopes: "openid" }, "scopes"],
      [{ ...good, scopes: ["openid", 1] }, "scopes[1]"],
      [{ ...good, create_users: "yes" }, "create_users"],
      [{ ...good, link_by_email: 1 }, "link_by_email"],
      [{ ...good, session_hours: 0 }, "session_hours"],
      [{ ...good, session_hours: 169 }, "session_hours"],
      [{ ...good, session_hours: 1.5 }, "session_hours"],
      [{ ...good, claims: "roles" }, "claims"],
      [{ ...good, claims: { rights: "a" } }, "claims.rights"],
      [{ ...good, claims: { role: "roles" } }, "claims.role"],
      [{ ...good, claims: { role: { claim: "roles" } } }, "claims.role.values"],
      [{ ...good, claims: { role: { values: {} } } }, "claims.role.claim"],
      [{ ...good, claims: { role: { claim: "r", values: { a: "king" } } } }, "role.values.a"],
      [{ ...good, claims: { groups: { claim: "g", values: { a: "b" } } } }, "groups.values.a"],
      [{ ...good, claims: { groups: { claim: "g", group } } }, "claims.groups.group"],
      [{ ...good, claims: { suborganization: 1 } }, "claims.suborganization"],
      [{ ...good, claims: { parameters: { a: 1 } } }, "claims.parameters.a"],
      [{ ...good, claims: { parameters: { a: { claim: "c", list: 1 } } } }, "parameters.a.list"],
      [{ ...good, claims: { parameters: { a: "b", "metadata.a": "c" } } }, "parameters.a"],
    ];
    for (const [config, path] of cases)
      assert.throws(
        () => checkProvider("openid", config),
        (failure: unknown) =>
          failure instanceof ApiError && failure.status === 400 && failure.message.includes(path),
        `${JSON.stringify(config)} names ${path}`,
      );
  });

  test("a complete config, a provider on loopback and a config of another type are valid", () => {
    const groups = { claim: "https://example.com/groups", values: { sales: randomUUID() } };
    const role = { claim: "realm.roles", values: { admin: "owner", author: "editor" } };
    const parameters = { region: "region", customers: { claim: "customers", list: true } };
    checkProvider("openid", {
      ...good,
      client_secret: "s",
      scopes: ["openid", "groups"],
      create_users: false,
      link_by_email: true,
      session_hours: 8,
      claims: { role, groups, suborganization: "department", parameters },
    });
    for (const issuer of ["http://127.0.0.1:5000", "http://localhost:1/x", "http://[::1]:1"])
      checkProvider("openid", { ...good, issuer });
    checkProvider("saml", { certificate: "x" });
    checkProvider("saml", null);
    assert.ok(true);
  });
});
