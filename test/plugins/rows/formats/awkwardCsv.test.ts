import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { readDelimited } from "./readDelimited.ts";

/** A column of an awkward file: how its cells are written, and how DuckDB converts them. */
interface AwkwardColumn {
  cell(random: Random): string;
  /** Returns an SQL expression of the value, given the cell as a string. */
  sql(cell: string): string;
}

const grouped = (value: number, group: string) =>
  String(value).replace(/\B(?=(?:\d{3})+$)/g, group);
const two = (value: number) => String(value).padStart(2, "0");
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const instant = (date: string) => `strftime(${date}, '%Y-%m-%dT%H:%M:%S.%gZ')`;

/** Files with the same columns, separator and line ends, which DuckDB reads with one query. */
const filesPerBatch = 40;

const numbers = (group: string, point: string, around = "#"): AwkwardColumn => ({
  cell: (random) => {
    const whole = grouped(1 + random.below(random.pick([9, 10_000_000])), group);
    return around.replace(
      "#",
      `${random.pick(["", "-"])}${whole}${point}${two(random.below(100))}`,
    );
  },
  sql: (cell) =>
    `replace(replace(replace(${cell}, '${around.replace("#", "").trim()}', ''), '${group === "'" ? "''" : group}', ''), '${point}', '.')::double`,
});

const columns: readonly AwkwardColumn[] = [
  numbers(",", "."),
  numbers(".", ","),
  numbers(" ", ","),
  numbers("'", "."),
  numbers(",", ".", "$#"),
  numbers(".", ",", "# \u20ac"),
  numbers("\u202f", ",", "# kr"),
  {
    cell: (random) =>
      random
        .pick(["(#)\u00a0\u20ac", "\u20ac (#)", "\u20ac #-", "#\u20ac", "-\u20ac#"])
        .replace("#", `${random.below(10_000)}.${two(random.below(100))}`),
    sql: (cell) =>
      `(case when ${cell} like '%(%' or ${cell} like '%-%' then -1 else 1 end) * ` +
      `regexp_replace(${cell}, '[^0-9.]', '', 'g')::double`,
  },
  {
    cell: (random) => `${random.below(1000)}.${random.below(10)}%`,
    sql: (cell) => `(replace(${cell}, '%', '') || 'e-2')::double`,
  },
  {
    cell: (random) =>
      `${13 + random.below(15)}/${two(1 + random.below(12))}/${1950 + random.below(99)}`,
    sql: (cell) => instant(`strptime(${cell}, '%d/%m/%Y')`),
  },
  {
    cell: (random) =>
      `${1 + random.below(12)}/${13 + random.below(15)}/${1950 + random.below(99)} ` +
      `${1 + random.below(12)}:${two(random.below(60))} ${random.pick(["AM", "PM"])}`,
    sql: (cell) => instant(`strptime(${cell}, '%-m/%-d/%Y %-I:%M %p')`),
  },
  {
    cell: (random) => `${1 + random.below(28)}-${random.pick(months)}-${1950 + random.below(99)}`,
    sql: (cell) => instant(`strptime(${cell}, '%-d-%b-%Y')`),
  },
  {
    cell: (random) =>
      `${random.pick(["", "x", "\u00e4 ", "\u65e5", '"', "a\nb", "1,5;|\t", "' "])}text`,
    sql: (cell) => cell,
  },
];

suite("plugins/rows/formats with awkward CSV", (test) => {
  test.deep("an awkward file has the values that DuckDB reads with explicit options", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-awkward-"));
    const connection = await (await DuckDBInstance.create()).connect();
    const random = createRandom();
    try {
      await withSeed(random, async () => {
        for (let batch = 0; batch < 250; batch++) {
          const separator = random.pick([",", ";", "\t", "|"]);
          const lineEnd = random.pick(["\n", "\r\n"]);
          const chosen = Array.from({ length: 2 + random.below(4) }, () => random.pick(columns));
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const cell = (text: string) =>
            /[",;|\t\n]/.test(text) || random.chance(0.2) ? quoted(text) : text;
          const header = chosen.map((_, index) => `c${index}`);
          const skipped = random.below(3);
          const titles = Array.from({ length: skipped }, (_, index) => `Report ${index}`);
          const files: string[] = [];
          const cells: (readonly unknown[])[] = [];
          for (let file = 0; file < filesPerBatch; file++) {
            const rows = Array.from({ length: 8 + random.below(16) }, (_, row) =>
              // The first row has all values, so that each column has a type.
              chosen.map((column) =>
                row > 0 && random.chance(0.1) ? "" : cell(column.cell(random)),
              ),
            );
            const lines = [...titles, ...[header, ...rows].map((each) => each.join(separator))];
            const text = lines.join(lineEnd);
            const bytes = random.chance(0.2) ? Buffer.from(`${text}\n`, "utf16le") : text;
            const read = await readDelimited(bytes, { skip_rows: skipped, separator });
            const path = join(folder, `${String(file).padStart(3, "0")}.csv`);
            writeFileSync(path, text);
            files.push(path);
            cells.push(...read.cells.map((row) => [path, ...row]));
          }
          const selected = chosen.map((column, index) => column.sql(`c${index}`)).join(", ");
          const answer = await connection.runAndReadAll(
            `select filename, ${selected} from read_csv([${files.map((file) => `'${file}'`).join(", ")}], ` +
              `delim = '${separator}', header = true, skip = ${skipped}, filename = true, ` +
              `all_varchar = true, quote = '"', escape = '"', auto_detect = false, null_padding = false, ` +
              `columns = {${header.map((name) => `'${name}': 'varchar'`).join(", ")}})`,
          );
          const theirs = answer.getRowsJS();
          assert.is(cells.length, theirs.length);
          for (const [row, expected] of theirs.entries())
            assert.equal(cells[row], expected, `row ${row} of batch ${batch}`);
        }
      });
    } finally {
      connection.closeSync();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
