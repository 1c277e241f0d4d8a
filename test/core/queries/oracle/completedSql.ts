import type { PlainBin } from "../../../support/plainBin.ts";
import { levels, numbersSql, type RowValue } from "./values.ts";
import type { GroupValue } from "./aggregateSql.ts";

/**
 * A complete dimension, of which the query returns all values. `where` is SQL that selects the rows that contain these
 * values.
 */
export interface CompleteKey {
  readonly index: number;
  readonly value: RowValue;
  readonly where: string;
  readonly level?: number;
}

/**
 * Writes the relation `completed`: the rows of `groups` plus the missing rows. The missing rows combine all values of
 * the complete keys with the combinations of the other keys that occur.
 */
export function completedSql(
  complete: readonly CompleteKey[],
  keyCount: number,
  aggregates: readonly GroupValue[],
  zone: number,
): readonly string[] {
  if (complete.length === 0) return [];
  const domains = complete.flatMap((key) => domainSql(key, zone));
  const others = Array.from({ length: keyCount }, (_, index) => index).filter(
    (index) => !complete.some((key) => key.index === index),
  );
  const together =
    others.length > 0
      ? `select distinct ${others.map((index) => `k${index}`).join(", ")} from groups`
      : "select 1 as one";
  const keyOf = (index: number) => (others.includes(index) ? `o.k${index}` : `d${index}.k`);
  const keys = Array.from({ length: keyCount }, (_, index) => index);
  const columns = [
    ...keys.map((index) => `${keyOf(index)} as k${index}`),
    ...aggregates.flatMap(({ empty, tolerance }, index) => [
      empty === "0" ? `coalesce(g.a${index}, 0) as a${index}` : `g.a${index} as a${index}`,
      ...(tolerance ? [`g.t${index} as t${index}`] : []),
    ]),
  ];
  const crossed = complete.map(({ index }) => `cross join domain${index} d${index}`);
  const same = keys.map((index) => `g.k${index} is not distinct from ${keyOf(index)}`);
  return [
    ...domains,
    `together as (${together})`,
    `completed as (select ${columns.join(", ")} from together o ${crossed.join(" ")} left join groups g on ${same.join(" and ")})`,
  ];
}

const steps: Readonly<Record<string, string>> = {
  year: "interval 1 year",
  quarter: "interval 3 month",
  month: "interval 1 month",
  week: "interval 7 day",
  day: "interval 1 day",
};

function domainSql({ index, value, where, level }: CompleteKey, zone: number): readonly string[] {
  const name = `values${index}`;
  const known = `${name} as (select distinct ${value.sql} as k from stored where ${where})`;
  const between = value.bin
    ? binsSql(name, value.bin)
    : level
      ? periodsSql(name, level, value.isDate ? 0 : zone)
      : undefined;
  return [known, `domain${index} as (select k from ${name}${between ? ` union ${between}` : ""})`];
}

function binsSql(name: string, bin: PlainBin): string {
  const place = (end: string) =>
    `round((${end}(k) - '${bin.origin}'::double) / '${bin.width}'::double)::bigint`;
  return `select bin_limit(place::double, ${numbersSql(bin)})
    from (select unnest(generate_series(${place("min")}, ${place("max")})) as place from ${name})`;
}

/**
 * Writes the periods of the time zone's clock, each with the first instant that is not before the start of the period.
 */
function periodsSql(name: string, level: number, zone: number): string {
  const unit = levels[level - 1] ?? "";
  const step = steps[unit];
  if (!step) throw new Error(`complete periods of ${unit} are not asked`);
  const local = (end: string) =>
    `(select date_trunc('${unit}', make_timestamp((epoch_ms(x) + "offset") * 1000))::timestamp
      from (select ${end}(k) as x from ${name}) join offsets on "zone" = ${zone} and epoch_ms(x) >= "from" and epoch_ms(x) < "to")`;
  return `select make_timestamp(start * 1000) from (
    select min(greatest(epoch_ms(l) - "offset", "from")) as start
    from (select unnest(generate_series(${local("min")}, ${local("max")}, ${step})) as l)
    join offsets on "zone" = ${zone} and greatest(epoch_ms(l) - "offset", "from") < "to"
    group by l) where start >= (select epoch_ms(min(k)) from ${name})`;
}
