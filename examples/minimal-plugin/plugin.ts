// A complete plugin: one dataset, four columns, and the source of its rows. The host filters, groups and sorts them.
// Start it with `node plugin.ts`.
import { definePlugin, PluginError, serve } from "@manifold-analytics/plugin";

// Some of the world's airports: code, city, passengers per year in millions, and the opening day.
const airports = [
  ["ATL", "Atlanta", 108.1, "1926-09-15"],
  ["DXB", "Dubai", 92.3, "1960-09-30"],
  ["HND", "Tokyo", 85.9, "1931-08-25"],
  ["LHR", "London", 83.9, "1946-03-25"],
  ["CDG", "Paris", 70.3, "1974-03-08"],
  ["AMS", "Amsterdam", 66.8, "1916-09-16"],
  ["BRU", "Brussels", 23.6, null],
];

const plugin = definePlugin({
  datasets: [
    {
      id: "airports",
      name: { en: "Airports", fr: "Aéroports" },
      columns: [
        { id: "code", name: "Code", type: "hierarchy" },
        { id: "city", name: "City", type: "hierarchy" },
        { id: "passengers", name: "Passengers (millions)", type: "numeric" },
        { id: "opened", name: "Opened", type: "datetime", subtype: "date" },
      ],
    },
  ],
  // The cells of a row are in the order of the columns. A generator streams the rows. A function that returns an array
  // works too.
  async *rows({ id }) {
    if (id === "airports") yield* airports;
  },
  // Optional. Checks the credentials that a user enters to create a connection.
  async authorize({ credentials }) {
    if (credentials.token === "wrong") throw new PluginError("PLUGIN_FORBIDDEN", ["unknown token"]);
  },
});

// `manifold plugin check` and `manifold plugin dev` serve this export.
export default plugin;

// If you run this file directly, the plugin serves itself.
if (import.meta.main) {
  const { PORT = "0", SECRET } = process.env;
  const served = await serve(plugin, {
    port: Number(PORT),
    ...(SECRET && { secret: SECRET }),
  });
  console.log(`The plugin listens on ${served.url}`);
  let closed: Promise<void> | undefined;
  // Under npm, the process receives Ctrl-C twice, but closes only once. If closing fails, the process exits with an
  // error.
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => void (closed ??= served.close()));
}
