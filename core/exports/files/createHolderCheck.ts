import type { Knex } from "knex";
import { isInNetworks, lacks, type Principals } from "../../identity/index.ts";
import type { ExportFile } from "./exportFile.ts";

/**
 * Creates the check that runs when someone opens a file by its link. The owner of the file must still be allowed to
 * export, and to reach the host from the visitor's address. If the file was requested with a key, the key must still
 * exist. The file of a schedule belongs to a person, and the organization of that person may admit people only from its
 * own networks.
 */
export function createHolderCheck({
  knex,
  principals,
}: {
  readonly knex: Knex;
  readonly principals: Pick<Principals, "ofToken" | "ofUsers">;
}): (file: ExportFile, address: string) => Promise<boolean> {
  const mayReach = async (organizationId: string, address: string): Promise<boolean> => {
    const row: { readonly allowed_addresses: readonly string[] | null } | undefined = await knex(
      "organization",
    )
      .where({ id: organizationId })
      .first("allowed_addresses");
    const networks = row?.allowed_addresses ?? null;
    return row !== undefined && (networks === null || isInNetworks(address, networks));
  };
  return async (file, address) => {
    const { authorization_id: key, user_id: userId, organization_id: organizationId } = file;
    const holder =
      key === null
        ? (await principals.ofUsers([userId])).get(userId)
        : await principals.ofToken(key, address);
    if (holder?.organizationId !== organizationId || lacks(holder, "flag_export")) return false;
    return key !== null || mayReach(organizationId, address);
  };
}
