import { writeAudit } from "../catalog/index.ts";
import { ApiError, type Exposure, type Records } from "../base/index.ts";
import type { Budget } from "./budget/createBudget.ts";
import type { Asker } from "./callAs.ts";
import { estimateTokens } from "./model/estimateTokens.ts";
import type { Model, ModelReply, ModelRequest } from "./model/model.ts";

export interface AskModelParts {
  /** Undefined when the settings name none. */
  readonly model: Model | undefined;
  readonly budget: Budget;
  readonly records: Pick<Records, "insert" | "transaction">;
}

/** The kinds of data that a request to the model holds, for whoever reads the audit. */
export type SentKind =
  | "question"
  | "names"
  | "descriptions"
  | "statistics"
  | "samples"
  | "answer"
  | "error";

/** For what the model is asked. */
export interface Purpose {
  /** The resource that was called. */
  readonly resource: string;
  /** The dataset, dashboard or conversation that it is about. */
  readonly recordId: string;
  readonly sent: ReadonlySet<SentKind>;
}

/** Asks the model for an asker. */
export type AskModel = (
  request: ModelRequest,
  asker: Asker,
  purpose: Purpose,
) => Promise<ModelReply>;

/** Tokens that a reply is expected to take. */
const replyTokens = 1_000;
/** The largest request, in estimated tokens. */
const requestTokens = 120_000;

/**
 * Makes the one way to the model: within the asker's budget, and with an audit event that names the kinds of data that
 * leave.
 * @throws {ApiError} ASSISTANT_NOT_CONFIGURED, ASSISTANT_BUDGET_SPENT, ASSISTANT_CANNOT for a request that is too
 * large, and as `Model.ask`
 */
export function createAskModel({ model, budget, records }: AskModelParts): AskModel {
  return async (request, asker, { resource, recordId, sent }) => {
    const { ask } = expectModel(model);
    asker.signal.throwIfAborted();
    const expected = estimateTokens(request) + replyTokens;
    if (expected > requestTokens)
      throw new ApiError("ASSISTANT_CANNOT", [
        "the request would be too long for the model; name fewer datasets or columns",
      ]);
    const members = [...sent].toSorted().map((kind) => `sent ${kind}`);
    const event = { action: "create", resource, recordId, members } as const;
    const allowance = await budget.take(asker.principal, expected, (transaction) =>
      writeAudit(records, asker, event, transaction),
    );
    const reply = await ask(request, asker.signal);
    await allowance.settle(reply.tokenCount);
    return reply;
  };
}

/** Leaves an audit event that counts the numbers without a ground that were struck out of a text of the model. */
export async function auditStruck(
  struckCount: number,
  asker: Asker,
  { resource, recordId }: Pick<Purpose, "resource" | "recordId">,
  { records }: Pick<AskModelParts, "records">,
): Promise<void> {
  if (struckCount === 0) return;
  const members = [`struck out ${struckCount}`];
  await records.transaction((transaction) =>
    writeAudit(records, asker, { action: "create", resource, recordId, members }, transaction),
  );
}

/** Refuses to go on without a model. @throws {ApiError} ASSISTANT_NOT_CONFIGURED */
export function expectModel(model: Model | undefined): Model {
  if (model) return model;
  throw new ApiError("ASSISTANT_NOT_CONFIGURED");
}

/** Returns whether a kind of data may be sent to the model. */
export function maySend(exposure: Exposure, least: Exposure): boolean {
  const order: readonly Exposure[] = ["names", "statistics", "samples"];
  return order.indexOf(exposure) >= order.indexOf(least);
}
