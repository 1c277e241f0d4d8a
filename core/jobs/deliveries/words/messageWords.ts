import type { Aggregation, Operator } from "../../../../plugins/protocol/index.ts";

/** The operators that messages write as words. All other operators are symbols, such as `>`. */
export type WordedOperator = Exclude<Operator, "=" | "!=" | "<" | "<=" | ">" | ">=">;

/** The words of one language that messages contain in addition to data. A count is written in the reader's format. */
export interface MessageWords {
  /** The beginnings of titles. */
  readonly alert: string;
  readonly resolved: string;
  readonly noData: string;
  readonly error: string;
  readonly test: string;
  readonly channelFails: string;
  readonly stillFiring: string;
  readonly alertCount: (count: string) => string;
  /** The states of an instance, as cells of a table. */
  readonly states: {
    readonly began: string;
    readonly continues: string;
    readonly ended: string;
    readonly missing: string;
    readonly failed: string;
  };
  /** The values of the placeholder `{{status}}`. */
  readonly firing: string;
  readonly isResolved: string;
  readonly instanceCount: (count: string) => string;
  readonly firingCount: (count: string) => string;
  readonly resolvedCount: (count: string) => string;
  readonly noDataCount: (count: string) => string;
  readonly errorCount: (count: string) => string;
  readonly more: (count: string) => string;
  readonly moreRows: (count: string) => string;
  readonly moreAlerts: (count: string) => string;
  /** The heads of facts and tables. */
  readonly state: string;
  readonly summary: string;
  readonly condition: string;
  readonly filters: string;
  readonly period: string;
  readonly checked: string;
  readonly problem: string;
  readonly files: string;
  readonly rows: string;
  readonly due: string;
  readonly openDashboard: string;
  readonly openExplore: string;
  readonly openAlert: string;
  readonly openChannel: string;
  readonly openFile: string;
  readonly open: string;
  readonly chartOf: (name: string) => string;
  readonly unsubscribe: string;
  readonly and: string;
  readonly or: string;
  readonly rowCount: string;
  readonly nothing: string;
  readonly parameter: (name: string) => string;
  /** The words of mails with a link to choose a password. */
  readonly passwordLinks: {
    readonly invitation: {
      readonly title: string;
      readonly text: (by: string) => string;
      readonly action: string;
    };
    readonly forgotten: { readonly title: string; readonly text: string; readonly action: string };
    readonly once: (until: string) => string;
  };
  readonly aggregations: Readonly<Record<Aggregation, (column: string) => string>>;
  readonly operators: Readonly<Record<WordedOperator, string>>;
}
