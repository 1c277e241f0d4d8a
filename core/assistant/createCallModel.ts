import { type UsageCounts, writeAudit } from "../catalog/index.ts";
import { ApiError, type Exposure, type Records } from "../base/index.ts";
import type { Budget } from "./budget/createBudget.ts";
import type { AssistantCaller } from "./callAs.ts";
import { estimateTokens } from "./model/estimateTokens.ts";
import type { Model, ModelReply, ModelRequest } from "./model/model.ts";

export interface CallModelParts {
  /** The configured model. Undefined if there is none. */
  readonly model: Model | undefined;
  readonly budget: Budget;
  readonly usage: Pick<UsageCounts, "note">;
  readonly records: Pick<Records, "insert" | "transaction">;
}

/** The kinds of data in a request to the model, as recorded in the audit log. */
export type SentKind =
  | "question"
  | "reader"
  | "names"
  | "descriptions"
  | "statistics"
  | "samples"
  | "answer"
  | "error";

/** The reason for a call to the model, as recorded in the audit log. */
export interface Purpose {
  /** The API resource that was called. */
  readonly resource: string;
  /** Id of the dataset, dashboard or conversation that the call is about. */
  readonly recordId: string;
  readonly sent: ReadonlySet<SentKind>;
}

/**
 * Calls the model on behalf of a caller, within the caller's budget, and records the call in the audit log.
 * @throws {ApiError} ASSISTANT_NOT_CONFIGURED, ASSISTANT_BUDGET_SPENT, ASSISTANT_CANNOT for a request that is too
 * large; the errors of `Model.complete`
 */
export type CallModel = (
  request: ModelRequest,
  caller: AssistantCaller,
  purpose: Purpose,
) => Promise<ModelReply>;

/** Expected number of tokens in a reply. */
const replyTokens = 1_000;
/** Maximum estimated number of tokens in a request. */
const requestTokens = 120_000;

/**
 * Creates the only function that calls the model. It enforces the caller's budget, counts the call as usage, and
 * writes an audit event with the kinds of data that are sent.
 */
export function createCallModel({ model, budget, usage, records }: CallModelParts): CallModel {
  return async (request, caller, { resource, recordId, sent }) => {
    const { complete } = expectModel(model);
    caller.signal.throwIfAborted();
    const expected = estimateTokens(request) + replyTokens;
    if (expected > requestTokens)
      throw new ApiError("ASSISTANT_CANNOT", [
        "the request is too long for the model; use fewer datasets or columns",
      ]);
    const members = [...sent].toSorted().map((kind) => `sent ${kind}`);
    const event = { action: "create", resource, recordId, members } as const;
    const allowance = await budget.take(caller.principal, expected, (transaction) =>
      writeAudit(records, caller, event, transaction),
    );
    usage.note(caller.principal, { kind: "model_call" });
    const reply = await complete(request, caller.signal);
    await allowance.settle(reply.tokenCount);
    return reply;
  };
}

/** Writes an audit event that says how many ungrounded numbers were struck out of a model's text. */
export async function auditStruck(
  struckCount: number,
  caller: AssistantCaller,
  { resource, recordId }: Pick<Purpose, "resource" | "recordId">,
  { records }: Pick<CallModelParts, "records">,
): Promise<void> {
  if (struckCount === 0) return;
  const members = [`struck out ${struckCount}`];
  await records.transaction((transaction) =>
    writeAudit(records, caller, { action: "create", resource, recordId, members }, transaction),
  );
}

/**
 * Returns the model if one is configured.
 * @throws {ApiError} ASSISTANT_NOT_CONFIGURED
 */
export function expectModel(model: Model | undefined): Model {
  if (model) return model;
  throw new ApiError("ASSISTANT_NOT_CONFIGURED");
}

/** Returns whether the operator's setting `exposure` allows sending data of the level `least`. */
export function maySend(exposure: Exposure, least: Exposure): boolean {
  const order: readonly Exposure[] = ["names", "statistics", "samples"];
  return order.indexOf(exposure) >= order.indexOf(least);
}
