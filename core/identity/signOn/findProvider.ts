import { isUuid, type Records, type ResourceRow } from "../../base/index.ts";
import { parseProvider, type Provider } from "./provider.ts";

/** An ssoconfig through which people sign on, with its provider. */
export interface FoundProvider {
  readonly row: ResourceRow<"ssoconfig">;
  readonly provider: Provider;
}

/** Returns whether people can sign on through an ssoconfig. */
export function isServed({ active, type }: ResourceRow<"ssoconfig">): boolean {
  return active && type === "openid";
}

/**
 * Finds the provider of an ssoconfig; undefined if the ssoconfig does not exist or is inactive. Executes one SQL
 * statement.
 */
export async function findProvider(
  records: Pick<Records, "find">,
  configId: string,
): Promise<FoundProvider | undefined> {
  const rows = isUuid(configId) ? await records.find("ssoconfig", { id: configId }) : [];
  const row = rows.find(isServed);
  return row && { row, provider: parseProvider(row.config) };
}
