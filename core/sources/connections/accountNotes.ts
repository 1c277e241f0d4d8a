import type { Records, ResourceRow } from "../../base/index.ts";

/** Returns a function that keeps the `invalid` member of an account up to date with its source. Writes only changes. */
export function noteRefusedOf(
  account: ResourceRow<"account">,
  records: Records,
): (isRefused: boolean) => Promise<void> {
  let invalid = account.invalid === true;
  return async (isRefused) => {
    if (isRefused === invalid) return;
    invalid = isRefused;
    await records.change("account", account.id, { invalid });
  };
}

/**
 * Returns a function that keeps the `access_warnings` member of an account up to date after each probe. Writes only
 * changes.
 */
export function noteWarningsOf(
  account: ResourceRow<"account">,
  records: Records,
): (warnings: readonly string[]) => Promise<void> {
  let known = JSON.stringify(account.access_warnings ?? []);
  return async (warnings) => {
    const seen = JSON.stringify(warnings);
    if (seen === known) return;
    known = seen;
    const access_warnings = warnings.length > 0 ? [...warnings] : null;
    await records.change("account", account.id, { access_warnings });
  };
}
