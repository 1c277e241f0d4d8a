import { membersOf, type AnsweredCall } from "./presentAnswers.ts";
import { writeRows } from "./writeRows.ts";

/**
 * Writes a call as JSON in chunks. The text is that of `presentAnswers`, except that `processing` excludes the time for
 * writing. Rows are written when their chunk is requested. O(cells).
 */
export function* writeAnswers({ several, answers }: AnsweredCall): Generator<string, void> {
  const isList = several || answers.length === 0;
  let text = isList ? "[" : "";
  for (const [place, answer] of answers.entries()) {
    if (place > 0) text += ",";
    if ("data" in answer) {
      text += JSON.stringify(answer);
      continue;
    }
    const { batch, secured, parsed, labels } = answer;
    text += `${JSON.stringify(membersOf(answer)).slice(0, -1)},"data":`;
    text = yield* writeRows(text, batch, secured.cells, secured.query.columns, parsed, labels);
    text += "}";
  }
  yield isList ? `${text}]` : text;
}
