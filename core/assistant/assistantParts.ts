import type { Exposure, Records } from "../base/index.ts";
import type { Queries } from "../queries/index.ts";
import type { AskModel } from "./askModel.ts";
import type { OwnHandlers } from "./callAs.ts";
import type { ReadDatasets } from "./meaning/createDatasetReader.ts";
import type { Measures } from "./meaning/createMeasures.ts";

/** The parts that the rooms of the assistant share. */
export interface AssistantParts {
  readonly askModel: AskModel;
  readonly handlers: OwnHandlers;
  readonly records: Records;
  readonly queries: Pick<Queries, "answer" | "explain">;
  readonly exposure: Exposure;
  readonly measures: Measures;
  readonly readDatasets: ReadDatasets;
  /** Where people open the console, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
