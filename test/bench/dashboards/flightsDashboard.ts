type Json = Readonly<Record<string, unknown>>;

/** Returns the 12 items of the bench's dashboard. Their types are the most common types on existing dashboards. */
export function flightsDashboard(
  datasetId: string,
  columns: Readonly<Record<string, string>>,
): Json[] {
  const field = (name: string, more: Json) => ({
    datasetId,
    columnId: columns[name],
    label: { en: name },
    ...more,
  });
  const level = (of: number) => field("date", { type: "datetime", level: of });
  const text = (name: string) => field(name, { type: "hierarchy" });
  const sum = (name: string) => field(name, { type: "numeric", aggregationFunc: "sum" });
  const count = field("delay", { type: "numeric", aggregationFunc: "count" });
  const average = field("delay", { type: "numeric", aggregationFunc: "average" });
  const top = { limit: { number: 12 } };
  let place = 0;
  const item = (
    id: string,
    type: string,
    slots: Readonly<Record<string, readonly Json[]>>,
    options: Json = {},
  ) => {
    const position = {
      col: (place % 4) * 12,
      row: Math.floor(place / 4) * 18,
      sizeX: 12,
      sizeY: 18,
    };
    place++;
    return {
      id,
      type,
      position,
      options: { title: { en: id }, ...options },
      slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
    };
  };
  return [
    item("flights", "evolution-number", { measure: [count] }),
    item("distance", "evolution-number", { measure: [sum("distance")] }),
    item("by month", "line-chart", { "x-axis": [level(3)], measure: [count] }),
    item("delay by month", "line-chart", { "x-axis": [level(3)], measure: [average] }),
    item("by week", "column-chart", { "x-axis": [level(4)], measure: [count] }),
    item("by hour", "column-chart", {
      "x-axis": [field("hour", { type: "numeric", bins: { enabled: true, number: 12 } })],
      measure: [count],
    }),
    item("by origin", "bar-chart", { "y-axis": [text("origin")], measure: [count] }, top),
    item("by destination", "bar-chart", { "y-axis": [text("destination")], measure: [count] }, top),
    item("by quarter", "column-chart", { "x-axis": [level(2)], measure: [sum("distance")] }),
    item("late origins", "bar-chart", { "y-axis": [text("origin")], measure: [average] }, top),
    item("origins", "regular-table", { columns: [text("origin"), count, sum("distance")] }),
    item("area", "area-chart", { "x-axis": [level(3)], measure: [sum("distance")] }),
  ];
}
