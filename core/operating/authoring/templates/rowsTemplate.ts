import { importing } from "./importing.ts";

/** Template of a plugin that returns all rows. The host filters, groups and sorts them. */
export const rowsTemplate = `// A plugin that returns all rows. The host filters, groups and sorts them.
${importing("{ definePlugin }")}

// Replace these rows with yours: from a file, a queue or a device. Cells are in the order of the columns.
const trips = [
  ["Ghent", 3.5, "2024-01-05T08:30:00Z"],
  ["Mons", 5, "2024-02-01T12:00:00Z"],
  ["Ghent", null, null],
];

const plugin = definePlugin({
  datasets: [
    {
      id: "trips",
      columns: [
        { id: "city", type: "hierarchy" },
        { id: "km", type: "numeric" },
        { id: "started", type: "datetime" },
      ],
    },
  ],
  // A generator streams the rows, so that only some of them are in memory at a time.
  async *rows() {
    yield* trips;
  },
});

export default plugin;
`;
