import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { applyFolder, exportFolder } from "../../../../core/operating/transfer/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

type Json = Readonly<Record<string, unknown>>;
type Row = Json & { readonly id: string };

const query =
  "select city, km from trips where km > {{least}} and city in ({{cities}}); -- the end";
const parameters = [
  { parameter: "least", type: "numeric", value: 1 },
  { parameter: "metadata.cities", type: "array[hierarchy]", value: ["Ghent", "Mons", "x'; --"] },
];

suite("core/operating/transfer/statements", (test) => {
  let host: TenantHost;
  let folder: string;
  let accountId: string;
  const dir = () => mkdtempSync(join(folder, "export-"));
  const datasetNamed = async (name: string) => {
    const { rows } = await host.client.get<{ rows: readonly (Row & { name: Json })[] }>(
      "securable",
      { where: { type: "dataset" }, include: [{ model: "column", as: "Columns" }] },
    );
    return rows.find((row) => row.name["en"] === name);
  };
  const sumOf = async (dataset: Row) => {
    const columns = dataset["columns"] as readonly Row[];
    const column_id = columns.find((column) => column["source_name"] === "km")!.id;
    const measures = [{ dataset_id: dataset.id, column_id, aggregation: { type: "sum" } }];
    return (await host.client.get<{ data: unknown[][] }>("data", { measures })).data[0]?.[0];
  };

  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-statements-")));
    const database = new DatabaseSync(join(folder, "trips.sqlite"));
    database.exec(`create table trips (city text, km integer);
      insert into trips values ('Ghent', 3), ('Ghent', 1), ('Mons', 5), ('Liège', 7)`);
    database.close();
    host = await openTenantHost({ fileFolders: [folder] });
    const account = await host.client.create<Row>("account", {
      provider: "sqlite",
      name: "Trips file",
      host: join(folder, "trips.sqlite"),
    });
    accountId = account.id;
    await host.client.create("dataprovider", {
      account_id: accountId,
      query,
      parameters,
      name: { en: "Long trips" },
    });
  });
  test.after(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a dataset defined by an SQL statement is exported with the statement and can be applied unchanged", async () => {
    const before = (await datasetNamed("Long trips"))!;
    assert.is(await sumOf(before), 8);
    const exported = dir();
    await exportFolder({ client: host.client, dir: exported });
    const [name] = readdirSync(join(exported, "datasets"));
    const file = JSON.parse(readFileSync(join(exported, "datasets", name!), "utf8")) as Json;
    const { kind, account, query: text, parameters: kept } = file["source"] as Json;
    assert.equal([kind, account, text], ["statement", accountId, query]);
    assert.equal(
      (kept as readonly Json[]).map(({ value }) => value),
      [1, ["Ghent", "Mons", "x'; --"]],
    );
    const again = await applyFolder({ client: host.client, dir: exported, environment: {} });
    assert.equal([again.createdCount, again.changedCount], [0, 0]);
    await host.client.delete("securable", before.id);
    await applyFolder({ client: host.client, dir: exported, environment: {} });
    const after = (await datasetNamed("Long trips"))!;
    assert.is.not(after.id, before.id);
    assert.is(after["source_query"], query);
    assert.is(await sumOf(after), 8);
    const twice = dir();
    await exportFolder({ client: host.client, dir: twice });
    const source = (from: string) => {
      const [only] = readdirSync(join(from, "datasets"));
      return (JSON.parse(readFileSync(join(from, "datasets", only!), "utf8")) as Json)["source"];
    };
    assert.equal(source(twice), source(exported));
  });

  test("`apply` refuses a file whose SQL statement differs or does more than read, and changes nothing", async () => {
    const exported = dir();
    await exportFolder({ client: host.client, dir: exported });
    const path = join(exported, "datasets", readdirSync(join(exported, "datasets"))[0]!);
    const text = readFileSync(path, "utf8");
    const refusalOf = async (changed: string) => {
      assert.is.not(changed, text);
      writeFileSync(path, changed);
      return applyFolder({ client: host.client, dir: exported, environment: {} }).then(
        () => "nothing was refused",
        (failure: Error) => failure.message,
      );
    };
    assert.match(await refusalOf(text.replace("km > {{least}}", "km < {{least}}")), /source is/);
    assert.match(await refusalOf(text.replace('"statement"', '"select"')), /source must be/);
    assert.match(
      await refusalOf(text.replace(accountId, "00000000-0000-4000-8000-00000000ffff")),
      /account/,
    );
    const dataset = (await datasetNamed("Long trips"))!;
    await host.client.delete("securable", dataset.id);
    assert.match(
      await refusalOf(text.replace("select city, km from trips", "drop table trips")),
      /begin it with select or with/,
    );
    assert.is(await datasetNamed("Long trips"), undefined);
  });

  test("the API description contains the action that creates a dataset from an SQL statement", async () => {
    const response = await fetch(`${host.url}/openapi.json`);
    const text = await response.text();
    const document = JSON.parse(text) as Json;
    const found: Json[] = [];
    const visit = (value: unknown) => {
      if (typeof value !== "object" || value === null) return;
      const { properties } = value as { properties?: Json };
      if (
        properties &&
        "query" in properties &&
        "parameters" in properties &&
        "tables" in properties
      )
        found.push(properties);
      for (const each of Object.values(value)) visit(each);
    };
    visit(document);
    assert.is(found.length, 1);
    assert.is((found[0]!["query"] as Json)["type"], "string");
    assert.is((found[0]!["parameters"] as Json)["type"], "array");
  });
});
