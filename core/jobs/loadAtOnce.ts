import { isObject, type ResourceHandlers, wrapHandlers } from "../base/index.ts";
import type { Jobs } from "./openJobs.ts";

/**
 * Wraps the handlers of datasets so that accelerating a dataset starts its load. Otherwise, the load would wait until
 * the clock polls again, for some seconds.
 */
export function loadAtOnce(
  handlers: ResourceHandlers,
  { look }: Pick<Jobs, "look">,
): ResourceHandlers {
  return wrapHandlers(handlers, (handler, action) => {
    if (action !== "associate") return handler;
    return async (call) => {
      const answer = await handler(call);
      const { resource } = call.body;
      // The clock logs its failures itself.
      if (isObject<"role">(resource) && resource.role === "Acceleration") void look();
      return answer;
    };
  });
}
