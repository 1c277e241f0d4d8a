import { ClientError } from "../../core/web/client/index.ts";
import { isRight } from "./isRight.ts";
import type { Evaluated } from "./openEvaluated.ts";
import type { Passed, Relay } from "./openRelay.ts";
import type { Question } from "./questions/question.ts";

type Json = Readonly<Record<string, unknown>>;
type Rows = readonly (readonly unknown[])[];

export type Outcome = "answered" | "asked_back" | "refused" | "failed";

const rightOutcome = { answer: "answered", ask_back: "asked_back", refuse: "refused" } as const;

/** The outcome of asking the model one question. */
export interface Judged {
  readonly id: string;
  readonly language: Question["language"];
  readonly outcome: Outcome;
  readonly isRight: boolean;
  /** Whether the model's first query was accepted and answered. */
  readonly isFirstTry: boolean;
  readonly struckCount: number;
  readonly message: string;
  readonly passed: Passed;
}

export interface EvaluateOptions {
  readonly evaluated: Evaluated;
  readonly relay: Pick<Relay, "take">;
  readonly questions: readonly Question[];
  /** Returns the name of the data model that a question is about. */
  readonly modelOf: (question: Question) => string;
  /** Returns the gold rows of a question. */
  readonly goldOf: (id: string) => Promise<Rows> | Rows;
  /** Called before each question. */
  readonly onAsk?: (question: Question) => void;
}

interface Answered {
  readonly conversation_id: string;
  readonly assistant_message: {
    readonly message: string;
    readonly aiMessageAssets: readonly { readonly value: { readonly query: Json } }[];
    readonly struck_count: number;
    readonly choices?: readonly string[];
  };
}

/**
 * Sends questions one after another, each in a new conversation, and compares the returned rows with the gold answers.
 */
export async function* evaluate(options: EvaluateOptions): AsyncGenerator<Judged> {
  const conversations = new Map<string, string>();
  const { evaluated, relay, questions, modelOf, onAsk } = options;
  const { owner } = evaluated.people;
  for (const question of questions) {
    const { id, language, text, after } = question;
    relay.take();
    onAsk?.(question);
    const about = { id, language };
    const datasets = evaluated.datasets.get(modelOf(question)) ?? [];
    try {
      const { conversation_id, assistant_message } = await owner.create<Answered>("aiprompt", {
        agent: "analyst",
        task: "generate",
        locale_id: language,
        timezone_id: "UTC",
        ...(after !== undefined && { conversation_id: conversations.get(after) }),
        input: [
          { type: "text", value: text },
          ...datasets.map((value) => ({ type: "dataset", value })),
        ],
      });
      conversations.set(id, conversation_id);
      const passed = relay.take();
      const { message, choices, aiMessageAssets, struck_count: struckCount } = assistant_message;
      const [asset] = aiMessageAssets;
      const outcome = asset ? "answered" : choices ? "asked_back" : "refused";
      yield {
        ...about,
        outcome,
        isRight: asset
          ? await holdsGold(question, asset.value.query, options)
          : outcome === rightOutcome[question.expect],
        isFirstTry: asset !== undefined && passed.queryCalls === 1,
        struckCount,
        message,
        passed,
      };
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw failure;
      yield {
        ...about,
        outcome: "failed",
        isRight: false,
        isFirstTry: false,
        struckCount: 0,
        message: failure.message,
        passed: relay.take(),
      };
    }
  }
}

async function holdsGold(
  question: Question,
  query: Json,
  { evaluated, goldOf }: Pick<EvaluateOptions, "evaluated" | "goldOf">,
): Promise<boolean> {
  if (question.expect !== "answer") return false;
  const { data } = await evaluated.people.owner.get<{ data: Rows }>("data", query);
  return isRight(await goldOf(question.id), data, question.isOrdered);
}

/**
 * The figures of an evaluation. Shares are relative to all questions. Only the shares of first attempts are relative to
 * the answered questions.
 */
export interface Report {
  readonly questionCount: number;
  readonly rightCount: number;
  readonly answeredCount: number;
  readonly firstTryCount: number;
  readonly askedBackCount: number;
  readonly refusedCount: number;
  readonly failedCount: number;
  readonly struckCount: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The number of correct answers and the number of questions, by language. */
  readonly byLanguage: Readonly<Record<string, readonly [right: number, all: number]>>;
}

export function reportOf(judged: readonly Judged[]): Report {
  const countOf = (is: (each: Judged) => boolean) => judged.filter(is).length;
  const sumOf = (of: (each: Judged) => number) => judged.reduce((sum, each) => sum + of(each), 0);
  const languages = [...new Set(judged.map(({ language }) => language))].toSorted();
  return {
    questionCount: judged.length,
    rightCount: countOf((each) => each.isRight),
    answeredCount: countOf((each) => each.outcome === "answered"),
    firstTryCount: countOf((each) => each.isFirstTry),
    askedBackCount: countOf((each) => each.outcome === "asked_back"),
    refusedCount: countOf((each) => each.outcome === "refused"),
    failedCount: countOf((each) => each.outcome === "failed"),
    struckCount: sumOf((each) => each.struckCount),
    promptTokens: sumOf((each) => each.passed.promptTokens),
    completionTokens: sumOf((each) => each.passed.completionTokens),
    byLanguage: Object.fromEntries(
      languages.map((language) => [
        language,
        [
          countOf((each) => each.language === language && each.isRight),
          countOf((each) => each.language === language),
        ] as const,
      ]),
    ),
  };
}
