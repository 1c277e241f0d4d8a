import type { Knex } from "knex";
import type { Log } from "../catalog/index.ts";
import type { Exposure } from "../config.ts";
import type { Handler, Records, ResourceHandlers } from "../contracts/index.ts";
import type { Queries } from "../queries/index.ts";
import { createAskModel, expectModel } from "./askModel.ts";
import { type BudgetLimits, createBudget } from "./budget/createBudget.ts";
import type { OwnHandlers } from "./callAs.ts";
import { generateDescriptions } from "./descriptions/generateDescriptions.ts";
import type { Model } from "./model/model.ts";

export interface AssistantOptions {
  /** Undefined: every action that asks a model answers 501. */
  readonly model: Model | undefined;
  readonly exposure: Exposure;
  readonly limits: BudgetLimits;
  readonly knex: Knex;
  readonly records: Records;
  readonly queries: Queries;
  /** The actions of the API, which the assistant uses with its caller's rights. */
  readonly handlers: OwnHandlers;
  readonly log: Pick<Log, "warn">;
  readonly now?: () => number;
}

/** The resources that a model answers. */
export type AssistantHandlers = Readonly<Record<"generate_descriptions", ResourceHandlers>>;

/** Makes the actions that a model answers. Nothing to close. */
export function createAssistant(options: AssistantOptions): AssistantHandlers {
  const { model, knex, limits, now } = options;
  const budget = createBudget({ knex, limits, ...(now && { now }) });
  const parts = { ...options, askModel: createAskModel({ ...options, budget }) };
  const answering =
    (answer: Handler): Handler =>
    async (call) => {
      expectModel(model);
      return answer(call);
    };
  return {
    generate_descriptions: { create: answering((call) => generateDescriptions(call, parts)) },
  };
}
