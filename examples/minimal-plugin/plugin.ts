// A complete plugin: one dataset, four columns, and where its rows come from. The host that asks it
// filters, groups and sorts on its own. Start it with `node plugin.ts`.
import { definePlugin, PluginError, serve } from "manifold/plugin";

// Some airports of the world: code, city, passengers a year in millions, and the day of the opening.
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
  // Cells come in the order of the columns. A generator streams; a plain list would do as well.
  async *rows({ id }) {
    if (id === "airports") yield* airports;
  },
  // Optional: look at the credentials that a user gives when making a connection.
  async authorize({ credentials }) {
    if (credentials.token === "wrong") throw new PluginError("PLUGIN_FORBIDDEN", ["unknown token"]);
  },
});

// `manifold plugin check` and `manifold plugin dev` serve this export.
export default plugin;

// Started alone, it serves itself.
if (import.meta.main) {
  const { PORT = "0", SECRET } = process.env;
  const served = await serve(plugin, {
    port: Number(PORT),
    ...(SECRET && { secret: SECRET }),
  });
  console.log(`The plugin listens on ${served.url}`);
  let closed: Promise<void> | undefined;
  // Ctrl-C under npm comes twice. A failure to close ends the process, as it should.
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => void (closed ??= served.close()));
}
