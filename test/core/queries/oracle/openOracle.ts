import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { macros } from "../expressions/randomTyped.ts";
import { columns, type World } from "./world.ts";
import { endMs, zoneOffsets } from "./zoneOffsets.ts";

export type OracleCell = string | number | boolean | null;

/** DuckDB, loaded with the rows of one world at a time. */
export interface Oracle {
  load(world: World): Promise<void>;
  sendQuery(sql: string): Promise<OracleCell[][]>;
  close(): void;
}

/**
 * Letters that simple case folding (CaseFolding.txt, C and S) treats as equal to another letter, whereas converting to
 * lower case does not make the two equal. Simple folding leaves İ unchanged, so `fold` does not convert it to lower
 * case.
 */
const folded = [..."ςKÅſẞ"].join("");
const foldedTo = [..."σkåsß"].join("");

const prepare = [
  ...macros,
  `create macro fold(x) as lower(translate(x, '${folded}İ', '${foldedTo}\uE000'))`,
  `create macro place(l, f) as (f * (len(l) - 1))`,
  `create macro percentile_of(l, f) as l[floor(place(l, f))::bigint + 1]
     + (l[ceil(place(l, f))::bigint + 1] - l[floor(place(l, f))::bigint + 1]) * (place(l, f) - floor(place(l, f)))`,
  `create macro bin_limit(k, w, o, b, s, c) as ((b + k * s) / c)`,
  `create macro bin_pick(x, k, w, o, b, s, c) as (case when bin_limit(k, w, o, b, s, c) > x then bin_limit(k - 1, w, o, b, s, c)
    when bin_limit(k + 1, w, o, b, s, c) <= x then bin_limit(k + 1, w, o, b, s, c) else bin_limit(k, w, o, b, s, c) end)`,
  `create macro bin_start(x, w, o, b, s, c) as bin_pick(x, floor((x - o) / w), w, o, b, s, c)`,
  `create macro ms(x) as epoch_ms(x)::double`,
];

/** Opens an in-memory DuckDB that runs SQL. */
export async function openOracle(): Promise<Oracle> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  for (const sql of prepare) await connection.run(sql);
  return {
    load: (world) => load(connection, world),
    async sendQuery(sql) {
      const reader = await connection.runAndReadAll(sql).catch((cause: unknown) => {
        throw new Error(`${String(cause)}\n${sql}`, { cause });
      });
      return reader.getRows().map((row) => row.map((cell) => cell as OracleCell));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const stored = columns.filter(({ expression }) => expression === undefined);
const datetimes = stored.filter(({ type }) => type === "datetime").map(({ id }) => id);
const sqlTypes = { numeric: "double", hierarchy: "varchar", datetime: "timestamp" } as const;

async function load(connection: DuckDBConnection, { rows, zones }: World): Promise<void> {
  const definitions = stored.map(({ id, type }) => `"${id}" ${sqlTypes[type as "numeric"]}`);
  await connection.run(`create or replace table given ("row" int, ${definitions.join(", ")})`);
  const lines = rows.map(
    (row, index) =>
      `(${[String(index), ...stored.map(({ type }, place) => literal(row[place] ?? null, type))].join(", ")})`,
  );
  for (let start = 0; start < lines.length; start += 500)
    await connection.run(`insert into given values ${lines.slice(start, start + 500).join(", ")}`);
  const instants = rows.flatMap((row) =>
    stored.flatMap(({ type }, place) => {
      const cell = row[place];
      return type === "datetime" && typeof cell === "string" ? [Date.parse(cell)] : [];
    }),
  );
  const offsets = zones.flatMap((zone, index) =>
    zoneOffsets(zone, instants).map(
      ({ from, to, offset }) => `(${index}, ${from}::bigint, ${to}::bigint, ${offset}::bigint)`,
    ),
  );
  await connection.run(
    `create or replace table offsets as select * from (values (-1, 0::bigint, 0::bigint, 0::bigint) ${offsets.map((each) => `, ${each}`).join("")}) as x("zone", "from", "to", "offset")`,
  );
  await connection.run(clockSql(zones.length));
  await connection.run(rowsSql(zones.length));
}

const calendar = ["year", "quarter", "month", "week", "day"];
const clocked = { hour: 3_600_000, minute: 60_000, second: 1000 };

/**
 * Writes SQL for a table of every instant and zone: the time on the zone's clock and the start of each period, as UTC
 * timestamps.
 */
function clockSql(zoneCount: number): string {
  const all = datetimes
    .map((id) => `select epoch_ms("${id}") as instant from given`)
    .join(" union ");
  const shown = `select i.instant, o."zone", o."from", o."offset", i.instant + o."offset" as local
    from (select distinct instant from (${all}) where instant is not null) i
    join offsets o on i.instant >= o."from" and i.instant < o."to"`;
  const starts = calendar.map(
    (level) => `select c.instant, c."zone", '${level}' as level,
       greatest(-${endMs}, min(greatest(epoch_ms(date_trunc('${level}', ${timestamp("c.local")})::timestamp) - o."offset", o."from"))) as start
     from shown c join offsets o on o."zone" = c."zone"
       and greatest(epoch_ms(date_trunc('${level}', ${timestamp("c.local")})::timestamp) - o."offset", o."from") < o."to"
     group by all`,
  );
  const picks = Array.from({ length: zoneCount }, (_, zone) => [
    `max(local) filter ("zone" = ${zone} and level = 'day') as "local@${zone}"`,
    ...calendar.map(
      (level) =>
        `max(start) filter ("zone" = ${zone} and level = '${level}') as "${level}@${zone}"`,
    ),
    ...Object.entries(clocked).map(
      ([level, length]) =>
        `max(greatest(local - ((local % ${length}) + ${length}) % ${length} - "offset", "from")) filter ("zone" = ${zone} and level = 'day') as "${level}@${zone}"`,
    ),
  ]).flat();
  return `create or replace table clock as with shown as (${shown}), starts as (${starts.join(" union all ")})
    select instant, ${picks.join(", ")} from starts join shown using (instant, "zone") group by instant`;
}

function rowsSql(zoneCount: number): string {
  const zones = Array.from({ length: zoneCount }, (_, zone) => zone);
  const parts = ["local", ...calendar, ...Object.keys(clocked)];
  const clocks = datetimes.flatMap((id) =>
    zones.flatMap((zone) =>
      parts.map((part) => `${timestamp(`c_${id}."${part}@${zone}"`)} as "${id}@${part}@${zone}"`),
    ),
  );
  const joins = datetimes.map(
    (id) => `left join clock c_${id} on c_${id}.instant = epoch_ms(g."${id}")`,
  );
  return `create or replace table stored as select g.*, ${clocks.join(", ")} from given g ${joins.join(" ")}`;
}

const timestamp = (milliseconds: string) => `make_timestamp((${milliseconds} * 1000)::bigint)`;

/** Writes a cell of an answer as a DuckDB literal. */
export function literal(cell: string | number | null, type: string): string {
  if (cell === null) return `null::${sqlTypes[type as "numeric"]}`;
  if (type === "datetime") return `make_timestamp(${instantOf(String(cell))}000::bigint)`;
  if (type === "numeric") return `'${Object.is(cell, -0) ? "-0" : cell}'::double`;
  return `'${String(cell).replaceAll("'", "''")}'`;
}

/** Returns the milliseconds of an ISO string. Without a zone, the string is read as UTC. */
function instantOf(text: string): number {
  const isNaive = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text);
  return Date.parse(isNaive ? `${text}Z` : text);
}
