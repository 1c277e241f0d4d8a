import { membersOf, type AnsweredCall } from "./presentAnswers.ts";
import { chunkLength, writeRows } from "./writeRows.ts";

/**
 * Writes a call as JSON, in chunks: the text of `presentAnswers`, except that `processing` is
 * ignored the writing. Rows are written when their chunk is requested. O(cells).
 */
export function* writeAnswers({ several, answers }: AnsweredCall): Generator<string, void> {
  const isList = several || answers.length === 0;
  let text = isList ? "[" : "";
  let separator = "";
  for (const answer of answers) {
    text += separator;
    separator = ",";
    if ("data" in answer) {
      text += JSON.stringify(answer);
      continue;
    }
    const { batch, secured, parsed, labels } = answer;
    text += `${JSON.stringify(membersOf(answer)).slice(0, -1)},"data":`;
    for (const rows of writeRows(batch, secured.cells, secured.query.columns, parsed, labels)) {
      text += rows;
      if (text.length < chunkLength) continue;
      yield text;
      text = "";
    }
    text += "}";
  }
  yield isList ? `${text}]` : text;
}
