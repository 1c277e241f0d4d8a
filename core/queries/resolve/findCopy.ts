import type { Records, ResourceRow } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";

/** A copy that has all columns of its dataset. */
interface FoundCopy {
  /** The id of the copy in the store. */
  readonly id: string;
  readonly asOfMs: number;
  /** Throws if the connection has expired since the copy was found. @throws {PluginError} PLUGIN_FORBIDDEN */
  refuseExpired(): void;
}

/**
 * Returns the copy of an accelerated dataset. Undefined if the source must be queried, for one of three reasons: no
 * copy exists yet; the copy lacks a column or has it with another type; the connection has expired or is inactive, so
 * the query to the source must fail with that reason.
 */
export async function findCopy(
  { id, acceleration_id, account_id }: ResourceRow<"securable">,
  columns: readonly ResourceRow<"column">[],
  records: Records,
): Promise<FoundCopy | undefined> {
  if (acceleration_id === null) return undefined;
  const [copy] = await records.find("datasetcopy", { securable_id: id });
  if (!copy || copy.copy_id === null || copy.as_of === null) return undefined;
  const typeOf = new Map((copy.columns ?? []).map((each) => [each["id"], each["type"]]));
  const isWhole = columns.every(
    (column) => column.expression || column.missing_since || typeOf.get(column.id) === column.type,
  );
  if (!isWhole) return undefined;
  const [account] = await records.find("account", { id: account_id });
  if (!account || account.active === false) return undefined;
  const expiresAt = account.expiry?.getTime() ?? Infinity;
  if (expiresAt <= Date.now()) return undefined;
  return {
    id: copy.copy_id,
    asOfMs: copy.as_of.getTime(),
    refuseExpired() {
      if (Date.now() < expiresAt) return;
      throw new PluginError("PLUGIN_FORBIDDEN", [
        `the connection of the dataset ${id} expired at ${new Date(expiresAt).toISOString()}; set expiry of the account to a later instant or to null`,
      ]);
    },
  };
}
