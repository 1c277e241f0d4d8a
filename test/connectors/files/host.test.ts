import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openTenantHost, type TenantHost } from "../../core/operating/transfer/openTenantHost.ts";
import { suite } from "../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
type Row = Json & { readonly id: string };
interface Offered {
  readonly rows: readonly Json[];
}
interface Made {
  readonly data: readonly (Row & { readonly columns: readonly Row[] })[];
}

/** Returns the cells of an answer, or the complete error. */
const answerOf = (answer: Json): unknown => answer["data"] ?? answer;

suite("connectors/files over HTTP", (test) => {
  let folder: string;
  let outside: string;
  let host: TenantHost;
  let accountId: string;
  const trips = () => join(folder, "exports", "trips.csv");
  const call = async (resource: string, action: string, more: object): Promise<Json> => {
    const { key, token } = host;
    const response = await fetch(`${host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action, version: "0.1.0", key, token, ...more }),
    });
    return (await response.json()) as Json;
  };
  const connect = (given: Json) =>
    call("account", "create", { properties: { provider: "files", ...given } });
  const cells = async (query: object) => answerOf(await call("data", "get", { find: query }));
  const makeTrips = async () => {
    const made = (await call("dataprovider", "create", {
      properties: {
        provider: "files",
        account_id: accountId,
        tables: [{ schema: "main", table: "trips.csv" }],
      },
    })) as unknown as Made;
    return made.data[0]!;
  };
  const referTo = (dataset: Made["data"][number], name: string) => ({
    dataset_id: dataset.id,
    column_id: dataset.columns.find((column) => column["source_name"] === name)!.id,
  });

  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-files-")));
    outside = realpathSync(mkdtempSync(join(tmpdir(), "manifold-outside-")));
    mkdirSync(join(folder, "exports", "old"), { recursive: true });
    writeFileSync(
      trips(),
      'city;km;day;zip\r\nGhent;3.5;2024-01-05;01000\r\n"Ghent; ""Sint""";;2024-02-05;9000\r\nMons;4;2024-02-29;7000\r\n',
    );
    writeFileSync(
      join(folder, "exports", "old", "people.jsonl"),
      '{"name":"Ada","age":36}\n{"name":"Bo"}\n',
    );
    writeFileSync(join(folder, "exports", "broken.csv"), 'a,b\n1,"2\n');
    writeFileSync(join(outside, "secret.csv"), "a\n1\n");
    symlinkSync(join(outside, "secret.csv"), join(folder, "exports", "linked.csv"));
    symlinkSync(outside, join(folder, "exports", "away"));
    host = await openTenantHost({ fileFolders: [folder] });
    accountId = String((await connect({ name: "exports", host: "exports" }))["id"]);
  });
  test.after(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(outside, { recursive: true, force: true });
  });

  test("the files of a folder are listed with types, samples and notes, except files behind symbolic links", async () => {
    const { rows } = (await call("dataprovider", "get", {
      find: { provider: "files", account_id: accountId },
    })) as unknown as Offered;
    assert.equal(
      rows.map(({ schema, table }) => [schema, table]),
      [
        ["main", "broken.csv"],
        ["old", "people.jsonl"],
        ["main", "trips.csv"],
      ],
    );
    const [broken, , offered] = rows;
    assert.equal(broken!["columns"], []);
    assert.match(String(broken!["notes"]), "broken.csv: line 2 opens a quote that is not closed");
    const columns = offered!["columns"] as readonly Json[];
    assert.equal(
      columns.map(({ id, type, subtype }) => [id, type, subtype]),
      [
        ["city", "hierarchy", undefined],
        ["km", "numeric", undefined],
        ["day", "datetime", "date"],
        ["zip", "hierarchy", undefined],
      ],
    );
    assert.equal(columns[0]!["samples"], ["Ghent", 'Ghent; "Sint"', "Mons"]);
    const notes = offered!["notes"] as readonly string[];
    assert.equal(notes.slice(0, 2), [
      'the cells are separated by ";"',
      "the types were detected from all 3 rows",
    ]);
    assert.match(
      notes[2]!,
      '"zip": it is text: 1 of 3 values has a leading zero (line 2: "01000")',
    );
  });

  test("a query through the API returns the current rows of a file", async () => {
    const dataset = await makeTrips();
    const measures = [{ ...referTo(dataset, "km"), aggregation: { type: "sum" } }];
    const dimensions = [{ ...referTo(dataset, "day"), level: 3 }];
    const rows = await cells({ dimensions, measures });
    assert.equal(rows, [
      ["2024-01-01T00:00:00.000Z", 3.5],
      ["2024-02-01T00:00:00.000Z", 4],
    ]);
    writeFileSync(trips(), "day;km\n2024-01-05;10\n");
    assert.equal(await cells({ measures }), [[10]]);
  });

  test("the error names the line of a value that no longer fits its column's type, or the missing column", async () => {
    writeFileSync(trips(), "city;km;day;zip\nGhent;3;;\nMons;abc;;\n");
    const dataset = await makeTrips().catch(() => undefined);
    assert.ok(dataset);
    const km = referTo(dataset, "km");
    const texts = (await cells({ dimensions: [km] })) as readonly [Json][];
    assert.equal(
      texts.map(([{ id }]) => id),
      ["3", "abc"],
    );
    writeFileSync(trips(), "city;km;day;zip\nGhent;3;;\nMons;4;;\n");
    const numeric = await makeTrips();
    writeFileSync(trips(), "city;km;day;zip\nGhent;3;;\nMons;abc;;\n");
    const find = (name: string) => ({
      find: { measures: [{ ...referTo(numeric, name), aggregation: { type: "sum" } }] },
    });
    const failure = await call("data", "get", find("km"));
    assert.match(JSON.stringify(failure), 'line 3: \\"km\\" must be a number, not \\"abc\\"');
    writeFileSync(trips(), "city\nGhent\n");
    assert.match(JSON.stringify(await call("data", "get", find("km"))), "has no column km");
  });

  test("a missing file causes the same error as a file outside the allowed folders", async () => {
    const refusals: string[] = [];
    for (const path of [
      outside,
      join(outside, "secret.csv"),
      "nowhere.csv",
      "exports/linked.csv",
    ]) {
      const answer = await connect({ name: "x", host: path });
      assert.is(answer["id"], undefined, path);
      refusals.push(String(answer["message"]));
    }
    assert.is(new Set(refusals).size, 1, refusals.join("\n"));
    const up = await connect({ name: "x", host: "exports/../../etc" });
    assert.match(String(up["message"]), '".."');
    const wrong = await connect({ name: "x", host: "exports", properties: { dates: "YMD" } });
    assert.match(JSON.stringify(wrong), "dates");
  });
});
