import { createClient, type Client } from "@manifold-analytics/client";
import { columnsOf } from "../support/columnsOf.ts";
import { type Cell, table } from "../support/table.ts";
import type { KeptSources } from "./openSources.ts";

export interface ThreeSources extends Pick<KeptSources, "airports" | "targets"> {
  readonly flightsId: string;
}

/** The members of an explanation that this example prints. */
interface Explanation {
  readonly mode: string;
  readonly steps: readonly {
    readonly clause: string;
    readonly pushed: boolean;
    readonly reason?: string;
  }[];
  readonly filters: readonly { readonly origin: string; readonly expression?: string }[];
  readonly parts: readonly {
    readonly plugin: string;
    readonly clauses: readonly string[];
    readonly rows: number | null;
    readonly milliseconds: number;
  }[];
}

interface Answer {
  readonly data: readonly (readonly Cell[])[];
  readonly explain: Explanation;
}

const header = ["state", "flights", "average delay (min)", "target (min, by airport)"];

/**
 * Returns a query for the average delay of the flights from each state, and for the average target of the airports in
 * that state. Each airport counts once, however many flights it has.
 */
export async function threeSourcesQuery(
  client: Client,
  { flightsId, airports, targets }: ThreeSources,
): Promise<Readonly<Record<string, unknown>>> {
  const { delay } = await columnsOf(client, flightsId);
  const state = { dataset_id: airports.id, column_id: airports.columns["state"] };
  const flights = { dataset_id: flightsId, column_id: "*", aggregation: { type: "count" } };
  return {
    dimensions: [state],
    measures: [
      flights,
      { dataset_id: flightsId, column_id: delay, aggregation: { type: "average" } },
      {
        dataset_id: targets.id,
        column_id: targets.columns["minutes"],
        aggregation: { type: "average" },
      },
    ],
    where: [{ expression: "? is not null", parameters: [state] }],
    order: [{ ...flights, order: "desc" }],
    explain: true,
  };
}

/**
 * Runs the query as the owner, and then with a token that can read only the rows of California. Prints how the host
 * answered the query.
 */
export async function queryThreeSources(
  client: Client,
  url: string,
  sources: ThreeSources,
): Promise<void> {
  const { flightsId, airports, targets } = sources;
  const query = await threeSourcesQuery(client, sources);
  const run = (caller: Client) => caller.get<Answer>("data", { queries: [query] });
  const print = (title: string, { data }: Answer) =>
    process.stdout.write(`\n${title}\n\n${table(header, data)}\n`);

  const whole = await run(client);
  print("How late are flights by state? The store, PostgreSQL and a plugin, joined", whole);
  const token = await client.create<{ id: string; token: string }>("authorization", {
    type: "embed",
    username: "california",
    name: "California",
    email: "california@example.org",
    role: "viewer",
    access: { datasets: [flightsId, airports.id, targets.id].map((id) => ({ id, rights: "use" })) },
    filters: [
      {
        clause: "where",
        origin: "global",
        securable_id: airports.id,
        column_id: airports.columns["state"],
        expression: "? = ?",
        value: "California",
      },
    ],
  });
  const viewer = createClient({ url, key: token.id, token: token.token });
  const secured = await run(viewer);
  print("The same query with a token whose row filter is state = California", secured);
  process.stdout.write(`\n${explained(whole.explain, secured.explain)}\n`);
}

function explained(whole: Explanation, secured: Explanation): string {
  const steps = whole.steps.map(({ clause, pushed, reason }) =>
    pushed ? `${clause}: pushed` : `${clause}: in the host (${reason ?? ""})`,
  );
  const parts = whole.parts.map(({ plugin, clauses, rows, milliseconds }) => {
    const pushed = clauses.length > 0 ? clauses.join(", ") : "plain rows";
    return `${plugin}: ${pushed}; ${rows ?? "?"} rows in ${milliseconds.toFixed(1)} ms`;
  });
  const origins = secured.filters.map(({ origin }) => origin);
  return [
    `Explained: ${whole.mode}`,
    ...steps.map((step) => `  ${step}`),
    "Sources",
    ...parts.toSorted().map((part) => `  ${part}`),
    `Filters of the token's query come from: ${origins.join(", ")}`,
  ].join("\n");
}
