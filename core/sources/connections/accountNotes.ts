import type { Records, ResourceRow } from "../../base/index.ts";

/** Keeps `invalid` of an account as its source last had it; writes when that changes. */
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

/** Updates `access_warnings` of an account after a probe; writes only changes. */
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
