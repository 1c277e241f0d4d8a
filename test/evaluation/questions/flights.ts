import { answered, unanswered, type Question } from "./question.ts";

const count = "count flights";

/** Questions about the demo's flights. */
export const flightQuestions: readonly Question[] = [
  answered("f-count", "en", "How many flights are there?", {
    gold: { of: [count] },
    sql: "select count(*) from flights",
  }),
  answered("f-count-nl", "nl", "Hoeveel vluchten vertrokken er vanuit Atlanta (ATL)?", {
    gold: { of: [count], where: [["flights.origin", "? = ?", "ATL"]] },
    sql: "select count(*) from flights where origin = 'ATL'",
  }),
  answered("f-average-delay", "en", "What is the average delay?", {
    gold: { of: ["average flights.delay"] },
    sql: "select avg(delay) from flights",
  }),
  answered("f-median-delay", "fr", "Quel est le retard médian de tous les vols ?", {
    gold: { of: ["median flights.delay"] },
    sql: "select median(delay) from flights",
  }),
  answered("f-most-delay", "en", "How late was the latest flight, in minutes?", {
    gold: { of: ["max flights.delay"] },
    sql: "select max(delay) from flights",
  }),
  answered(
    "f-earliest",
    "nl",
    "Hoeveel minuten te vroeg was de vroegste vlucht? Geef de vertraging.",
    {
      gold: { of: ["min flights.delay"] },
      sql: "select min(delay) from flights",
    },
  ),
  answered("f-miles", "en", "How many miles were flown in total?", {
    gold: { of: ["sum flights.distance"] },
    sql: "select sum(distance) from flights",
  }),
  answered("f-longest", "fr", "Quelle est la plus longue distance parcourue par un vol ?", {
    gold: { of: ["max flights.distance"] },
    sql: "select max(distance) from flights",
  }),
  answered("f-origins", "en", "From how many different airports do flights leave?", {
    gold: { of: ["distinctcount flights.origin"] },
    sql: "select count(distinct origin) from flights",
  }),
  answered("f-destinations-nl", "nl", "Hoeveel verschillende bestemmingen zijn er?", {
    gold: { of: ["distinctcount flights.destination"] },
    sql: "select count(distinct destination) from flights",
  }),
  answered("f-late-share", "en", "What share of the flights is late?", {
    gold: { of: ["formula flights.lateShare"] },
    sql: "select count(*) filter (where delay > 15) / count(*) from flights",
  }),
  answered("f-per-month", "en", "Number of flights per month, in order of time", {
    gold: { by: ["flights.date:month"], of: [count], order: ["flights.date:month"] },
    sql: "select date_trunc('month', date), count(*) from flights group by 1 order by 1",
    isOrdered: true,
  }),
  answered("f-per-day-fr", "fr", "Nombre de vols par jour", {
    gold: { by: ["flights.date:day"], of: [count] },
    sql: "select date_trunc('day', date), count(*) from flights group by 1",
  }),
  answered("f-per-week", "nl", "Gemiddelde vertraging per week", {
    gold: { by: ["flights.date:week"], of: ["average flights.delay"] },
    sql: "select date_trunc('week', date), avg(delay) from flights group by 1",
  }),
  answered("f-per-quarter", "en", "Miles flown by quarter", {
    gold: { by: ["flights.date:quarter"], of: ["sum flights.distance"] },
    sql: "select date_trunc('quarter', date), sum(distance) from flights group by 1",
  }),
  answered("f-by-hour", "en", "How many flights leave in each hour of the day?", {
    gold: { by: ["flights.hour"], of: [count] },
    sql: "select hour, count(*) from flights group by 1",
  }),
  answered("f-delay-by-hour", "fr", "Retard moyen selon l'heure de départ", {
    gold: { by: ["flights.hour"], of: ["average flights.delay"] },
    sql: "select hour, avg(delay) from flights group by 1",
  }),
  answered("f-top-origins", "en", "Which three airports have the most departures, and how many?", {
    gold: { by: ["flights.origin"], of: [count], order: [`-${count}`], limit: 3 },
    sql: "select origin, count(*) from flights group by 1 order by 2 desc limit 3",
    isOrdered: true,
  }),
  answered("f-top-destination", "nl", "Wat is de drukste bestemming?", {
    gold: { by: ["flights.destination"], of: [count], order: [`-${count}`], limit: 1 },
    sql: "select destination from flights group by 1 order by count(*) desc limit 1",
  }),
  answered("f-top-miles", "fr", "Les 3 aéroports de départ avec le plus de miles au total", {
    gold: {
      by: ["flights.origin"],
      of: ["sum flights.distance"],
      order: ["-sum flights.distance"],
      limit: 3,
    },
    sql: "select origin, sum(distance) from flights group by 1 order by 2 desc limit 3",
    isOrdered: true,
  }),
  answered(
    "f-worst-origin",
    "en",
    "Which airport with at least 50 departures has the worst average delay?",
    {
      gold: {
        by: ["flights.origin"],
        of: ["average flights.delay"],
        having: [[count, "? >= ?", 50]],
        order: ["-average flights.delay"],
        limit: 1,
      },
      sql: "select origin from flights group by 1 having count(*) >= 50 order by avg(delay) desc limit 1",
    },
  ),
  answered(
    "f-best-origin",
    "nl",
    "Welke luchthaven met minstens 50 vertrekken heeft de laagste gemiddelde vertraging?",
    {
      gold: {
        by: ["flights.origin"],
        of: ["average flights.delay"],
        having: [[count, "? >= ?", 50]],
        order: ["average flights.delay"],
        limit: 1,
      },
      sql: "select origin from flights group by 1 having count(*) >= 50 order by avg(delay) limit 1",
    },
  ),
  answered("f-big-origins", "en", "List the airports with more than 60 departures", {
    gold: { by: ["flights.origin"], of: [count], having: [[count, "? > ?", 60]] },
    sql: "select origin from flights group by 1 having count(*) > 60",
  }),
  answered(
    "f-reach",
    "en",
    "How many different destinations does each of ORD, DFW and ATL reach?",
    {
      gold: {
        by: ["flights.origin"],
        of: ["distinctcount flights.destination"],
        where: [["flights.origin", "? in ?", ["ORD", "DFW", "ATL"]]],
      },
      sql: "select origin, count(distinct destination) from flights where origin in ('ORD', 'DFW', 'ATL') group by 1",
    },
  ),
  answered("f-las-lax", "en", "How many flights go from Las Vegas (LAS) to Los Angeles (LAX)?", {
    gold: {
      of: [count],
      where: [
        ["flights.origin", "? = ?", "LAS"],
        ["flights.destination", "? = ?", "LAX"],
      ],
    },
    sql: "select count(*) from flights where origin = 'LAS' and destination = 'LAX'",
  }),
  answered("f-las-lax-distance", "fr", "Quelle est la distance entre LAS et LAX ?", {
    gold: {
      of: ["max flights.distance"],
      where: [
        ["flights.origin", "? = ?", "LAS"],
        ["flights.destination", "? = ?", "LAX"],
      ],
    },
    sql: "select max(distance) from flights where origin = 'LAS' and destination = 'LAX'",
  }),
  answered("f-very-late", "nl", "Hoeveel vluchten hadden meer dan twee uur vertraging?", {
    gold: { of: [count], where: [["flights.delay", "? > ?", 120]] },
    sql: "select count(*) from flights where delay > 120",
  }),
  answered("f-early", "en", "How many flights were early?", {
    gold: { of: [count], where: [["flights.delay", "? < ?", 0]] },
    sql: "select count(*) from flights where delay < 0",
  }),
  answered(
    "f-on-time",
    "fr",
    "Combien de vols étaient exactement à l'heure (retard de 0 minute) ?",
    {
      gold: { of: [count], where: [["flights.delay", "? = ?", 0]] },
      sql: "select count(*) from flights where delay = 0",
    },
  ),
  answered(
    "f-short",
    "nl",
    "Aantal vluchten korter dan 200 mijl, per luchthaven van vertrek, de 1 grootste",
    {
      gold: {
        by: ["flights.origin"],
        of: [count],
        where: [["flights.distance", "? < ?", 200]],
        order: [`-${count}`],
        limit: 1,
      },
      sql: "select origin, count(*) from flights where distance < 200 group by 1 order by 2 desc, 1 limit 1",
    },
  ),
  answered("f-march", "en", "How many flights left in March 2001?", {
    gold: {
      of: [count],
      where: [
        ["flights.date", "? >= ?", "2001-03-01"],
        ["flights.date", "? < ?", "2001-04-01"],
      ],
    },
    sql: "select count(*) from flights where date >= '2001-03-01' and date < '2001-04-01'",
  }),
  answered("f-not-lax", "en", "Average distance of flights that do not go to LAX", {
    gold: { of: ["average flights.distance"], where: [["flights.destination", "? != ?", "LAX"]] },
    sql: "select avg(distance) from flights where destination != 'LAX'",
  }),
  answered("f-between", "fr", "Combien de vols font entre 500 et 1000 miles (bornes comprises) ?", {
    gold: {
      of: [count],
      where: [
        ["flights.distance", "? >= ?", 500],
        ["flights.distance", "? <= ?", 1000],
      ],
    },
    sql: "select count(*) from flights where distance between 500 and 1000",
  }),
  answered("f-late-by-month", "nl", "Welk aandeel van de vluchten is te laat, per maand?", {
    gold: { by: ["flights.date:month"], of: ["formula flights.lateShare"] },
    sql: "select date_trunc('month', date), count(*) filter (where delay > 15) / count(*) from flights group by 1",
  }),
  answered("f-two-measures", "en", "Departures and average delay for LAX, SFO and SAN", {
    gold: {
      by: ["flights.origin"],
      of: [count, "average flights.delay"],
      where: [["flights.origin", "? in ?", ["LAX", "SFO", "SAN"]]],
    },
    sql: "select origin, count(*), avg(delay) from flights where origin in ('LAX', 'SFO', 'SAN') group by 1",
  }),
  answered("f-spread", "fr", "Quel est l'écart type des retards ?", {
    gold: { of: ["stddev flights.delay"] },
    sql: "select stddev_samp(delay) from flights",
  }),
  answered("f-last-day", "en", "How many flights are there on the last day of the data?", {
    gold: { of: [count], where: [["flights.date", "last_available", { unit: 5, quantity: 1 }]] },
    sql: "select count(*) from flights where date > (select max(date) from flights) - interval 1 day",
    isRelative: true,
  }),
  answered("f-first-departure", "nl", "Wanneer vertrok de eerste vlucht?", {
    gold: { of: ["min flights.date"] },
    sql: "select min(date) from flights",
  }),
  answered("f-many-steps-1", "en", "Show the departures of ORD per month", {
    gold: {
      by: ["flights.date:month"],
      of: [count],
      where: [["flights.origin", "? = ?", "ORD"]],
    },
    sql: "select date_trunc('month', date), count(*) from flights where origin = 'ORD' group by 1",
  }),
  answered("f-many-steps-2", "en", "And of DFW?", {
    after: "f-many-steps-1",
    gold: {
      by: ["flights.date:month"],
      of: [count],
      where: [["flights.origin", "? = ?", "DFW"]],
    },
    sql: "select date_trunc('month', date), count(*) from flights where origin = 'DFW' group by 1",
  }),
  answered("f-many-steps-3", "en", "Now the average delay instead of the number", {
    after: "f-many-steps-2",
    gold: {
      by: ["flights.date:month"],
      of: ["average flights.delay"],
      where: [["flights.origin", "? = ?", "DFW"]],
    },
    sql: "select date_trunc('month', date), avg(delay) from flights where origin = 'DFW' group by 1",
  }),
  answered("f-steps-nl-1", "nl", "Hoeveel vluchten landden in Boston (BOS)?", {
    gold: { of: [count], where: [["flights.destination", "? = ?", "BOS"]] },
    sql: "select count(*) from flights where destination = 'BOS'",
  }),
  answered("f-steps-nl-2", "nl", "Verdeel dat per luchthaven van vertrek, de twee grootste", {
    after: "f-steps-nl-1",
    gold: {
      by: ["flights.origin"],
      of: [count],
      where: [["flights.destination", "? = ?", "BOS"]],
      order: [`-${count}`],
      limit: 2,
    },
    sql: "select origin, count(*) from flights where destination = 'BOS' group by 1 order by 2 desc limit 2",
  }),
  unanswered("refuse", "f-airline", "en", "Which airline is the most punctual?"),
  unanswered("refuse", "f-passengers", "fr", "Combien de passagers ont voyagé en mars ?"),
  unanswered("refuse", "f-weather", "nl", "Hoe was het weer op de dag met de meeste vertraging?"),
  unanswered("refuse", "f-fares", "en", "What did a ticket from LAX to SFO cost on average?"),
  unanswered("refuse", "f-future", "en", "How many flights will there be next year?"),
  unanswered("refuse", "f-write", "en", "Delete all flights that were late"),
  unanswered("ask_back", "f-best", "en", "What is the best airport?"),
  unanswered("ask_back", "f-busy", "nl", "Welke luchthaven is de drukste?"),
  unanswered("ask_back", "f-chicago", "fr", "Combien de vols vont à Chicago ?"),
];
