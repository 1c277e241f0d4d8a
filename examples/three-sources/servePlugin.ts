import { definePlugin, serve, type Served } from "@manifold-analytics/plugin";

/** The target of each airport, which is its average delay in minutes. */
const targets: readonly (readonly [string, number])[] = [
  ["ATL", 8],
  ["BOS", 6],
  ["DEN", 5],
  ["DFW", 6],
  ["IAH", 5],
  ["JFK", 9],
  ["LAX", 4],
  ["LGA", 9],
  ["MIA", 7],
  ["ORD", 10],
  ["SAN", 3],
  ["SEA", 7],
  ["SFO", 8],
];

/** Serves a plugin over HTTP with one dataset, which contains the targets. The host filters and groups the rows. */
export function servePlugin(port: number, secret: string): Promise<Served> {
  const plugin = definePlugin({
    datasets: [
      {
        id: "targets",
        name: { en: "Targets" },
        columns: [
          { id: "airport", name: "Airport", type: "hierarchy" },
          { id: "minutes", name: "Minutes", type: "numeric" },
        ],
      },
    ],
    async *rows() {
      yield* targets;
    },
  });
  return serve(plugin, { port, secret });
}
