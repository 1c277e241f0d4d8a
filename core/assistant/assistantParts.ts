import type { Exposure, Records } from "../base/index.ts";
import type { Queries } from "../queries/index.ts";
import type { CallModel } from "./createCallModel.ts";
import type { OwnHandlers } from "./callAs.ts";
import type { ReadDatasets } from "./meaning/createDatasetReader.ts";
import type { Measures } from "./meaning/createMeasures.ts";

/** The dependencies that the modules of the assistant share. */
export interface AssistantParts {
  readonly callModel: CallModel;
  readonly handlers: OwnHandlers;
  readonly records: Records;
  readonly queries: Pick<Queries, "answer" | "explain">;
  readonly exposure: Exposure;
  readonly measures: Measures;
  readonly readDatasets: ReadDatasets;
  /** Returns the console's address, without a trailing slash. */
  readonly publicUrl: () => string;
  /** Returns the current time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
}
