import type { ApiCall } from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import { type ActionOptions, expectRecord } from "./actionOptions.ts";

/**
 * Sends a message that failed again, with the same id and with all its attempts. Returns the delivery.
 * @throws {ApiError} RECORD_NOT_FOUND; CONFLICT for one that has not failed
 */
export async function resendDelivery(call: ApiCall, options: ActionOptions): Promise<object> {
  const { records } = options;
  const { id } = await expectRecord("delivery", call.body["id"], "own", call, options);
  const row = await records.transaction(async (transaction) => {
    const count = await transaction("delivery")
      .where({ id, outcome: "failed" })
      .whereNotNull("message")
      .update({ outcome: "waiting" });
    if (count === 0)
      throw new ApiError("CONFLICT", [
        `the delivery ${id} has not failed; only a failed delivery is sent again`,
      ]);
    await options.addDeliveryJobs([{ data: { deliveryId: id } }], transaction);
    return records.change(
      "delivery",
      id,
      { attempts: 0, problem: null, completed_at: null, next_attempt_at: null },
      transaction,
    );
  });
  return records.present("delivery", row);
}
