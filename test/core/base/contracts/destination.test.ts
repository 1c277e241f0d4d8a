import * as assert from "uvu/assert";
import {
  destinationOf,
  mayBeAddress,
  movedMembers,
  type Source,
} from "../../../../core/base/contracts/index.ts";
import { properties as clickhouse } from "../../../../connectors/clickhouse/properties.ts";
import { properties as duckdb } from "../../../../connectors/duckdb/properties.ts";
import { properties as files } from "../../../../connectors/files/properties.ts";
import { properties as mysql } from "../../../../connectors/mysql/settings.ts";
import { properties as postgres } from "../../../../connectors/postgres/settings.ts";
import { properties as rest } from "../../../../connectors/rest/properties.ts";
import { properties as sqlite } from "../../../../connectors/sqlite/properties.ts";
import { suite } from "../../../support/suite.ts";

const connectors = { clickhouse, duckdb, files, mysql, postgres, rest, sqlite };

suite("core/base/contracts/destination", (test) => {
  const moved = (before: object, after: object, source: Source) =>
    movedMembers(destinationOf(before, source), destinationOf(after, source), source);

  test("a connector's properties declare which changes require entering the password again", () => {
    const needed = Object.entries(connectors).map(([name, properties]) => {
      const ids = properties.map(({ id }) => id).filter((id) => id !== "identifier");
      const found = ["provider", ...ids, "port", "scope"].filter((id, place, all) => {
        const isOwn = ["provider", "host", "port", "scope"].includes(id);
        const after = isOwn ? { [id]: "other" } : { properties: { [id]: "other" } };
        return all.indexOf(id) === place && moved({}, after, { properties }).length > 0;
      });
      return [name, found];
    });
    assert.equal(Object.fromEntries(needed), {
      clickhouse: ["provider", "host", "port", "ssl", "ca"],
      duckdb: ["provider", "host", "port", "scope"],
      files: ["provider", "host", "endpoint", "region", "port", "scope"],
      mysql: ["provider", "host", "port", "ssl", "ca"],
      postgres: ["provider", "host", "port", "ssl", "ca"],
      rest: ["provider", "host", "api", "port", "scope"],
      sqlite: ["provider", "host", "port", "scope"],
    });
  });

  test("adding a property that the connector does not declare changes the destination of an account's secrets", () => {
    const source = { properties: [{ id: "New", type: "text" }] };
    const changes = [{ new: "x" }, { NEW: "x" }, { undeclared: "x" }];
    for (const properties of changes)
      assert.is(moved({}, { properties }, source).length, 1, JSON.stringify(properties));
  });

  test("adding a property in another letter case changes the destination of an account's secrets", () => {
    const source = { properties: [{ id: "server", type: "text" }] };
    const before = { properties: { server: "good" } };
    for (const properties of [
      { Server: "evil", server: "good" },
      { server: "good", SERVER: "evil" },
    ])
      assert.equal(moved(before, { properties }, source), ["properties.server"]);
  });

  for (const [before, after] of [
    ["DB.example.org", "db.EXAMPLE.org"],
    ["https://DB.example.org", "https://db.example.org/"],
    ["http://db.example.org:80/A", "HTTP://DB.example.org:80/A"],
  ] as const)
    test(`${before} and ${after} are the same destination for secrets`, () => {
      assert.equal(moved({ host: before }, { host: after }, { properties: postgres }), []);
    });

  for (const [before, after] of [
    ["db.example.org", "db.example.org."],
    ["https://db.example.org", "http://db.example.org"],
    ["https://db.example.org/a", "https://db.example.org/A"],
    ["https://db.example.org", "https://db.example.org:8443"],
    ["https://db.example.org", "https://db.example.org:443"],
    ["https://db.example.org", String.raw`https://db.example.org\:99/..`],
    ["https://db.example.org", String.raw`https://db.example.org\@evil.example/..`],
    ["https://db.example.org/", "https://db.example.org/@evil.example/.."],
    ["https://db.example.org", "https:///db.example.org"],
    ["https://db.example.org", "https://db.example.org\t"],
    ["http://127.0.0.1", "http://127.1"],
    ["https://db.example.org@evil.example", "https://db.example.org"],
    ["db.example.org", "db.example.org:5432"],
    ["/folder/Socket", "/folder/socket"],
  ] as const)
    test(`${before} and ${after} are different destinations for secrets`, () => {
      assert.equal(moved({ host: before }, { host: after }, { properties: postgres }), ["host"]);
    });

  test("changing an account's TLS mode changes the destination of its secrets, unless the new mode is stronger", () => {
    const modes = ["disable", "prefer", "require", "verify-ca", "verify-full"];
    const source = {
      properties: [{ id: "ssl", type: "select", options: modes, destination: "weaker" }],
    };
    const isMoved = (from?: string, to?: string) =>
      moved({ properties: { ssl: from } }, { properties: { ssl: to } }, source).length > 0;
    for (const [place, from] of modes.entries())
      for (const [other, to] of modes.entries())
        assert.is(isMoved(from, to), other < place, `${from} ${to}`);
    for (const mode of modes) assert.is(isMoved(mode), true, mode);
    for (const mode of modes) assert.is(isMoved(undefined, mode), mode !== "verify-full", mode);
  });

  test("the destination of secrets contains no passwords, but contains addresses that are declared as passwords", () => {
    const source = {
      properties: [
        { id: "api_key", type: "password" },
        { id: "host", type: "password" },
        { id: "twice", type: "password" },
        { id: "twice", destination: false },
      ],
    };
    const properties = { api_key: "x" };
    assert.equal(moved({}, { properties }, source), []);
    assert.equal(moved({ host: "a" }, { host: "b" }, source), ["host"]);
    assert.equal(moved({}, { properties: { twice: "x" } }, source), ["properties.twice"]);
  });

  test("a property that the connector does not declare counts as an address if its name or value looks like an address", () => {
    const addresses = [
      ["server_name", "x"],
      ["baseUrl", "x"],
      ["port", "1"],
      ["tenant", "evil.example"],
      ["tenant", "evil:80"],
      ["ssl", "off"],
    ] as const;
    for (const [name, value] of addresses) assert.is(mayBeAddress(name, value), true, name);
    for (const [name, value] of [
      ["tenant", "north"],
      ["report", "r-1"],
      ["category", "a b"],
    ] as const)
      assert.is(mayBeAddress(name, value), false, name);
  });
});
