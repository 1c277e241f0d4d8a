import type { ChartItem } from "../../charts/index.ts";
import { HostError, type CallHost } from "../host/index.ts";

/**
 * Fetches the script of the chart that an item names. Rejects if the call fails, if the chart does not exist, or if it
 * is not approved.
 */
export async function readChart(
  callHost: CallHost,
  { options }: ChartItem,
  signal: AbortSignal,
): Promise<string> {
  const id = options.customChartId;
  if (typeof id !== "string")
    throw new HostError("options.customChartId must be the id of a custom chart", 404);
  const find = { where: { id }, attributes: ["id", "script"] };
  const { rows } = await callHost("customchart", { action: "get", find }, { signal });
  const [row] = Array.isArray(rows) ? rows : [];
  if (row === undefined)
    throw new HostError(
      `custom chart ${id} does not exist, or this token has no access to it`,
      404,
    );
  const { script }: { readonly script?: unknown } = row;
  if (typeof script !== "string")
    throw new HostError(
      "this chart has not been approved yet; ask an owner of the organization to approve it",
      403,
    );
  return script;
}
