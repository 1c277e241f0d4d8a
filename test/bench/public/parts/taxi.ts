import type { PublicPart } from "../publicPart.ts";
import { average, call, differs, down, number, part, rows, term, up } from "../terms.ts";

/**
 * Five questions about taxi trips: the four that are asked of New York's 1.1 billion trips, and the pickups by place
 * and hour from ClickHouse's tutorial.
 */
export function taxi(rowCount: number, seed: number): PublicPart {
  const pick = (name: string, count: number) => `(hash(i, '${name}', ${seed}) % ${count})`;
  const share = (name: string) => `(${pick(name, 2 ** 30)}::double / ${2 ** 30})`;
  const year = part("year", "pickup");
  return {
    name: "taxi",
    tables: [
      {
        name: "trips",
        columns: [
          { name: "cab_type", type: "text" },
          { name: "place", type: "text" },
          { name: "pickup", type: "datetime" },
          { name: "passenger_count", type: "number" },
          { name: "trip_distance", type: "number" },
          { name: "total_amount", type: "number" },
        ],
        fewValued: ["cab_type", "place"],
        clickhouseOrder: ["pickup"],
        sql: `select case when ${pick("cab", 10)} = 0 then 'green' else 'yellow' end as cab_type,
          case when ${pick("nowhere", 50)} = 0 then '' else 'Place ' || floor(195 * pow(${share("place")}, 2))::integer end as place,
          timestamp '2009-01-01' + to_seconds(floor(i * 220752000.0 / ${rowCount})) as pickup,
          (case when ${pick("alone", 10)} < 7 then 1 else ${pick("passengers", 8)} end)::integer as passenger_count,
          round(30 * pow(${share("distance")}, 4), 2) as trip_distance,
          round(3 + 80 * pow(${share("amount")}, 3), 2) as total_amount
          from range(${rowCount}) r(i)`,
      },
    ],
    links: [],
    questions: [
      { name: "T1", table: "trips", keys: [term("cab_type")], measures: [rows] },
      {
        name: "T2",
        table: "trips",
        keys: [term("passenger_count")],
        measures: [average("total_amount")],
      },
      { name: "T3", table: "trips", keys: [term("passenger_count"), year], measures: [rows] },
      {
        name: "T4",
        table: "trips",
        keys: [term("passenger_count"), year, call("round", "trip_distance", number(0))],
        measures: [rows],
        order: [up(1), down(3)],
      },
      {
        name: "T5",
        table: "trips",
        keys: [term("place"), part("hour", "pickup")],
        measures: [rows],
        where: [differs("place", "")],
        order: [up(0), up(1)],
      },
    ],
    unsaid: [],
    bars: { duckdb: 4, peers: 3, each: 0.7 },
  };
}
