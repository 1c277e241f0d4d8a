import type { Cipher } from "../../catalog/index.ts";
import type { Knex } from "knex";
import type { Principals } from "../../identity/index.ts";
import type { ApiCall, Connections, Records, ResourceRow } from "../../base/index.ts";
import type { Queries } from "../../queries/index.ts";
import { declarations, expectRow, type Role } from "../../resources/index.ts";
import type { Deliveries } from "../deliveries/createDeliveries.ts";
import type { NewJob } from "../queue/openQueue.ts";

/** The parts of a host that the actions of alerts, channels and deliveries use. */
export interface ActionOptions {
  readonly knex: Knex;
  readonly records: Records;
  readonly cipher: Cipher;
  readonly connections: Pick<Connections, "store">;
  readonly queries: Pick<Queries, "evaluate">;
  readonly principals: Pick<Principals, "ofUsers" | "ofNewestTokens">;
  readonly deliveries: Pick<Deliveries, "send">;
  readonly addDeliveryJobs: (
    jobs: readonly NewJob[],
    transaction: Knex.Transaction,
  ) => Promise<void>;
  readonly publicUrl: () => string;
  readonly now: () => number;
}

/**
 * Returns the record that a call names, if the caller has the required role on the record.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN
 */
export async function expectRecord<
  Resource extends "account" | "alert" | "channel" | "delivery" | "plugin",
>(
  resource: Resource,
  id: unknown,
  role: Role,
  { principal }: Pick<ApiCall, "principal">,
  { knex, cipher }: Pick<ActionOptions, "knex" | "cipher">,
): Promise<ResourceRow<Resource>> {
  // The resource's declaration guarantees that the row has this type.
  const context = { knex, cipher, declarations };
  return (await expectRow(context, resource, id, role, principal)) as ResourceRow<Resource>;
}
