import { wordsIn } from "../questions/index.ts";

/** Words in names of columns whose values should be small, in several languages. */
const unwelcome =
  /^(delays?|latency|wait|waiting|costs?|expenses?|errors?|failures?|loss|losses|churn|churned|cancelled|canceled|cancellations|complaints|defects|returns|risk|debt|accidents|deaths|kosten|verspätung|fehler|verlust|retard|coûts?|pertes|costes?|pérdidas|costi|perdite)$/;

/** Returns whether a name says that a decrease of the values is good. */
export const isUnwelcome = (name: string): boolean =>
  wordsIn(name).some((word) => unwelcome.test(word));
