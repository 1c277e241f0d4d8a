import type { Knex } from "knex";
import type { CatalogMemory, Log, UsageCounts } from "../catalog/index.ts";
import type { Exposure, Handler, Records, ResourceHandlers } from "../base/index.ts";
import type { Queries } from "../queries/index.ts";
import { createCallModel, expectModel } from "./createCallModel.ts";
import { type BudgetLimits, createBudget } from "./budget/createBudget.ts";
import type { OwnHandlers } from "./callAs.ts";
import { createDatasetReader } from "./meaning/createDatasetReader.ts";
import { createMeasures } from "./meaning/createMeasures.ts";
import { type AnswerMcp, createMcp } from "./mcp/createMcp.ts";
import { aiChart } from "./services/aiChart.ts";
import { aiPrompt } from "./services/aiPrompt.ts";
import { aiSummary } from "./services/aiSummary.ts";
import { iqFormula } from "./services/iqFormula.ts";
import { aiMessageReply, iqMessage } from "./services/messages.ts";
import { generateDescriptions } from "./descriptions/generateDescriptions.ts";
import type { Model } from "./model/model.ts";

export interface AssistantOptions {
  /** The model. If it is undefined, every action that needs a model fails with 501. */
  readonly model: Model | undefined;
  readonly exposure: Exposure;
  readonly limits: BudgetLimits;
  /** Returns the limit of tokens per day that the operator set for an organization. Undefined if there is none. */
  readonly tokensOf?: (organizationId: string) => Promise<number | undefined>;
  readonly knex: Knex;
  /** Counts the calls of the model. */
  readonly usage: Pick<UsageCounts, "note">;
  readonly records: Records;
  readonly queries: Queries;
  /** The API's own actions, which the assistant runs with the rights of the assistant's caller. */
  readonly handlers: OwnHandlers;
  readonly memory: Pick<CatalogMemory, "remember" | "nameOf">;
  readonly log: Pick<Log, "warn">;
  /** Returns the address of the console. Slashes at its end are removed. */
  readonly publicUrl: () => string;
  readonly now?: () => number;
}

/** The actions that need a model, and the MCP server, which does not need one. */
export interface Assistant {
  readonly handlers: Readonly<Record<string, ResourceHandlers>>;
  readonly answerMcp: AnswerMcp;
}

/** Creates the assistant. It opens nothing, so there is nothing to close. */
export function createAssistant(options: AssistantOptions): Assistant {
  const { model, knex, records, limits, tokensOf, memory, handlers, now = Date.now } = options;
  const budget = createBudget({ knex, records, limits, now, ...(tokensOf && { tokensOf }) });
  const callModel = createCallModel({ ...options, budget });
  const publicUrl = () => options.publicUrl().replace(/\/+$/, "");
  const measures = createMeasures(memory);
  const readDatasets = createDatasetReader({ handlers, memory });
  const parts = { ...options, publicUrl, now, callModel, measures, readDatasets };
  const answering =
    (answer: Handler): Handler =>
    async (call) => {
      expectModel(model);
      return answer(call);
    };
  const reply = answering((call) => aiMessageReply(call, parts));
  const record = handlers["aimessage"];
  return {
    answerMcp: createMcp(parts),
    handlers: {
      generate_descriptions: { create: answering((call) => generateDescriptions(call, parts)) },
      aichart: { create: answering((call) => aiChart(call, parts)) },
      aiprompt: { create: answering((call) => aiPrompt(call, parts)) },
      iqformula: { create: answering((call) => iqFormula(call, parts)) },
      iqmessage: { create: answering((call) => iqMessage(call, parts)) },
      aisummary: { create: answering((call) => aiSummary(call, parts)) },
      // A message with options is answered. A message without options is only stored.
      aimessage: {
        ...record,
        create: async (call) => {
          if (call.body.options !== undefined) return reply(call);
          return record?.create?.(call);
        },
      },
    },
  };
}
