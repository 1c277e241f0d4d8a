import { createRandom } from "../../../support/random.ts";
import { openPeople, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

export interface DashboardHost {
  readonly people: People;
  readonly dataset: Dataset;
  readonly dashboardId: string;
  /** The user who views the dashboard. */
  readonly viewer: Person;
  /** Creates a dashboard with items of the dataset that the viewers can see. */
  create(items: readonly Json[], more?: Json): Promise<string>;
  mint(properties?: Json): Promise<Person>;
  close(): Promise<void>;
}

export const regions = ["north", "south", "east", "west"] as const;
const carriers = ["Delta", "United", "American"] as const;

/** Returns a slot field for a column of the dataset. */
export function fieldOf(dataset: Dataset, name: string, more: Json = {}): Json {
  return { datasetId: dataset.id, columnId: dataset.columns[name], label: { en: name }, ...more };
}

export function itemOf(
  id: string,
  type: string,
  slots: Readonly<Record<string, readonly Json[]>>,
  [col, row, sizeX, sizeY]: readonly [number, number, number, number],
  options: Json = {},
): Json {
  return {
    id,
    type,
    options: { title: { en: id }, ...options },
    position: { col, row, sizeX, sizeY },
    slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
  };
}

/** Opens a host with 3,000 trips, a dashboard about them, and a token that can see it. */
export async function openDashboardHost(
  settings: Parameters<typeof openPeople>[0] = {},
): Promise<DashboardHost> {
  const people = await openPeople(settings);
  const random = createRandom(7);
  const rows = Array.from({ length: 3_000 }, () => [
    random.pick(regions),
    random.pick(carriers),
    new Date(Date.UTC(2001, 0, 1) + random.below(365 * 24) * 3_600_000).toISOString(),
    random.below(2_000),
  ]);
  const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
    type: "create",
    data: rows,
    options: { header: ["region", "carrier", "at", "km"] },
  });
  const [made] = pushed.rows;
  const columns = (made?.columns ?? []).map((column) => [column["source_name"], column["id"]]);
  const dataset: Dataset = { id: made!.id, columns: Object.fromEntries(columns) };
  const ids: string[] = [];
  const create: DashboardHost["create"] = async (items, more = {}) => {
    const { id } = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Trips" },
      contents: {
        version: "0.1.99",
        views: [{ screenModus: "desktop", options: { columns: 48, rowHeight: 16 }, items }],
        ...more,
      },
    });
    ids.push(id);
    return id;
  };
  const mint: DashboardHost["mint"] = (properties = {}) =>
    people.mint({
      access: {
        dashboards: ids.map((id) => ({ id, rights: "read" })),
        datasets: [{ id: dataset.id, rights: "use" }],
      },
      ...properties,
    });
  const field = (name: string, more?: Json) => fieldOf(dataset, name, more);
  const region = field("region", { type: "hierarchy" });
  const carrier = field("carrier", { type: "hierarchy" });
  const month = field("at", { type: "datetime", level: 3 });
  const km = field("km", { type: "numeric", aggregationFunc: "sum" });
  const dashboardId = await create([
    itemOf("by region", "bar-chart", { "y-axis": [region], measure: [km] }, [0, 0, 16, 18]),
    itemOf("by month", "line-chart", { "x-axis": [month], measure: [km] }, [16, 0, 32, 18]),
    itemOf("rows", "regular-table", { columns: [region, carrier, km] }, [0, 18, 24, 18]),
    itemOf("carrier", "slicer-filter", { dimension: [carrier] }, [24, 18, 12, 18]),
    itemOf("total", "evolution-number", { measure: [km] }, [36, 18, 12, 9]),
    itemOf("search", "search-filter", { dimension: [region] }, [36, 27, 12, 9]),
  ]);
  return {
    people,
    dataset,
    dashboardId,
    viewer: await mint(),
    create,
    mint,
    close: () => people.close(),
  };
}
