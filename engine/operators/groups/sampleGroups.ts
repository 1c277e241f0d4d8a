import { rowGroupSize } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, BoundPlan } from "../../plan/boundPlan.ts";
import { compileFilter } from "../filter/filter.ts";
import { openCompilation } from "../filter/openCompilation.ts";
import { KeyChain } from "../keys/keyChain.ts";
import { VectorSource, vectorBytes } from "../rows/vectorSource.ts";
import type { Arena } from "../task/arena.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";
import { Workspace } from "../task/workspace.ts";
import { compileHashColumn } from "./hashColumns.ts";
import { hashInputs } from "./hashInputs.ts";

/** The groups in a sample of rows. */
export interface SampledGroups {
  readonly rowCount: number;
  /** Number of sampled rows that pass the filter. */
  readonly passingCount: number;
  /** Number of groups of these rows. */
  readonly groupCount: number;
}

/** Number of vectors in the sample. They are spread evenly over the table. */
const sampledVectors = 16;

/** Compiles the sampling of a plan's groups, which takes about a millisecond. */
export function compileSample(
  plan: BoundPlan,
  grouping: BoundGrouping,
  place: {
    readonly arenas: readonly Arena[];
    readonly bases: readonly number[];
    readonly heap: Heap;
  },
): { readonly sizeBytes: number; run(): SampledGroups } {
  const { heap } = place;
  const workspace = new Workspace();
  workspace.endStates();
  const source = new VectorSource(place.arenas, place.bases, plan.columns, workspace);
  const compilation = openCompilation(source, workspace);
  const filter = compileFilter(plan, compilation);
  const { columns: inputs, parts } = hashInputs(grouping);
  const columns = inputs
    .slice(0, parts.length)
    .map((input) => compileHashColumn(input, compilation));
  return {
    sizeBytes: workspace.sizeBytes,
    run: () => {
      source.begin();
      heap.clear();
      const chain = new KeyChain(
        heap,
        columns.map(({ kind }) => kind),
      );
      const vectors = columns.map(() => heap.reserve(vectorBytes));
      const numbers = heap.reserve(vectorSize * 4);
      const vectorCount = Math.ceil(plan.rowCount / vectorSize);
      const takenCount = Math.min(sampledVectors, vectorCount);
      let rowCount = 0;
      let passingCount = 0;
      for (let taken = 0; taken < takenCount; taken++) {
        endIfCancelled();
        const row = Math.floor((vectorCount * (taken + 0.5)) / takenCount) * vectorSize;
        const start = row % rowGroupSize;
        source.openRowGroup((row - start) / rowGroupSize);
        const vectorRowCount = Math.min(vectorSize, plan.rowCount - row);
        rowCount += vectorRowCount;
        const pruning = filter ? filter.openRowGroup() : "all";
        if (pruning === "none") continue;
        for (const column of columns) column.openRowGroup();
        source.openVector(start, vectorRowCount);
        if (filter && pruning === "some" && filter.apply() === 0) continue;
        columns.forEach((column, index) => column.copy(heap.arena, vectors[index]));
        chain.find(vectors, source.rowCount, numbers);
        passingCount += source.rowCount;
      }
      return { rowCount, passingCount, groupCount: chain.count };
    },
  };
}
