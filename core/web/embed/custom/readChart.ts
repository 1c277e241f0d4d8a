import type { ChartItem } from "../../charts/index.ts";
import { HostError, type Ask } from "../host/index.ts";

/** The type of items that a chart of the organization's own draws. */
export const customType = "custom-chart";

/** Reads the script of the chart that an item names. Rejects as `ask` does, and for a chart that is not there. */
export async function readChart(
  ask: Ask,
  { options }: ChartItem,
  signal: AbortSignal,
): Promise<string> {
  const id = options.customChartId;
  if (typeof id !== "string") throw new HostError("options.customChartId names no chart", 404);
  const find = { where: { id }, attributes: ["id", "script"] };
  const { rows } = await ask("customchart", { action: "get", find }, { signal });
  const [row] = Array.isArray(rows) ? rows : [];
  if (row === undefined)
    throw new HostError(`there is no chart ${id} that this token may see`, 404);
  const { script }: { readonly script?: unknown } = row;
  if (typeof script !== "string")
    throw new HostError(
      "this chart has not been approved yet; ask an owner of the organization to approve it",
      403,
    );
  return script;
}
