import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Compile } from "typebox/schema";
import * as assert from "uvu/assert";
import { applyFolder, exportFolder } from "../../../../core/operating/transfer/index.ts";
import type { HostOptions } from "../../../../core/host.ts";
import type { Client } from "../../../../core/web/client/index.ts";
import { rounds } from "../../../support/layer.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../../../support/legacyPlugin.ts";
import { createPartRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import {
  canaries,
  columnOf,
  environment,
  fillAtRandom,
  fillTenant,
  type FilledTenant,
} from "./fillTenant.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

/** Returns the content of every file of a folder by its path, except files that store ids. */
function filesOf(dir: string): Map<string, string> {
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("ids."))
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(dir, path), "utf8")]));
}

/**
 * Replaces ids by numbers, in the order in which the files first mention the ids. The order of the files does not
 * depend on ids.
 */
function withoutIds(files: ReadonlyMap<string, string>): string[] {
  return [...files.values()]
    .map((text) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID"))
    .toSorted();
}

const refusalOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "nothing was refused",
    (failure: Error) => failure.message,
  );

/** Opens a plugin of protocol 1.0.0 with one dataset. */
const openTrips = (rows: readonly (readonly [city: string, km: number])[]): Promise<LegacyPlugin> =>
  openLegacyPlugin({
    version: "2.0.0",
    pushdown: false,
    datasets: [
      {
        id: "public.trips",
        name: { en: "Live trips" },
        columns: [
          { id: "city", name: { en: "City" }, type: "hierarchy" },
          { id: "km", name: { en: "Km" }, type: "numeric" },
        ],
        rows,
      },
    ],
  });

suite("core/operating/transfer", (test) => {
  const folders: string[] = [];
  const hosts: TenantHost[] = [];
  let plugin: LegacyPlugin;
  let source: TenantHost;
  let target: TenantHost;
  let filled: FilledTenant;
  let exported: string;

  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "manifold-folder-"));
    folders.push(made);
    return made;
  };
  const copyOf = (dir: string) => {
    const made = folder();
    cpSync(dir, made, { recursive: true });
    return made;
  };
  const open = async () => {
    // Tests of the deep layer have hosts without other organizations.
    const host = await openTenantHost(
      rounds<HostOptions | undefined>({ quick: undefined, deep: {} }),
    );
    hosts.push(host);
    return host;
  };
  const close = async (host: TenantHost) => {
    hosts.splice(hosts.indexOf(host), 1);
    await host.close();
  };
  const apply = (client: Client, dir: string, more: object = {}) =>
    applyFolder({ client, dir, environment, ...more });
  const fileOf = (dir: string, kind: string, name: string) => {
    const found = readdirSync(join(dir, kind)).find((file) => file.startsWith(name));
    if (found === undefined) throw new Error(`there is no ${kind}/${name}`);
    return join(dir, kind, found);
  };
  const edit = (path: string, change: (text: string) => string) => {
    const before = readFileSync(path, "utf8");
    const after = change(before);
    assert.is.not(after, before, `${path} was changed`);
    writeFileSync(path, after);
  };

  test.before(async () => {
    plugin = await openTrips([["Ghent", 3]]);
    source = await open();
    target = await open();
    filled = await fillTenant(source.client, plugin.url);
    exported = folder();
    await exportFolder({ client: source.client, dir: exported });
    await target.addUser("ann@example.org");
  });
  test.after(async () => {
    for (const host of hosts) await host.close();
    await plugin.close();
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  test("an export has one file per record, and repeating the export writes the same bytes", async () => {
    const counts = Map.groupBy(filesOf(exported).keys(), (path) => path.split("/")[0]);
    for (const [name, count] of [
      ["plugins", 1],
      ["groups", 2],
      ["accounts", 1],
      ["tags", 1],
      ["themes", 1],
      ["datasets", 3],
      ["formulas", 1],
      ["dashboards", 2],
      ["embedfiltergroups", 1],
      ["collections", 1],
      ["integrations", 1],
      ["schedules", 1],
      ["channels", 1],
      ["alerts", 1],
    ] as const)
      assert.is(counts.get(name)?.length, count, name);
    const again = folder();
    await exportFolder({ client: source.client, dir: again });
    assert.equal(filesOf(again), filesOf(exported));
  });

  test("every exported file names a schema next to it, which accepts the file and rejects misspelled members", async () => {
    const files = [...filesOf(exported)].filter(([path]) => !path.startsWith("schemas/"));
    const seen = new Set<string>();
    for (const [path, text] of files) {
      const value = JSON.parse(text);
      const schema = join(exported, dirname(path), value.$schema);
      seen.add(schema);
      const compiled = Compile(JSON.parse(readFileSync(schema, "utf8")));
      const [isRight, errors] = compiled.Errors(value);
      assert.ok(isRight, `${path}: ${JSON.stringify(errors.slice(0, 3))}`);
      if (path === "manifest.json") continue;
      const { properties } = value;
      assert.not.ok(compiled.Check({ ...value, propertys: {} }), path);
      assert.not.ok(compiled.Check({ ...value, properties: { ...properties, nmae: "x" } }), path);
    }
    assert.ok(seen.size > 12, [...seen].join());
  });

  test("no exported file contains a secret", async () => {
    const all = [...filesOf(exported).values()].join("\n");
    assert.match(all, "db.example.org");
    assert.match(all, "look at this");
    for (const canary of [...Object.values(canaries), filled.pluginSecret, source.token])
      assert.not.match(all, canary);
    for (const variable of Object.keys(environment)) assert.match(all, `\${${variable}}`);
  });

  test("applying an export to its own organization changes nothing and requires no secrets", async () => {
    const dir = copyOf(exported);
    const before = filesOf(exported);
    const applied = await apply(source.client, dir, { environment: {} });
    assert.equal([applied.createdCount, applied.changedCount, applied.notes], [0, 0, []]);
    assert.ok(applied.unchangedCount > 25, `${applied.unchangedCount} records`);
    assert.equal(
      readdirSync(dir).filter((name) => name.startsWith("ids.")),
      [],
    );
    const after = folder();
    await exportFolder({ client: source.client, dir: after });
    assert.equal(filesOf(after), before);
  });

  test("`apply` creates nothing if any record lacks a required secret", async () => {
    const { MANIFOLD_ACCOUNT_SALES_DATABASE_TOKEN: _, ...less } = environment;
    const message = await refusalOf(apply(target.client, copyOf(exported), { environment: less }));
    assert.match(message, /^accounts\/sales-database-[0-9a-f]{8}\.json: properties\.token/);
    assert.match(message, "MANIFOLD_ACCOUNT_SALES_DATABASE_TOKEN");
    assert.is((await target.client.get("plugin")).count, 0);
  });

  test("`apply` lists files that refer to a missing file before making any change", async () => {
    const dir = copyOf(exported);
    rmSync(fileOf(dir, "datasets", "trips"));
    const message = await refusalOf(apply(target.client, dir));
    assert.match(
      message,
      /^formulas\/total-\w+\.json: links\.Securables refers to the securable /m,
    );
    assert.match(
      message,
      /^formulas\/total-\w+\.json: properties\.expression refers to the dataset /m,
    );
    assert.match(message, filled.trips.id);
    assert.is((await target.client.get("group")).count, 1, "only the Public group");
  });

  let plannedCount = 0;
  test("a dry run of `apply` reports the records that it would create and changes nothing", async () => {
    const dir = copyOf(exported);
    const planned: string[] = [];
    const report = (line: string) => planned.push(line.replace("would create", "created"));
    const applied = await apply(target.client, dir, { isDryRun: true, report });
    assert.is((await target.client.get("securable")).count, 0);
    assert.equal(filesOf(dir), filesOf(exported));
    assert.is(applied.createdCount, planned.length);
    plannedCount = planned.length;
    assert.ok(planned.some((line) => line.startsWith('created account "Sales database"')));
  });

  test("a dry run lists the unknown names in dashboards, with the file, the path and the nearest known name", async () => {
    const dir = copyOf(exported);
    const board = fileOf(dir, "dashboards", "detail");
    const json = JSON.parse(readFileSync(board, "utf8"));
    const [trips] = readdirSync(join(dir, "datasets")).filter((name) => name.startsWith("trips"));
    const dataset = JSON.parse(readFileSync(join(dir, "datasets", trips!), "utf8"));
    const content = [
      { datasetId: dataset.id, columnId: dataset.columns[0].id },
      { datasetId: dataset.id, columnId: "city" },
    ];
    const item = { id: "a", type: "bar-chart", position: { col: 0, row: 0, sizeX: 24, sizeY: 16 } };
    const write = (...items: readonly object[]) => {
      json.properties.contents = { views: [{ screenModus: "desktop", items }] };
      writeFileSync(board, JSON.stringify(json));
    };
    const listed = async (isDryRun: boolean) => {
      const { warnings } = await apply(source.client, dir, { isDryRun });
      return warnings.filter((line) => line.startsWith("dashboards/detail")).join("\n");
    };
    write({ ...item, slots: [{ name: "y", content }], options: { tittle: "x" } });
    const found = await listed(true);
    assert.match(found, /slots\[0\]\.name must be one of y-axis, legend, measure, not "y"/);
    assert.match(found, /options\.tittle is unknown and has no effect; did you mean title\?/);
    assert.match(
      found,
      /content\[1\]\.columnId "city" is not the id of a column .*; the id of \w+ is /,
    );
    assert.not.match(found, "content[0]");
    write({ type: "bar" });
    assert.match(await listed(true), /properties\.contents: nothing in it could be drawn/);
    write({ ...item, slots: [{ name: "y-axis", content: content.slice(0, 1) }] });
    assert.is(await listed(true), "");
  });

  test("after an export is applied to an empty organization, a new export contains the same files except for ids", async () => {
    const dir = copyOf(exported);
    const lines: string[] = [];
    const report = (line: string) => lines.push(line);
    const applied = await apply(target.client, dir, { report });
    assert.equal([applied.createdCount, applied.changedCount], [plannedCount, 0]);
    assert.is(lines.filter((line) => line.includes("secret of the plugin")).length, 1);
    assert.equal(applied.notes, []);

    const fresh = folder();
    await exportFolder({ client: target.client, dir: fresh });
    assert.equal(withoutIds(filesOf(fresh)), withoutIds(filesOf(exported)));
    for (const id of [filled.trips.id, filled.boardId, filled.analystsId])
      assert.not.match([...filesOf(fresh).values()].join(), id, "an id of the first organization");

    await exportFolder({ client: target.client, dir });
    assert.equal(filesOf(dir), filesOf(exported), "with the ids of the folder, the same bytes");

    const again = await apply(target.client, dir, { environment: {} });
    assert.equal([again.createdCount, again.changedCount, again.notes], [0, 0, []]);
    rmSync(
      join(
        dir,
        readdirSync(dir).find((name) => name.startsWith("ids."))!,
      ),
    );
    const forgotten = await apply(target.client, dir, { environment: {} });
    assert.equal([forgotten.createdCount, forgotten.changedCount, forgotten.notes], [0, 0, []]);
    exportedTwice = dir;
  });
  let exportedTwice: string;

  test("after an export is applied to another organization, queries run there and plugins get the given secrets", async () => {
    const { rows } = await target.client.get<{
      rows: { id: string; name: { en: string }; rows: number }[];
    }>("securable", { where: { type: "dataset" } });
    const trips = rows.find(({ name }) => name.en === "Trips")!;
    assert.is(trips.rows, 0);
    const { rows: columns } = await target.client.get<{
      rows: { id: string; source_name: string; expression: string | null }[];
    }>("column", { where: { securable_id: trips.id } });
    await target.client.create("data", {
      securable_id: trips.id,
      data: [["Ghent", 3, "2024-01-05", "2024-01-05T10:00:00Z"]],
      options: { header: ["city", "km", "day", "at"] },
    });
    const metres = columns.find(({ expression }) => expression)!;
    const answer = await target.client.get<{ data: unknown[][] }>("data", {
      measures: [{ dataset_id: trips.id, column_id: metres.id, aggregation: { type: "sum" } }],
    });
    assert.equal(answer.data, [[3000]]);
    const live = rows.find(({ name }) => name.en === "Live trips")!;
    const { rows: liveColumns } = await target.client.get<{
      rows: { id: string; source_name: string }[];
    }>("column", { where: { securable_id: live.id } });
    const km = columnOf({ id: live.id, columns: liveColumns }, "km");
    const liveAnswer = await target.client.get<{ data: unknown[][] }>("data", {
      measures: [{ dataset_id: live.id, column_id: km, aggregation: { type: "sum" } }],
    });
    assert.equal(liveAnswer.data, [[3]]);
    const { headers } = plugin.requests.findLast(({ path }) => path === "/query")!;
    assert.is(headers["x-token"] ?? headers["x-property-token"], "applied-token");
    assert.is(headers["x-key"], "applied-key");
    assert.is(headers["x-property-password"], "applied-password");
  });

  test("applying a changed file changes only its record, even if the file was renamed", async () => {
    const dir = exportedTwice;
    const path = fileOf(dir, "datasets", "trips");
    edit(path, (text) => text.replace('"en": "City"', '"en": "Town"'));
    cpSync(path, join(dir, "datasets", "renamed.json"));
    rmSync(path);
    const lines: string[] = [];
    const applied = await apply(target.client, dir, { report: (line: string) => lines.push(line) });
    assert.equal([applied.createdCount, applied.changedCount], [0, 1]);
    assert.equal(lines, ['changed column "Town" of datasets/renamed.json: name']);
    const again = await apply(target.client, dir);
    assert.equal([again.createdCount, again.changedCount], [0, 0]);
    await exportFolder({ client: target.client, dir });
    const differing = [...filesOf(dir)].filter(
      ([name, text]) => filesOf(exported).get(name) !== text,
    );
    assert.equal(
      differing.map(([name]) => name),
      [path.slice(dir.length + 1)],
    );
  });

  test("`apply` reports and keeps records of the organization that no file describes", async () => {
    const dir = copyOf(exportedTwice);
    const extra = await target.client.create<{ id: string }>("collection", { name: "Mine" });
    const applied = await apply(target.client, dir);
    assert.equal(applied.notes, [`collection "Mine" (${extra.id}) is not in the folder`]);
    assert.is((await target.client.get("collection", { where: { id: extra.id } })).count, 1);
    await target.client.delete("collection", extra.id);
  });

  test("`apply` names five records of a kind that no file describes, and counts the others", async () => {
    const dir = copyOf(exportedTwice);
    const made: string[] = [];
    for (const name of ["A", "B", "C", "D", "E", "F", "G"])
      made.push((await target.client.create("collection", { name })).id);
    const { notes } = await apply(target.client, dir);
    assert.is(notes.length, 6, notes.join("\n"));
    for (const note of notes.slice(0, 5)) assert.match(note, /^collection "[A-G]" .*folder$/);
    assert.is(notes[5], "2 more records of the kind collection are not in the folder");
    for (const id of made) await target.client.delete("collection", id);
  });

  test("`apply` creates a deleted record again with a new id", async () => {
    const dir = copyOf(exportedTwice);
    const { rows } = await target.client.get("tag");
    await target.client.delete("tag", String(rows[0]!["id"]));
    const applied = await apply(target.client, dir);
    assert.is(applied.createdCount, 1);
    const again = await apply(target.client, dir);
    assert.equal([again.createdCount, again.changedCount], [0, 0]);
    cpSync(dir, exportedTwice, { recursive: true });
  });

  test("without the ids file, `apply` refuses two records with the same name, and the error names both records", async () => {
    const dir = copyOf(exportedTwice);
    const more = await target.client.create<{ id: string }>("collection", { name: "Starters" });
    rmSync(
      join(
        dir,
        readdirSync(dir).find((name) => name.startsWith("ids."))!,
      ),
    );
    const message = await refusalOf(apply(target.client, dir));
    assert.match(
      message,
      /^collections\/starters-.*collection "Starters" occurs 1 times in the folder/,
    );
    assert.match(message, more.id);
    assert.match(message, /ids\.[0-9a-f-]{36}\.json/);
    await target.client.delete("collection", more.id);
  });

  test("`apply` refuses changed names of source columns or tables before making any change", async () => {
    const dir = copyOf(exportedTwice);
    const path = fileOf(dir, "datasets", "trips");
    edit(path, (text) => text.replace('"source_name": "km"', '"source_name": "miles"'));
    const { id: account } = JSON.parse(readFileSync(fileOf(dir, "accounts", "sales"), "utf8"));
    edit(fileOf(dir, "datasets", "numbers"), (text) =>
      text.replace('"kind": "pushed"', `"account": "${account}", "dataset": "x", "kind": "plugin"`),
    );
    edit(fileOf(dir, "tags", "finance"), (text) => text.replace('"tag": "finance"', '"tag": "f"'));
    const message = await refusalOf(apply(target.client, dir));
    assert.match(
      message,
      /^datasets\/trips-\w+\.json: properties\.source_name of the column \S+ is "km" and cannot/m,
    );
    assert.match(
      message,
      /^datasets\/numbers-\w+\.json: source is \{"kind":"plugin",.*\}, but the dataset/m,
    );
    assert.is((await target.client.get("tag", { where: { tag: "f" } })).count, 0);
  });

  test("`apply --secrets` sends all secrets again, without comparing them", async () => {
    const dir = copyOf(exportedTwice);
    const applied = await apply(target.client, dir, { sendsSecrets: true });
    assert.is(applied.changedCount, 2, "the account and the channel");
  });

  test("`apply` reports the line and column of a syntax error before making any change", async () => {
    const dir = copyOf(exported);
    edit(fileOf(dir, "tags", ""), (text) => text.replace('"properties": {', '"properties": {,'));
    edit(fileOf(dir, "groups", "analysts"), (text) => text.replace('"properties"', '"propertys"'));
    edit(fileOf(dir, "alerts", "far"), (text) => text.replace('"unit": "day"', '"unit": "blink"'));
    edit(fileOf(dir, "accounts", "sales"), (text) =>
      text
        .replace(/"token": "[^"]*"/, '"token": "plain"')
        .replace(/"host": "[^"]*"/, '"host": "${MANIFOLD_TOKEN}"'),
    );
    edit(fileOf(dir, "collections", "starters"), (text) =>
      text.replace('"right": "read"', '"right": "all"'),
    );
    const message = await refusalOf(apply(target.client, dir));
    for (const found of [
      /^tags\/[0-9a-f-]*finance-\w+\.json:4:18: /m,
      /^groups\/analysts-\w+\.json: propertys is unknown; known members: id, properties/m,
      /^alerts\/far-\w+\.json: properties\.frequency must be \{unit: /m,
      /^accounts\/sales-database-\w+\.json: properties\.token must be a placeholder/m,
      /^accounts\/sales-database-\w+\.json: properties\.host must name a variable that begins with .*, not MANIFOLD_TOKEN/m,
      /^collections\/starters-\w+\.json: links\.Groups\[0\]\.right must be one of read, use, modify, own/m,
    ])
      assert.match(message, found);
    assert.not.match(message, "plain\n");
  });

  test("`apply` refuses a folder with no manifest or a manifest of another version", async () => {
    const dir = copyOf(exported);
    edit(join(dir, "manifest.json"), (text) => text.replace('"version": 1', '"version": 2'));
    assert.match(await refusalOf(apply(target.client, dir)), "version must be 1, not 2");
    assert.match(await refusalOf(apply(target.client, folder())), "no manifest.json");
    const other = folder();
    writeFileSync(join(other, "thesis.doc"), "years of work");
    assert.match(
      await refusalOf(exportFolder({ client: target.client, dir: other })),
      "empty folder",
    );
    assert.match(
      await refusalOf(exportFolder({ client: target.client, dir: copyOf(exported) })),
      "contains another organization",
    );
    assert.equal(readdirSync(other), ["thesis.doc"]);
  });

  test.deep(
    "`apply` reports a failure between two changes, and a second run continues from there",
    async () => {
      const empty = await open();
      const dir = copyOf(exported);
      await plugin.close();
      const lines: string[] = [];
      const report = (line: string) => lines.push(line);
      const failed = await refusalOf(apply(empty.client, dir, { report }));
      assert.match(lines.join("\n"), /created account "Sales database".*\n {2}warning: /);
      assert.match(failed, /^datasets\/live-trips-\w+\.json: /);
      assert.match(failed, /Before that, \d+ records were created/);
      plugin = await openTrips([]);
      edit(fileOf(dir, "plugins", "sales"), (text) =>
        text.replace(/"base_url": "[^"]*"/, `"base_url": "${plugin.url}"`),
      );
      // The plugin and the account already exist, so both are changed by hand: secrets are confirmed for an address.
      const { rows } = await empty.client.get("plugin");
      const moved = { base_url: plugin.url, new_secret: "entered again with the address" };
      await empty.client.update("plugin", String(rows[0]!["id"]), moved);
      const accounts = await empty.client.get("account");
      await empty.client.update("account", String(accounts.rows[0]!["id"]), {
        token: environment["MANIFOLD_ACCOUNT_SALES_DATABASE_TOKEN"],
        properties: { password: environment["MANIFOLD_ACCOUNT_SALES_DATABASE_PASSWORD"] },
      });
      const went = await apply(empty.client, dir);
      assert.equal(
        went.notes.filter((note) => !note.includes("ann@example.org")),
        [],
      );
      assert.match(went.notes.join(), "the organization has no user ann@example.org");
      const again = await apply(empty.client, dir, { environment: {} });
      assert.equal([again.createdCount, again.changedCount], [0, 0]);
    },
  );

  test("a user with few rights exports only the records that the user can read, and cannot change other records", async () => {
    const reader = await source.addUser("reader@example.org");
    const dir = folder();
    await exportFolder({ client: reader.client, dir });
    const names = [...filesOf(dir).keys()].filter((name) =>
      /^(datasets|dashboards|accounts)/.test(name),
    );
    assert.equal(
      names.map((name) => name.replace(/-\w+\.json/, "")),
      ["datasets/trips"],
    );
    edit(fileOf(dir, "datasets", "trips"), (text) => text.replace('"en": "Trips"', '"en": "Mine"'));
    const message = await refusalOf(apply(reader.client, dir));
    assert.match(message, /^datasets\/trips-\w+\.json: this call needs the right to /);
    assert.match(message, "Before that, 0 records were created and 0 changed");
  });

  /** A host with more records than fit on a page of 500. The first test that needs it opens it. */
  let wide: Promise<TenantHost> | undefined;
  const exportWide = async () => {
    wide ??= open().then(async (host) => {
      const header = Array.from({ length: 510 }, (_, index) => `column ${index}`);
      await host.client.create("data", { type: "create", data: [], options: { header } });
      return host;
    });
    const from = await wide;
    const dir = folder();
    assert.is((await exportFolder({ client: from.client, dir })).get("column"), 510);
    return { from, dir };
  };

  test.deep("`export` reads all records, even more than fit on a page", async () => {
    await exportWide();
  });

  test.deep("`apply` finds all existing records, even more than fit on a page", async () => {
    const { from, dir } = await exportWide();
    const applied = await apply(from.client, dir);
    assert.equal([applied.createdCount, applied.changedCount, applied.notes], [0, 0, []]);
    assert.ok(applied.unchangedCount >= 511, `${applied.unchangedCount} records`);
  });

  // This takes 511 calls, one after the other.
  test.deep(
    "more records than fit on a page can be transferred to another organization",
    async () => {
      const { dir } = await exportWide();
      const to = await open();
      assert.is((await apply(to.client, dir)).createdCount, 511);
      const before = filesOf(dir);
      await exportFolder({ client: to.client, dir });
      assert.equal(filesOf(dir), before);
      await close(to);
    },
  );

  for (let round = 0; round < rounds({ quick: 1, deep: 1, soak: 10 }); round++)
    test.deep(
      `exporting a random organization and applying the export changes nothing (${round})`,
      () => {
        const random = createPartRandom(round);
        return withSeed(random, async () => {
          const [from, to] = [await open(), await open()];
          await fillAtRandom(from.client, random);
          const dir = folder();
          await exportFolder({ client: from.client, dir });
          const before = filesOf(dir);
          await apply(to.client, dir);
          const again = await apply(to.client, dir);
          assert.equal([again.createdCount, again.changedCount, again.notes], [0, 0, []]);
          await exportFolder({ client: to.client, dir });
          assert.equal(filesOf(dir), before);
          await close(from);
          await close(to);
        });
      },
    );
});
