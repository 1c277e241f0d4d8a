import { allowThrough } from "../rights/allow.ts";
import type { Allow } from "../kernel/index.ts";
import { securable } from "../securables/securable.ts";

const onSecurable = allowThrough(() => securable, "securable_id");

/**
 * Allows shared records of a dashboard or dataset: reading to whoever can read the dashboard or dataset, and changes to
 * whoever owns it.
 */
export const allowReaders: Allow = (query, alias, right, principal, under) => {
  const needed = right === "read" || right === "use" ? "read" : "own";
  query
    .where(`${alias}.shared`, true)
    .where((rule) => onSecurable(rule, alias, needed, principal, under));
};
