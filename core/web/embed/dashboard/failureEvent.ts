import { HostError } from "../host/index.ts";
import type { DashboardEvents } from "./dashboardEvents.ts";

/** Returns the detail of the event `error` for a failure of an item, or of the whole dashboard. */
export function failureEvent(failure: unknown, itemId?: string): DashboardEvents["error"] {
  const message = failure instanceof Error ? failure.message : String(failure);
  const { status, requestId } =
    failure instanceof HostError ? failure : { status: 0, requestId: undefined };
  return {
    ...(itemId !== undefined && { itemId }),
    message,
    status,
    ...(requestId !== undefined && { requestId }),
  };
}
