import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { type ApiCall, ApiError } from "../../base/index.ts";
import { refuseWithout } from "../../identity/index.ts";
import { type ActionOptions, expectRecord } from "./actionOptions.ts";

/**
 * Sends a failed message again, with the same id and a full set of attempts. If the message is a digest, it is sent
 * with the failed deliveries of the caller. Returns the delivery.
 * @throws {ApiError} RECORD_NOT_FOUND; CONFLICT for a delivery that has not failed
 */
export async function resendDelivery(call: ApiCall, options: ActionOptions): Promise<object> {
  const { records } = options;
  const found = await expectRecord("delivery", call.body.id, "own", call, options);
  const { id, digest_id } = found;
  const feature = found.exportevent_id === null ? "flag_alerting" : "flag_export";
  refuseWithout(feature, call.principal, "resend a delivery");
  const row = await records.transaction(async (transaction) => {
    const own = digest_id === null ? [id] : await membersOf(digest_id, call, options, transaction);
    const sentAgain: { id: string }[] = await transaction("delivery")
      .whereRaw("id = any(?::uuid[])", [arrayBinding(own)])
      .where({ outcome: "failed" })
      .where((each) => {
        void each.whereNotNull("message").orWhereNotNull("digest_id");
      })
      .update({
        outcome: "waiting",
        attempts: 0,
        problem: null,
        completed_at: null,
        next_attempt_at: null,
        updated_at: transaction.fn.now(),
      })
      .returning("id");
    if (!sentAgain.some((each) => each.id === id))
      throw new ApiError("CONFLICT", [
        `the delivery ${id} has not failed; only failed deliveries can be sent again`,
      ]);
    const data = digest_id === null ? { deliveryId: id } : { digestId: digest_id };
    await options.addDeliveryJobs([{ data }], transaction);
    const [sent] = await records.find("delivery", { id }, transaction);
    return sent!;
  });
  return records.present("delivery", row);
}

/** Returns the ids of the failed deliveries of a digest that the caller may send again. */
async function membersOf(
  digestId: string,
  { principal }: ApiCall,
  { records }: ActionOptions,
  transaction: Knex.Transaction,
): Promise<readonly string[]> {
  const ids: string[] = await transaction("delivery")
    .where({ digest_id: digestId, outcome: "failed" })
    .pluck("id");
  const visible = await records.visible("delivery", ids, "own", principal, transaction);
  return [...visible.keys()];
}
