import * as assert from "uvu/assert";
import { readSettings } from "../../../connectors/postgres/settings.ts";
import { PluginError, type Credentials } from "../../../plugins/protocol/index.ts";
import { createCertificate } from "../../support/certificate.ts";
import { suite } from "../../support/suite.ts";

const read = (credentials: Partial<Credentials>) =>
  readSettings({ key: "reader", token: "secret", properties: {}, ...credentials });
const ca = createCertificate({ name: "db.example.org" }).certificate;
const plain = {
  host: "db.example.org",
  port: 5432,
  database: "reader",
  user: "reader",
  password: "secret",
};

suite("connectors/postgres/settings", (test) => {
  test("the host of a PostgreSQL account can be a name, an address with a port, or a URL with a database", () => {
    assert.equal(read({ host: "db.example.org" }), plain);
    assert.equal(read({ host: "db.example.org:6543" }), { ...plain, port: 6543 });
    assert.equal(read({ host: "https://db.example.org:6543/sales" }), {
      ...plain,
      port: 6543,
      database: "sales",
    });
    assert.equal(read({ host: "postgres://ada@h/a%20b", key: "", token: "" }), {
      ...plain,
      host: "h",
      database: "a b",
      user: "ada",
      password: "",
    });
    assert.equal(read({ host: "[::1]:6543" }).host, "::1");
    assert.equal(read({ host: "postgresql://[::1]:6543/x" }).host, "::1");
  });

  test("an account's port and scope take precedence over the port and database in its host", () => {
    const properties = { port: "7000", scope: "other", ssl: "verify-full", schema: "s", ca };
    assert.equal(read({ host: "https://db.example.org:6543/sales", properties }), {
      ...plain,
      port: 7000,
      database: "other",
      tls: "verify-full",
      schema: "s",
      ca,
    });
  });

  for (const [what, credentials, member] of [
    ["no host", {}, /host is required/],
    ["no user", { host: "h", key: "" }, /identifier is required/],
    ["an invalid port", { host: "h", properties: { port: "5432x" } }, /port must be/],
    ["a port out of range", { host: "h", properties: { port: "70000" } }, /port must be/],
    ["an unknown TLS mode", { host: "h", properties: { ssl: "on" } }, /properties\.ssl must be/],
    [
      "another protocol",
      { host: "mysql://h/x" },
      /host must begin with https:.* or postgres:.*, not mysql/,
    ],
    ["an invalid address", { host: "https://" }, /host must be a server name or a URL/],
    ["U+0000", { host: "h\0" }, /U\+0000/],
    [
      "a password in the address",
      { host: "postgres://ada:secret@h/x" },
      /host must not contain a password/,
    ],
    [
      "a ca that is not a certificate",
      { host: "h", properties: { ca: "PEM" } },
      /properties\.ca must be/,
    ],
    [
      "a truncated certificate as ca",
      { host: "h", properties: { ca: ca.replace(/\n[^-\n]+\n-----END/, "\n-----END") } },
      /properties\.ca must be/,
    ],
  ] as const)
    test(`an account with ${what} is refused, and the error names the member but no password`, () => {
      try {
        read(credentials);
      } catch (failure) {
        assert.ok(failure instanceof PluginError);
        assert.is(failure.code, "PLUGIN_INVALID");
        assert.match(failure.message, member);
        assert.not.match(failure.message, "secret");
        return;
      }
      assert.unreachable("it was read");
    });
});
