import type { DataType, Expression } from "../../../../engine/index.ts";
import type { Measure, PublicPart, PublicQuestion, Test } from "../publicPart.ts";
import {
  average,
  call,
  compare,
  contains,
  day,
  differs,
  distinct,
  down,
  isIn,
  max,
  min,
  minuteOf,
  not,
  number,
  part,
  rows,
  sum,
  term,
  text,
  up,
} from "../terms.ts";

const columns: Readonly<Record<string, DataType>> = {
  watch_id: "number",
  event_time: "datetime",
  event_date: "datetime",
  counter_id: "number",
  client_ip: "number",
  region_id: "number",
  user_id: "number",
  url: "text",
  referer: "text",
  title: "text",
  is_refresh: "number",
  is_link: "number",
  is_download: "number",
  dont_count_hits: "number",
  trafic_source_id: "number",
  search_engine_id: "number",
  search_phrase: "text",
  adv_engine_id: "number",
  mobile_phone: "number",
  mobile_phone_model: "text",
  resolution_width: "number",
  window_client_width: "number",
  window_client_height: "number",
  url_hash: "number",
  referer_hash: "number",
};

/**
 * Returns the DuckDB query for rows like the hits of a web analytics service, from a hash of the row and the seed. As
 * in the real rows, most values belong to few users and addresses, and 87 % of the search phrases are empty. Whole
 * numbers stay below 2^53.
 */
function hitsSql(rowCount: number, seed: number): string {
  const hash = (name: string, of = "i") => `hash(${of}, '${name}', ${seed})`;
  const pick = (name: string, count: number, of = "i") => `(${hash(name, of)} % ${count})::bigint`;
  const share = (name: string) => `(${pick(name, 2 ** 40)}::double / ${2 ** 40})`;
  /** Returns a number below `count`. Low numbers are frequent. */
  const skewed = (name: string, count: number, power: number) =>
    `floor(${Math.max(1, Math.round(count))} * pow(${share(name)}, ${power}))::bigint`;
  const isOf = (name: string, percent: number) => `(${pick(name, 1000)} < ${percent * 10})`;
  const address = (of: string) =>
    `'https://' || (case when ${of} % 61 = 7 then 'maps.google.' else 'www.site-' end) || (${pick("site", 4000, `${of} // 9`)}) || '.example/' || (${pick("section", 40, of)}) || '/item/' || substr(md5(${of}::varchar), 1, 30) || '?from=' || ${of} || '&view=gallery'`;
  return `
    select (${pick("watch", 2 ** 53 - 1)})::bigint as watch_id,
      (timestamp '2013-07-01' + to_seconds(floor(i * 2678400.0 / ${rowCount}))) as event_time,
      event_time::date as event_date,
      (case when ${isOf("counter", 4)} then 62 else 100 + ${skewed("counters", 6000, 3)} end)::integer as counter_id,
      (${pick("ip", 2 ** 31 - 10, "u")} + 4)::integer as client_ip,
      (${skewed("region", 5000, 4)})::integer as region_id,
      (${pick("user", 2 ** 40, "u")})::bigint as user_id,
      ${address("a")} as url,
      (case when ${isOf("no referer", 20)} then '' else ${address("b")} end) as referer,
      (case when t % 211 = 3 then 'Google maps and pictures ' else 'Pictures, prices and answers ' end) || substr(md5(t::varchar), 1, 12) || ' of page ' || t as title,
      ${isOf("refresh", 10)}::tinyint as is_refresh,
      ${isOf("link", 5)}::tinyint as is_link,
      ${isOf("download", 1)}::tinyint as is_download,
      ${isOf("counted", 15)}::tinyint as dont_count_hits,
      (${pick("source", 12)} - 1)::tinyint as trafic_source_id,
      (case when ${isOf("engine", 15)} then 1 + ${skewed("engines", 40, 3)} else 0 end)::smallint as search_engine_id,
      (case when ${isOf("phrase", 13)} then 'how to find ' || substr(md5(p::varchar), 1, 8) || ' near ' || p else '' end) as search_phrase,
      (case when ${isOf("adv", 4)} then 1 + ${skewed("advs", 50, 3)} else 0 end)::smallint as adv_engine_id,
      (case when m < 100 then m % 80 else 0 end)::smallint as mobile_phone,
      (case when m < 100 then 'Phone ' || m else '' end) as mobile_phone_model,
      (case when ${isOf("width", 90)} then 800 + 16 * ${skewed("widths", 70, 2)} else ${pick("odd width", 3000)} end)::smallint as resolution_width,
      (${pick("client width", 2000)})::smallint as window_client_width,
      (${pick("client height", 1200)})::smallint as window_client_height,
      (${pick("url", 2 ** 53 - 1, "a")})::bigint as url_hash,
      (${pick("url", 2 ** 53 - 1, "b")})::bigint as referer_hash
    from (select i, ${skewed("users", rowCount * 0.24, 2)} as u,
      ${skewed("addresses", rowCount * 0.36, 2.5)} as a, ${skewed("referers", rowCount * 0.2, 3)} as b,
      ${skewed("titles", rowCount * 0.2, 3)} as t, ${skewed("phrases", rowCount * 0.08, 2)} as p,
      ${pick("phone", 1700)} as m
      from range(${rowCount}) r(i))`;
}

/** The tests that the last seven questions share. */
const counter = (...others: readonly Test[]): readonly Test[] => [
  compare("counter_id", "=", 62),
  compare("event_date", ">=", day("2013-07-01")),
  compare("event_date", "<=", day("2013-07-31")),
  ...others,
];
const isFresh = compare("is_refresh", "=", 0);
const isCounted = compare("dont_count_hits", "=", 0);
const hasPhrase = differs("search_phrase", "");
const refreshes = [rows, sum("is_refresh"), average("resolution_width")];

/** The rest of a question. By default, it has no keys and returns the rows in any order. */
interface Shape {
  readonly keys?: readonly (string | Expression)[];
  readonly measures?: readonly Measure[];
  readonly where?: readonly Test[];
  readonly isRaw?: boolean;
  readonly having?: NonNullable<PublicQuestion["having"]>;
  /** Indexes of outputs; a negative number sorts the output -1 - n in descending order. */
  readonly order?: readonly number[];
  readonly count?: number;
  readonly offset?: number;
}

function shapes(rowCount: number): readonly Shape[] {
  const referer = call(
    "replace",
    call("splitPart", "referer", text("/"), number(3)),
    text("www."),
    text(""),
  );
  const top = (...keys: readonly (string | Expression)[]): Shape => ({
    keys,
    measures: [rows],
    order: [-1 - keys.length],
    count: 10,
  });
  /** Keeps the groups that have 100,000 of the 100 million rows of the original. */
  const frequent = Math.round(rowCount / 1000);
  return [
    { measures: [rows] },
    { measures: [rows], where: [differs("adv_engine_id", 0)] },
    { measures: [sum("adv_engine_id"), rows, average("resolution_width")] },
    { measures: [average("user_id")] },
    { measures: [distinct("user_id")] },
    { measures: [distinct("search_phrase")] },
    { measures: [min("event_date"), max("event_date")] },
    {
      keys: ["adv_engine_id"],
      measures: [rows],
      where: [differs("adv_engine_id", 0)],
      order: [-2],
    },
    { keys: ["region_id"], measures: [distinct("user_id")], order: [-2], count: 10 },
    {
      keys: ["region_id"],
      measures: [sum("adv_engine_id"), rows, average("resolution_width"), distinct("user_id")],
      order: [-3],
      count: 10,
    },
    {
      keys: ["mobile_phone_model"],
      measures: [distinct("user_id")],
      where: [differs("mobile_phone_model", "")],
      order: [-2],
      count: 10,
    },
    {
      keys: ["mobile_phone", "mobile_phone_model"],
      measures: [distinct("user_id")],
      where: [differs("mobile_phone_model", "")],
      order: [-3],
      count: 10,
    },
    { ...top("search_phrase"), where: [hasPhrase] },
    {
      keys: ["search_phrase"],
      measures: [distinct("user_id")],
      where: [hasPhrase],
      order: [-2],
      count: 10,
    },
    { ...top("search_engine_id", "search_phrase"), where: [hasPhrase] },
    top("user_id"),
    top("user_id", "search_phrase"),
    { keys: ["user_id", "search_phrase"], measures: [rows], count: 10 },
    top("user_id", part("minute", "event_time"), "search_phrase"),
    { keys: ["user_id"], isRaw: true, where: [compare("user_id", "=", 435_090_932_899)] },
    { measures: [rows], where: [contains("url", "google")] },
    {
      keys: ["search_phrase"],
      measures: [min("url"), rows],
      where: [contains("url", "google"), hasPhrase],
      order: [-3],
      count: 10,
    },
    {
      keys: ["search_phrase"],
      measures: [min("url"), min("title"), rows, distinct("user_id")],
      where: [contains("title", "Google"), not(contains("url", ".google.")), hasPhrase],
      order: [-4],
      count: 10,
    },
    {
      keys: Object.keys(columns),
      isRaw: true,
      where: [contains("url", "google")],
      order: [1],
      count: 10,
    },
    {
      keys: ["event_time", "search_phrase"],
      isRaw: true,
      where: [hasPhrase],
      order: [0],
      count: 10,
    },
    { keys: ["search_phrase"], isRaw: true, where: [hasPhrase], order: [0], count: 10 },
    {
      keys: ["event_time", "search_phrase"],
      isRaw: true,
      where: [hasPhrase],
      order: [0, 1],
      count: 10,
    },
    {
      keys: ["counter_id"],
      measures: [average(call("length", "url")), rows],
      where: [differs("url", "")],
      having: { measure: 1, above: frequent },
      order: [-2],
      count: 25,
    },
    {
      keys: [referer],
      measures: [average(call("length", "referer")), rows, min("referer")],
      where: [differs("referer", "")],
      having: { measure: 1, above: frequent },
      order: [-2],
      count: 25,
    },
    {
      measures: Array.from({ length: 90 }, (_, added) =>
        sum(call("add", "resolution_width", number(added))),
      ),
    },
    {
      keys: ["search_engine_id", "client_ip"],
      measures: refreshes,
      where: [hasPhrase],
      order: [-3],
      count: 10,
    },
    {
      keys: ["watch_id", "client_ip"],
      measures: refreshes,
      where: [hasPhrase],
      order: [-3],
      count: 10,
    },
    { keys: ["watch_id", "client_ip"], measures: refreshes, order: [-3], count: 10 },
    top("url"),
    top(number(1), "url"),
    top("client_ip", ...[1, 2, 3].map((less) => call("subtract", "client_ip", number(less)))),
    { ...top("url"), where: counter(isCounted, isFresh, differs("url", "")) },
    { ...top("title"), where: counter(isCounted, isFresh, differs("title", "")) },
    {
      ...top("url"),
      where: counter(isFresh, differs("is_link", 0), compare("is_download", "=", 0)),
      offset: 1000,
    },
    {
      ...top(
        "trafic_source_id",
        "search_engine_id",
        "adv_engine_id",
        {
          kind: "case",
          branches: [
            {
              when: {
                kind: "and",
                of: [compare("search_engine_id", "=", 0), compare("adv_engine_id", "=", 0)],
              },
              then: term("referer"),
            },
          ],
          otherwise: text(""),
        },
        "url",
      ),
      where: counter(isFresh),
      offset: 1000,
    },
    {
      ...top("url_hash", "event_date"),
      where: counter(isFresh, isIn("trafic_source_id", -1, 6), compare("region_id", "<", 40)),
      offset: 100,
    },
    {
      ...top("window_client_width", "window_client_height"),
      where: counter(isFresh, isCounted, compare("region_id", "=", 0)),
      offset: 1000,
    },
    {
      keys: [minuteOf("event_time")],
      measures: [rows],
      where: [
        compare("counter_id", "=", 62),
        compare("event_date", ">=", day("2013-07-14")),
        compare("event_date", "<=", day("2013-07-15")),
        isFresh,
        isCounted,
      ],
      order: [0],
      count: 10,
      offset: 1000,
    },
  ];
}

/**
 * The 43 questions of ClickBench, counted from 0 as there. Two tests of a hash, whose values occur only in the original
 * rows, test the region instead. The host of a referrer is cut out without a regular expression. Questions that sort
 * rows by the time also return it, because the API sorts only by columns of the answer.
 */
export function clickbench(rowCount: number, seed: number): PublicPart {
  return {
    name: "clickbench",
    tables: [
      {
        name: "hits",
        columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
        fewValued: ["mobile_phone_model"],
        clickhouseOrder: ["counter_id", "event_date", "user_id", "event_time", "watch_id"],
        sql: hitsSql(rowCount, seed),
      },
    ],
    links: [],
    questions: shapes(rowCount).map(
      ({ keys = [], measures = [], order, count, offset = 0, ...rest }, index) => ({
        ...rest,
        name: `C${index}`,
        table: "hits",
        keys: keys.map(term),
        measures,
        ...(order && { order: order.map((at) => (at < 0 ? down(-1 - at) : up(at))) }),
        ...(count !== undefined && { limit: { count, offset } }),
      }),
    ),
    unsaid: [],
    bars: { duckdb: 2, peers: 1.5, each: 0.7 },
  };
}
