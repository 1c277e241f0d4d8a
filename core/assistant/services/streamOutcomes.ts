import { ApiError, errorBody, WrittenAnswer } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Outcome } from "../answers/askQuestion.ts";

/** The functions that write outcomes in one wire format. */
export interface Wire {
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string>>;
  start(): string;
  write(outcome: Outcome): Iterable<string>;
  failed(body: ReturnType<typeof errorBody>): string;
  end(): string;
}

/**
 * Streams an answer as it arrives. A failure before the first outcome is answered with its own status; a later failure
 * is written in the wire format. A slow reader slows the model down. A disconnect cancels the call to the model.
 */
export async function streamOutcomes(
  outcomes: AsyncGenerator<Outcome>,
  open: (first: Outcome | undefined) => Promise<Wire>,
  onEnd: (all: readonly Outcome[]) => Promise<void>,
): Promise<WrittenAnswer> {
  const first = await outcomes.next();
  const wire = await open(first.done ? undefined : first.value);
  return new WrittenAnswer(wire.mediaType, chunks(), wire.headers);

  async function* chunks(): AsyncGenerator<string> {
    const all: Outcome[] = [];
    try {
      yield wire.start();
      for (let next = first; !next.done; next = await outcomes.next()) {
        all.push(next.value);
        yield* wire.write(next.value);
      }
      await onEnd(all);
    } catch (failure) {
      if (!(failure instanceof ApiError || failure instanceof PluginError)) throw failure;
      yield wire.failed(errorBody(failure));
    } finally {
      await outcomes.return(undefined);
    }
    yield wire.end();
  }
}

const partLength = 60;

/** Splits text at spaces. The parts, joined, equal the text. */
export function* textParts(text: string): Generator<string> {
  let part = "";
  for (const word of text.split(/(?<=\s)/)) {
    part += word;
    if (part.length < partLength) continue;
    yield part;
    part = "";
  }
  if (part !== "") yield part;
}

/** Returns the message of an answer: its text, its question with choices, or its refusal. */
export function messageOfOutcomes(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap((outcome) => {
      if (outcome.kind === "item") return [];
      if (outcome.kind !== "asked_back") return [outcome.text];
      return [outcome.text, ...outcome.choices.map((choice) => `- ${choice}`)];
    })
    .join("\n");
}

/** Returns how many numbers were struck out of the text of an answer. */
export function struckCountOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { struckCount }) => sum + struckCount, 0);
}

/** Returns the items of an answer, each with its explanation. */
export function itemsOf(outcomes: readonly Outcome[]): readonly object[] {
  return outcomes.flatMap((outcome) =>
    outcome.kind === "item"
      ? [
          {
            ...outcome.item,
            explain: outcome.explain,
            is_cut: outcome.isCut,
            struck_count: outcome.struckCount,
            ...(outcome.openUrl !== undefined && { open_url: outcome.openUrl }),
          },
        ]
      : [],
  );
}
