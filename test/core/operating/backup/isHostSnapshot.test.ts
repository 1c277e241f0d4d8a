import * as assert from "uvu/assert";
import { isHostSnapshot } from "../../../../core/operating/backup/isHostSnapshot.ts";
import { suite } from "../../../support/suite.ts";

const address = {
  host: "/run/postgres",
  port: 5432,
  user: "manifold",
  password: "secret",
  ssl: false,
  database: "manifold",
};
const snapshot = {
  takenAt: "2026-01-01T00:00:00.000Z",
  secret: "secret",
  catalog: { address, transactionSnapshot: "00000003-1" },
  store: {
    slug: "strata",
    datasetCount: 1,
    rowCount: 2,
    folder: "/data/strata",
    files: [{ name: "manifest", sizeBytes: 3 }],
  },
};

suite("core/operating/backup/isHostSnapshot", (test) => {
  test("a host snapshot is valid with a database URL or separate connection settings", () => {
    assert.ok(isHostSnapshot(snapshot));
    const connectionString = "postgres://localhost/manifold";
    const catalog = { ...snapshot.catalog, address: { connectionString } };
    assert.ok(isHostSnapshot({ ...snapshot, catalog }));
  });

  test("a host snapshot is invalid if a member is missing or has the wrong type", () => {
    const wrongAt = function* (value: unknown): Iterable<unknown> {
      yield null;
      if (Array.isArray(value)) {
        for (const [place, entry] of value.entries())
          for (const wrong of wrongAt(entry)) yield value.with(place, wrong);
        return;
      }
      if (typeof value !== "object" || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        const { [name]: _, ...others } = value as Record<string, unknown>;
        yield others;
        for (const wrong of wrongAt(member)) yield { ...others, [name]: wrong };
      }
    };
    const all = [...wrongAt(snapshot)];
    assert.ok(all.length > 30);
    for (const wrong of all) assert.not(isHostSnapshot(wrong), JSON.stringify(wrong));
  });
});
