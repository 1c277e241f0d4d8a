import type { Records, ResourceRow } from "../../contracts/index.ts";
import type { Attempt, Driver } from "./driver.ts";
import type { Message } from "./message.ts";

export interface DeliverOptions {
  readonly records: Records;
  /** By the type of channels; a type without one is refused. */
  readonly drivers: Readonly<Partial<Record<ResourceRow<"channel">["type"], Driver>>>;
}

/** The waits after each attempt that may help later, in seconds: about a day in all. */
const waitsS = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];

/**
 * Makes one attempt to deliver a message, and records its outcome. A message arrives twice only when the host dies
 * between sending and recording, and then with the same id. Resolves to the seconds until the next attempt; undefined
 * when there is none.
 */
export async function deliver(
  deliveryId: string,
  signal: AbortSignal,
  { records, drivers }: DeliverOptions,
): Promise<number | undefined> {
  const [delivery] = await records.find("delivery", { id: deliveryId });
  if (!delivery || delivery.outcome !== "waiting") return undefined;
  const [channel] = await records.find("channel", { id: delivery.channel_id });
  if (!channel) return undefined;
  const attempt = await attemptOf(delivery, channel, drivers[channel.type], signal);
  const attempts = delivery.attempts + 1;
  const waitS = waitsS[attempts - 1];
  if (attempt.outcome === "later" && waitS !== undefined) {
    await records.change("delivery", deliveryId, { attempts, problem: attempt.problem });
    return Math.max(waitS, attempt.retryAfterS ?? 0);
  }
  const problem = "problem" in attempt ? attempt.problem : null;
  await records.transaction(async (transaction) => {
    await records.change(
      "delivery",
      deliveryId,
      {
        attempts,
        outcome: "problem" in attempt ? "failed" : attempt.outcome,
        problem,
        completed_at: new Date(),
        ...(problem === null && { message: null }),
      },
      transaction,
    );
    if (attempt.outcome === "refused" && attempt.disables)
      await records.change("channel", channel.id, { disabled_reason: problem }, transaction);
  });
  return undefined;
}

async function attemptOf(
  delivery: ResourceRow<"delivery">,
  channel: ResourceRow<"channel">,
  driver: Driver | undefined,
  signal: AbortSignal,
): Promise<Attempt> {
  if (!driver)
    return {
      outcome: "refused",
      problem: `this host sends nothing to channels of type ${channel.type}`,
    };
  if (delivery.message === null || channel.config === null)
    return { outcome: "refused", problem: "the message or the config of the channel is lost" };
  const message = delivery.message as unknown as Message;
  return driver.send({ id: delivery.id, message, config: channel.config, signal });
}
