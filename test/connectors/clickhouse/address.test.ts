import * as assert from "uvu/assert";
import { addressOf } from "../../../connectors/clickhouse/address.ts";
import { suite } from "../../support/suite.ts";

const plain = { host: "db", port: 8123, tls: "disable", path: "" };
const encrypted = { host: "db", port: 8443, tls: "verify-full", path: "" };

suite("connectors/clickhouse/address", (test) => {
  test("the host of a ClickHouse account can be a name, an IP address, or an HTTP URL with port, path and database", () => {
    const read = (host: string, properties = {}) => addressOf({ host, properties });
    assert.equal(read("db"), plain);
    assert.equal(read(" db "), plain);
    assert.equal(read("::1"), { ...plain, host: "::1" });
    assert.equal(read("db", { port: "9000", scope: "shop" }), {
      ...plain,
      port: 9000,
      database: "shop",
    });
    assert.equal(read("db", { port: "8443" }), encrypted);
    assert.equal(read("db", { ssl: "require" }), { ...encrypted, tls: "require", isStated: true });
    assert.equal(read("https://db"), encrypted);
    assert.equal(read("https://db:443/shop"), { ...encrypted, port: 443, database: "shop" });
    assert.equal(read("http://[::1]:80/a/b/my%20shop"), {
      host: "::1",
      port: 80,
      tls: "disable",
      path: "/a/b",
      database: "my shop",
    });
    assert.equal(read("https://db/shop", { scope: "other", port: "1" }), {
      ...encrypted,
      port: 1,
      database: "other",
    });
    assert.equal(read("https://db", { ssl: "disable" }), {
      ...encrypted,
      tls: "disable",
      isStated: true,
    });
  });

  test("an invalid ClickHouse account is refused, and the error names the invalid member", () => {
    const refused = (host: string, properties = {}) => {
      try {
        return JSON.stringify(addressOf({ host, properties }));
      } catch (failure) {
        return String(failure);
      }
    };
    assert.match(refused(""), /host is empty/);
    assert.match(refused("a b"), /host must be a name/);
    assert.match(refused("a@b"), /host must be a name/);
    assert.match(refused("ftp://db"), /host must begin with http/);
    assert.match(refused("https://me:secret@db"), /host must not contain a user or password/);
    assert.not.match(refused("https://me:secret@db"), /secret/);
    assert.match(refused("db", { port: "0" }), /port must be a whole number/);
    assert.match(refused("db", { port: "65536" }), /port must be a whole number/);
    assert.match(refused("db", { port: "8123a" }), /port must be a whole number/);
    assert.match(
      refused("db", { ssl: "prefer" }),
      /ssl must be one of disable, require, verify-ca, verify-full/,
    );
  });
});
