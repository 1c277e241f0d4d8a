import type { Client } from "../../web/client/index.ts";
import { expectOwnFolder, readIds, readManifest } from "./folder.ts";
import { readElements, readTenant } from "./readTenant.ts";
import { hasElements, type TransferRecord } from "./record.ts";
import { rewriteIds } from "./rewriteIds.ts";
import { TransferError } from "./transferError.ts";
import { writeModel } from "./writeModel.ts";

export interface ExportOptions {
  readonly client: Client;
  /** The path of the folder. The folder may be missing, be empty, or contain an earlier export. */
  readonly dir: string;
}

/** Returns the inverse map, from the ids of an organization to the ids in the files. */
const inverse = (ids: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...ids].map(([id, target]) => [target, id]));

/**
 * Writes the model of an organization to a folder, one file per record, as far as the caller may read it. Removes the
 * files of deleted records. Secrets and rows are not exported. A folder that was applied to the organization keeps its
 * own ids, so that only actual changes appear as differences. Returns the number of records by kind.
 * @throws {TransferError} if the folder contains other files
 * @throws {ClientError}
 */
export async function exportFolder({
  client,
  dir,
}: ExportOptions): Promise<ReadonlyMap<string, number>> {
  await expectOwnFolder(dir);
  const manifest = await readManifest(dir);
  const { organization, records } = await readTenant(client);
  const { ids } = await readIds(dir, organization.id);
  const isOwn = manifest === undefined || manifest.organization.id === organization.id;
  if (!isOwn && ids.get(manifest.organization.id) !== organization.id)
    throw new TransferError(
      `${dir} contains another organization, ${manifest.organization.id}; export to another folder, or apply this folder to the organization first`,
    );
  const whole: TransferRecord[] = [];
  for (const record of records) {
    const elements = hasElements(record) && {
      elements: await readElements(client, record.id),
    };
    whole.push({ ...record, ...elements });
  }
  return writeModel(
    dir,
    manifest ?? { format: "manifold-tenant", version: 1, organization },
    rewriteIds(whole, inverse(ids)),
  );
}
