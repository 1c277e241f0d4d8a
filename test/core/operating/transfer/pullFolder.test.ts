import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { applyFolder, runPull } from "../../../../core/operating/transfer/index.ts";
import { openFieldHost, type FieldHost } from "../../../support/fieldHost.ts";
import { suite } from "../../../support/suite.ts";
import { fieldIds, fieldRecords } from "./fillFieldHost.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

const connectors = ["postgresql", "files"];

suite("core/operating/transfer/pullFolder", (test) => {
  const folders: string[] = [];
  let field: FieldHost;
  let host: TenantHost;
  test.before(async () => {
    field = await openFieldHost({ ...fieldRecords(), pageSize: 10 });
    host = await openTenantHost();
  });
  test.after(async () => {
    await host.close();
    await field.close();
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "manifold-pull-"));
    folders.push(made);
    return made;
  };
  const credentials = { MANIFOLD_FROM_KEY: "k", MANIFOLD_FROM_TOKEN: "from-token" };
  const pull = async (args: readonly string[], environment: object = credentials) => {
    const lines: string[] = [];
    const given = ["--calls-per-second", "1000", ...args];
    await runPull(given, { ...environment }, connectors, (line) => lines.push(line));
    return lines;
  };
  const refusal = (args: readonly string[], environment: object = credentials) =>
    pull(args, environment).then(
      () => "nothing was refused",
      (failure: Error) => failure.message,
    );
  const ask = async (find: object) =>
    (await host.client.get<{ data: unknown[][] }>("data", { ...find })).data;
  const idOf = async (name: string): Promise<string> => {
    const { rows } = await host.client.get("securable", { attributes: ["id", "name"] });
    return String(rows.find((row) => JSON.stringify(row["name"]).includes(name))?.["id"]);
  };

  test("an organization of the field's product is pulled with its rows, and applied here", async () => {
    const dir = folder();
    await pull(["--from", `${field.url}/`, "--dir", dir, "--rows"]);
    const applied = await applyFolder({
      client: host.client,
      dir,
      environment: {},
      loadsRows: true,
    });
    assert.is(applied.changedCount, 0);
    const trips = await idOf("Trips");
    const { rows } = await host.client.get("column", {
      where: { securable_id: trips },
      attributes: ["id", "source_name", "type"],
    });
    const columnId = (name: string) =>
      rows.find(({ source_name: sourceName }) => sourceName === name)?.["id"];
    const answer = await ask({
      dimensions: [{ column_id: columnId("city"), dataset_id: trips }],
      measures: [
        { column_id: columnId("km"), dataset_id: trips },
        { column_id: "*", dataset_id: trips, aggregation: { type: "count" } },
      ],
      order: [{ column_id: columnId("city"), dataset_id: trips, order: "asc" }],
    });
    const expected = new Map<string | null, [number, number]>();
    for (let row = 0; row < 25; row++) {
      const city = row === 7 ? null : `c${row % 4}`;
      const [km, count] = expected.get(city) ?? [0, 0];
      expected.set(city, [km + (row === 3 ? 0 : row / 4), count + 1]);
    }
    const shown = answer.map(([city, ...rest]) => [(city as { id: string } | null)?.id, ...rest]);
    for (const [city, km, count] of shown)
      assert.equal([km, count], expected.get((city as string | undefined) ?? null));
    assert.is(shown.length, expected.size);
    const place = { column_id: columnId("place"), dataset_id: trips };
    const [[cell]] = (await ask({ dimensions: [place], measures: [] })) as [[{ id: string }]];
    assert.equal(JSON.parse(cell.id), { label: "x", coords: [1, 2] });
    assert.match(await idOf("Board"), /^[0-9a-f-]{36}$/);
  });

  test("the report names everything that is lost, changed or not drawn here", async () => {
    const dir = folder();
    await pull(["--from", field.url, "--dir", dir]);
    const report = readFileSync(join(dir, "REPORT.md"), "utf8");
    for (const line of [
      /^- account "Warehouse" is left out, because this version has no connector or plugin snowflake$/m,
      /^- dataset "Orders" becomes a stored dataset, because its connection is not available here/m,
      /^- formula "Odd" is left out, because its expression is not understood: /m,
      /^- column "Place" becomes a column of strings, because values of type spatial cannot/m,
      /^- dashboard "Board" .*dynamic-imageobject/m,
      /^- people \(2\) are not pulled: invite/m,
      /^- accelerations \(1\) are not pulled: create/m,
      /^- dataset "Trips" is pulled without its rows$/m,
      /^- every plugin is left out, because the host does not show them: Not found$/m,
      /^- links of every dataset to Groups, Tags, Original are left out/m,
    ])
      assert.match(report, line);
    assert.not.match(report, /from-token/);
    const paths = readdirSync(dir, { recursive: true, encoding: "utf8" });
    const files = paths.map((path) => join(dir, path)).filter((path) => statSync(path).isFile());
    assert.ok(files.length > 5);
    for (const path of files) assert.not.match(readFileSync(path, "utf8"), /from-token/);
  });

  test("a dry run lists the differences and writes nothing", async () => {
    const dir = join(folder(), "none");
    const lines = await pull(["--from", field.url, "--dir", dir, "--dry-run"]);
    assert.ok(lines.some((line) => line.startsWith('formula "Odd" is left out')));
    assert.ok(lines.includes("2 dataset"));
    assert.is(lines.at(-1), "nothing was written, because of --dry-run");
    assert.not.ok(existsSync(dir));
  });

  test("a pull waits when the host limits its calls, and continues after a cut with the missing rows", async () => {
    const dir = folder();
    const args = ["--from", field.url, "--dir", dir, "--rows"];
    field.refuseNext(1);
    field.cutRowsAfter(2);
    assert.match(await refusal(args), "does not respond");
    field.cutRowsAfter(Infinity);
    const begunCount = field.calls.length;
    await pull(args);
    const offsets = field.calls.slice(begunCount).flatMap(({ find }) => {
      const { dimensions = [], limit } = find as {
        readonly dimensions?: readonly { readonly dataset_id: string }[];
        readonly limit?: { readonly offset: number };
      };
      return dimensions[0]?.dataset_id === fieldIds.trips ? [limit?.offset] : [];
    });
    assert.equal(offsets, [20]);
    const text = readFileSync(join(dir, "rows", `${fieldIds.trips}.jsonl`), "utf8");
    const lines = text.trimEnd().split("\n");
    assert.is(lines.length, 26);
    assert.is(new Set(lines).size, 26);
  });

  test("loaded rows are not loaded again, and rows that other people pushed are kept", async () => {
    const dir = folder();
    await pull(["--from", field.url, "--dir", dir, "--rows"]);
    const other = await openTenantHost();
    try {
      const apply = async () => {
        const lines: string[] = [];
        const report = (line: string) => void lines.push(line);
        await applyFolder({ client: other.client, dir, environment: {}, loadsRows: true, report });
        return lines.filter((line) => line.includes("rows"));
      };
      assert.equal(await apply(), [
        'loaded 2 rows into dataset "Orders"',
        'loaded 25 rows into dataset "Trips"',
      ]);
      assert.equal(await apply(), []);
      rmSync(join(dir, `rows.${await organizationOf(other)}.json`));
      assert.equal(await apply(), [
        `note: dataset "Orders" has rows already; the rows of rows/${fieldIds.orders}.jsonl were not loaded`,
        `note: dataset "Trips" has rows already; the rows of rows/${fieldIds.trips}.jsonl were not loaded`,
      ]);
    } finally {
      await other.close();
    }
  });

  test("missing arguments, other folders and wrong addresses are named", async () => {
    const dir = folder();
    assert.match(await refusal(["--dir", dir]), "--from");
    assert.match(await refusal(["--from", field.url]), "--dir");
    assert.match(await refusal(["--from", "field", "--dir", dir]), "--from must be");
    assert.match(await refusal(["--from", field.url, "--dir", dir], {}), "MANIFOLD_FROM_KEY");
    assert.match(
      await refusal(["--from", field.url, "--dir", dir, "--calls-per-second", "0"]),
      "--calls-per-second",
    );
    const foreign = folder();
    writeFileSync(join(foreign, "notes.txt"), "mine");
    assert.match(await refusal(["--from", field.url, "--dir", foreign]), "contains other files");
  });

  test("a host that redirects does not receive the key pair elsewhere", async () => {
    let isReached = false;
    const elsewhere = createServer((_request, response) => {
      isReached = true;
      response.end("{}");
    });
    elsewhere.listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    const redirecting = createServer((_request, response) =>
      response.writeHead(307, { Location: target }).end(),
    );
    redirecting.listen(0, "127.0.0.1");
    await once(redirecting, "listening");
    const from = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const message = await refusal(["--from", from, "--dir", folder()]);
    for (const server of [elsewhere, redirecting]) {
      server.closeAllConnections();
      server.close();
    }
    assert.match(message, "does not respond");
    assert.not.ok(isReached);
  });
});

async function organizationOf({ client }: TenantHost): Promise<string> {
  return String((await client.get("organization")).rows[0]?.["id"]);
}
