import { type ApiCall, ApiError } from "../../base/index.ts";
import { askQuestion } from "../answers/askQuestion.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { suggestQuestions } from "../answers/suggestQuestions.ts";
import { datasetsOf, idsOf, localeOf, membersOf, questionOf } from "./readRequest.ts";

const types = "generate-chart, generate-example-questions";

/**
 * Handles `aichart`: returns a chart for a question about one dataset, or sample questions.
 * @throws {ApiError} ASSISTANT_CANNOT if the model finds no chart, MEMBER_MISSING, MEMBER_INVALID, RECORD_NOT_FOUND;
 * the errors of `CallModel`
 */
export async function aiChart(call: ApiCall, parts: AssistantParts): Promise<object> {
  const members = membersOf<"dataset_id" | "locale_id" | "question" | "type">(call);
  const { type } = members;
  if (type !== "generate-chart" && type !== "generate-example-questions")
    throw new ApiError("MEMBER_INVALID", ["properties.type", `must be one of ${types}`]);
  const path = "properties.dataset_id";
  if (members.dataset_id === undefined)
    throw new ApiError("MEMBER_MISSING", [path, "the id of a dataset"]);
  const ids = idsOf(members.dataset_id, path);
  const locale = localeOf(members.locale_id);
  const questionText =
    type === "generate-chart" && questionOf(members.question, "properties.question");
  const datasets = await datasetsOf(ids, call, parts, locale.localeId);
  const about = { datasets, resource: "aichart", recordId: ids[0] ?? "" };
  if (questionText === false) {
    const questions = await suggestQuestions({ ...about, ...locale }, call, parts);
    return { examples: questions.map((title) => ({ title })) };
  }
  const question = { ...about, ...locale, text: questionText, isWithoutText: true };
  for await (const outcome of askQuestion(question, call, parts)) {
    if (outcome.kind === "item") {
      const { item, explain, struckCount, openUrl } = outcome;
      const { type: chart, slots, options, query } = item;
      const generatedChart = { type: chart, slots, options, query };
      return {
        generatedChart,
        explain,
        struck_count: struckCount,
        ...(openUrl !== undefined && { open_url: openUrl }),
      };
    }
    const choices = outcome.kind === "asked_back" ? outcome.choices : [];
    throw new ApiError(
      "ASSISTANT_CANNOT",
      [[outcome.text, ...choices].join(" / ")],
      choices.length > 0 ? { validation: { "properties.question": choices } } : {},
    );
  }
  throw new ApiError("ASSISTANT_CANNOT", ["the model did not answer"]);
}
